// The palette slots of all tokens of the table, by the collision rule of the strip and line by line as there.

/** The slot of each token; -1 for special and unknown ones. */
function tableSlots(bytes, { starts, stops, reach, entry, entries }) {
  const count = starts.length
  const slots = entry.map((index) => (entries[index].kind === "token" ? entries[index].slot : -1))
  const edges = [0]
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) edges.push(at + 1)
  edges.push(bytes.length + 1)

  // A token that runs over the end of a line has one color in both, so these come before all others.
  const fixed = new Set()
  for (const edge of edges.slice(1, -1)) {
    const token = firstIndex(count, (k) => starts[k] >= edge) - 1
    if (token < 0 || stops[token] <= edge || slots[token] < 0 || fixed.has(token)) continue
    if (fixed.has(token - 1) && (slots[token - 1] & 3) === (slots[token] & 3)) slots[token] = (slots[token] + 1) & 7
    fixed.add(token)
  }
  for (let line = 0; line + 1 < edges.length; line++) {
    const first = firstIndex(count, (k) => reach[k] > edges[line])
    const stop = firstIndex(count, (k) => starts[k] >= edges[line + 1])
    const length = (k) => (fixed.has(k) ? Infinity : stops[k] - starts[k])
    const members = Array.from({ length: Math.max(0, stop - first) }, (_, i) => first + i)
    assignSlots(members.map((k) => slots[k]), members.map(length)).forEach((slot, i) => (slots[first + i] = slot))
  }
  return slots
}
