// Which bar stands in which row: the best path first, then the shorter above, each in the first row that has room.

/** The row, from 0, of each edge of {start, stop, best}; bars of one row do not touch each other's characters. */
function packRows(edges) {
  const order = edges.map((_, i) => i).sort((a, b) => edges[b].best - edges[a].best || length(edges[a]) - length(edges[b]) || edges[a].start - edges[b].start)
  const taken = [[]]
  const rows = edges.map(() => 0)
  for (const i of order) {
    const { start, stop } = edges[i]
    const free = taken.findIndex((spans, row) => (edges[i].best || row > 0) && spans.every(([from, to]) => stop <= from || to <= start))
    rows[i] = free < 0 ? taken.length : free
    if (free < 0) taken.push([])
    taken[rows[i]].push([start, stop])
  }
  return rows
}

function length({ start, stop }) {
  return stop - start
}

/** Where an arrow key leads from edge `at`: "on", "back", "longer" or "shorter"; `at` itself where there is nothing. */
function walk(edges, at, way) {
  const here = edges[at]
  const likeliest = (fits) =>
    edges.reduce((best, edge, i) => (fits(edge) && (best < 0 || edge.share > edges[best].share) ? i : best), -1)
  let found = -1
  if (way === "on") found = likeliest((edge) => edge.start === here.stop)
  else if (way === "back") found = likeliest((edge) => edge.stop === here.start)
  else {
    const sign = way === "longer" ? 1 : -1
    const same = edges.map((edge, i) => [length(edge), i]).filter(([, i]) => edges[i].start === here.start).sort((a, b) => a[0] - b[0])
    found = same[same.findIndex(([, i]) => i === at) + sign]?.[1] ?? -1
  }
  return found < 0 ? at : found
}
