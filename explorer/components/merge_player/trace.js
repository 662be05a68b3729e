// The trace: where cuts stand after each step. Whatever the player draws is a function of the step.

/**
 * Index a trace for drawing: edges (every byte offset where a cut can stand), events (the steps that change the passage).
 *
 * Frame 0 is the alphabet; frame f is the passage after step events[f - 1].
 */
function readTrace(data) {
  const bytes = utf8(data.passage)
  const steps = data.columns.length.length
  const loose = new Map(data.boundaries.map((offset, i) => [offset, i]))
  for (const offset of data.fixed) loose.delete(offset)
  const spans = [...data.gaps, ...data.unknown]
  const inside = [...loose.keys(), ...data.fixed, ...spans.flat()].filter((at) => at > 0 && at < bytes.length)
  const edges = bytes.length ? [...new Set([0, ...inside, bytes.length])].sort((a, b) => a - b) : []
  const bits = edges.map((at) => loose.get(at) ?? -1)
  const kinds = edges.map((at) => (within(data.gaps, at) ? "gap" : within(data.unknown, at) ? "unknown" : ""))
  const trace = { bytes, steps, merges: !isPruning(data), edges, bits, kinds, isEdge: new Set(edges), ...(data.frames ? bitSets(data) : vanishing(data)) }
  const cache = new Map()
  // Where a token's bytes are not what it stands for (a mark of a word's end), its slot comes with the data.
  const slots = new Map((data.slots ?? []).map(([start, stop, slot]) => [start * 0x100000 + stop, slot]))
  return {
    ...trace,
    /** The tokens of a frame, gaps included: [{start, stop, kind, slot}]; slot -1 for what has earned no color. */
    tokens(frame) {
      if (!cache.has(frame)) {
        if (cache.size > 8) cache.clear()
        cache.set(frame, tokensOf(trace, frame, slots))
      }
      return cache.get(frame)
    },
    /** What the text from a byte offset on is: "gap", "unknown" or "" for tokens. */
    kindAt: (offset) => trace.kinds[countUpTo(edges, offset) - 1] ?? "",
    /** The last frame at or before a step. */
    frameAt: (step) => countUpTo(trace.events, step),
  }
}

function within(spans, offset) {
  return spans.some(([start, stop]) => start <= offset && offset < stop)
}

/** How many numbers of an ascending list are at most `limit`. */
function countUpTo(list, limit) {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** BPE: cuts only vanish, so a boundary's whole history is one number. */
function vanishing(data) {
  const steps = data.columns.length.length
  const fixed = new Set(data.fixed)
  const moving = data.vanish.filter((step, i) => step <= steps && !fixed.has(data.boundaries[i]))
  const events = [...new Set(moving)].sort((a, b) => a - b)
  return { events, stands: (boundary, frame) => data.vanish[boundary] > (frame ? events[frame - 1] : 0) }
}

/** WordPiece: a longer match can bring a cut back, so each change has a set of standing cuts. */
function bitSets(data) {
  const { steps, cuts } = data.frames
  const changes = steps.map((_, i) => i).filter((i) => i === 0 || cuts[i] !== cuts[i - 1])
  const sets = new Map()
  const at = (frame) => {
    if (!sets.has(frame)) sets.set(frame, hexBytes(cuts[changes[frame]]))
    return sets.get(frame)
  }
  return {
    events: changes.slice(1).map((i) => steps[i]),
    stands: (boundary, frame) => ((at(frame)[boundary >> 3] >> (boundary & 7)) & 1) === 1,
  }
}

function tokensOf(trace, frame, slots) {
  const { bytes, edges, bits, kinds, stands } = trace
  const tokens = []
  let from = 0
  for (let i = 1; i < edges.length; i++) {
    if (bits[i] >= 0 && !stands(bits[i], frame)) continue
    const [start, stop] = [edges[from], edges[i]]
    // One symbol of the alphabet is neutral: color is earned by a merge. What is pruned was colored from the start.
    const slot = kinds[from] || (trace.merges && i === from + 1) ? -1 : ownSlot(bytes, start, stop, slots)
    tokens.push({ start, stop, kind: kinds[from], slot })
    from = i
  }
  return tokens
}

function ownSlot(bytes, start, stop, known) {
  const key = start * 0x100000 + stop
  if (!known.has(key)) known.set(key, slotOf(bytes.subarray(start, stop)))
  return known.get(key)
}

/** The merged tokens of a frame that an earlier frame does not have: what these steps have made of the passage. */
function newTokens(trace, before, frame) {
  const old = new Set(trace.tokens(before).map((token) => token.start * 0x100000 + token.stop))
  return trace.tokens(frame).filter((token) => token.slot >= 0 && !old.has(token.start * 0x100000 + token.stop))
}

/** Whether two values of a trace are equal, lists and objects included. */
function sameData(a, b) {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false
  if (Array.isArray(a)) return a.length === b.length && a.every((each, i) => sameData(each, b[i]))
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => sameData(a[key], b[key]))
}
