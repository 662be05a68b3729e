// The rows of the byte table: one a code point, and one a byte that belongs to none.

/** The first index at or after which `reaches(index)` holds; it must be monotone. */
function firstIndex(length, reaches) {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (reaches(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Decode the data of the table into columns.
 *
 * `at[row]` is the row's first byte, `at[count]` the number of bytes; `cluster[row]` its grapheme, `first[cluster]` the
 * first row of a grapheme and `first[first.length - 1]` the number of rows.
 */
function tableRows(data) {
  const bytes = hexBytes(data.hex)
  const reasons = new Map(data.invalid)
  const joins = new Set(data.joins)
  const at = new Int32Array(bytes.length + 1)
  const cluster = new Int32Array(bytes.length)
  const first = []
  let count = 0
  for (let byte = 0; byte < bytes.length; byte += reasons.has(byte) ? 1 : announcedLength(bytes[byte]) || 1) {
    if (!joins.has(count)) first.push(count)
    cluster[count] = first.length - 1
    at[count++] = byte
  }
  at[count] = bytes.length
  first.push(count)
  const { cp, name, category, script } = data.points
  const points = new Map(cp.map((point, i) => [point, { name: name[i], category: category[i], script: script[i] }]))
  // The farthest stop so far: a search by byte holds even where a span reaches past the next one.
  let most = 0
  const reach = data.tokens.stops.map((stop) => (most = Math.max(most, stop)))
  const tokens = { ...data.tokens, reach }
  tokens.slots = tableSlots(bytes, tokens)
  return { bytes, reasons, at, cluster, first, count, points, tokens }
}

/** The row that holds a byte. */
function rowOfByte(rows, byte) {
  return Math.max(0, firstIndex(rows.count, (row) => rows.at[row] > byte) - 1)
}

/** The character of a row, or null where its bytes are none. */
function charOfRow(rows, row) {
  if (rows.reasons.has(rows.at[row])) return null
  const [part] = wholeCharacters(rows.bytes.subarray(rows.at[row], rows.at[row + 1]))
  return part.text ?? null
}

/** The tokens that cover any of the bytes from `start` to `stop`, in order. Tokens of no bytes cover none. */
function tokensOver(tokens, start, stop) {
  const found = []
  for (let i = firstIndex(tokens.stops.length, (k) => tokens.reach[k] > start); tokens.starts[i] < stop; i++) {
    if (tokens.starts[i] < tokens.stops[i] && tokens.stops[i] > start) found.push(i)
  }
  return found
}

/** The tokens that stand at a byte and cover none: the end-of-word symbols of some vocabularies. */
function emptyTokensAt(tokens, byte) {
  const found = []
  for (let i = firstIndex(tokens.stops.length, (k) => tokens.reach[k] >= byte); tokens.starts[i] <= byte; i++) {
    if (tokens.starts[i] === byte && tokens.stops[i] === byte) found.push(i)
  }
  return found
}

/** The bytes of a row cut into runs of the same tokens: [{start, stop, tokens, opens, ends}]. */
function runsOfRow(rows, row) {
  const { at, tokens, bytes } = rows
  const covering = (byte) => (byte < 0 || byte >= bytes.length ? [] : tokensOver(tokens, byte, byte + 1))
  const same = (one, other) => String(one) === String(other)
  const runs = []
  let before = covering(at[row] - 1)
  for (let byte = at[row]; byte < at[row + 1]; byte++) {
    const here = covering(byte)
    const last = runs[runs.length - 1]
    if (last && same(here, before)) last.stop = byte + 1
    else runs.push({ start: byte, stop: byte + 1, tokens: here, opens: !same(here, before), ends: true })
    before = here
  }
  const last = runs[runs.length - 1]
  last.ends = !same(last.tokens, covering(last.stop))
  return runs
}

/** How many cuts lie inside a range of bytes, both ends left out. */
function cutsInside(tokens, start, stop) {
  const cuts = new Set()
  for (const token of tokensOver(tokens, start, stop)) {
    for (const edge of [tokens.starts[token], tokens.stops[token]]) if (edge > start && edge < stop) cuts.add(edge)
  }
  return cuts.size
}
