// What the strip knows of its data, in bytes. Nothing is segmented or drawn here.

const LINE_LIMIT = 2000 // UTF-16 units of one drawn line: longer ones are cut, at a token that opens with a space if one comes
const BLOCK_LINES = 40

/** The first index in 0..n whose `past(i)` holds; `past` turns from false to true once. */
function firstWhere(n, past) {
  let low = 0
  let high = n
  while (low < high) {
    const middle = (low + high) >> 1
    if (past(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Whether a grapheme cluster begins at UTF-16 unit `at`, judged by the text close by. */
function clusterBegins(text, at) {
  if (/^[\p{M}\u200d]/u.test(text.slice(at, at + 2))) return false
  return graphemes(text.slice(Math.max(0, at - 64), at)).length + graphemes(text.slice(at, at + 64)).length ===
    graphemes(text.slice(Math.max(0, at - 64), at + 64)).length
}

/** Cut the text into drawn lines: after each newline, and where a line grows too long. */
function cutLines(text, bytes, starts) {
  const lines = []
  let line = { start: 0, from: 0, first: 0 }
  let token = 0
  let unit = 0
  const cut = (byte, first) => {
    lines.push(Object.assign(line, { stop: byte, to: unit }))
    line = { start: byte, from: unit, first }
  }
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if ((byte & 0xc0) === 0x80) continue
    const long = unit - line.from
    if (long >= LINE_LIMIT) {
      while (token < starts.length && starts[token] < i) token++
      const opens = starts[token] === i
      if ((opens && byte === 32) || (long >= LINE_LIMIT * (opens ? 1.25 : 2) && clusterBegins(text, unit))) cut(i, line.first)
    }
    unit += byte >= 0xf0 ? 2 : 1
    if (byte === 10) cut(i + 1, lines.length + 1)
  }
  if (unit > line.from) cut(bytes.length, line.first)
  return lines
}

/** Group lines into blocks of about one screen: [first line, line after the last]. */
function groupLines(lines) {
  const blocks = []
  let low = 0
  lines.forEach((line, i) => {
    if (i > low && (line.to - lines[low].from > LINE_LIMIT || i - low >= BLOCK_LINES)) {
      blocks.push([low, i])
      low = i
    }
  })
  if (lines.length) blocks.push([low, lines.length])
  return blocks
}

/** About how many rows block `i` takes at `perRow` characters a row. */
function blockRows({ lines, blocks }, i, perRow) {
  return lines.slice(...blocks[i]).reduce((rows, { from, to }) => rows + Math.ceil((to - from) / perRow), 0)
}

/** The running maximum of `stops`, so that a search by byte holds even where a span reaches past the next. */
function reaches(stops) {
  const reach = new Int32Array(stops.length)
  for (let k = 0, most = 0; k < stops.length; k++) reach[k] = most = Math.max(most, stops[k])
  return reach
}

function buildModel({ text, starts, stops, entry, entries, notation, card = "", differs = [] }) {
  const bytes = utf8(text)
  const lines = cutLines(text, bytes, starts)
  const reach = reaches(stops)
  const count = starts.length
  const model = {
    text, bytes, starts, stops, count, lines, notation, card,
    blocks: groupLines(lines),
    entryOf: (k) => entries[entry[k]],
    /** Whether a boundary that not all tokenizers have lies at a byte from..to, both included. */
    differsIn: (from, to) => differs[firstWhere(differs.length, (i) => differs[i] >= from)] <= to,
    /** The tokens that touch bytes start..stop, as [first, last]; first > last where there is none. Widthless ones join the cell before. */
    tokensIn(start, stop) {
      let first = firstWhere(count, (k) => reach[k] > start)
      let last = firstWhere(count, (k) => starts[k] >= stop) - 1
      while (last + 1 < count && starts[last + 1] === stop && stops[last + 1] === stop) last++
      if (start === 0) first = 0
      return [first, last]
    },
    lineAt: (byte) => Math.max(0, firstWhere(lines.length, (i) => lines[i].start > byte) - 1),
    blockOf: (line) => firstWhere(model.blocks.length, (i) => model.blocks[i][1] > line),
  }
  model.crossing = crossingSlots(model)
  return model
}

/** Slots of the tokens that run over a line's end. Both lines must paint them alike, so they are fixed before the others. */
function crossingSlots({ lines, starts, stops, count, entryOf }) {
  const slots = new Map()
  for (const { start } of lines) {
    const k = firstWhere(count, (i) => starts[i] >= start) - 1
    if (start === 0 || k < 0 || stops[k] <= start || slots.has(k)) continue
    const { slot, kind } = entryOf(k)
    const before = slots.get(k - 1)
    if (kind === "token") slots.set(k, before !== undefined && (before & 3) === (slot & 3) ? (slot + 1) & 7 : slot)
  }
  return slots
}
