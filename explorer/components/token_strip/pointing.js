// Pointing: which bytes are lit, and how one gets from token to token.

const SPAN_EVENT = "tokenglass:span"

/** The cell a pointer event is on, or null. */
function cellOf(event) {
  for (const node of event.composedPath()) {
    if (node.tgCell) return node.tgCell
    if (node === event.currentTarget) return null
  }
  return null
}

/** What pointing at a cell means: its one token with all its bytes, or the bytes of the cell with all its tokens. */
function viewOfCell(model, cell) {
  if (cell.first > cell.last) return null
  if (cell.first === cell.last && model.starts[cell.first] < model.stops[cell.first]) return viewOfToken(model, cell.first)
  return { start: cell.start, stop: cell.stop, first: cell.first, last: cell.last, byte: null }
}

/** What pointing at one token means. A token without width lights the byte before it, or the first. */
function viewOfToken(model, k) {
  let [start, stop] = [model.starts[k], model.stops[k]]
  if (start === stop) [start, stop] = start ? [start - 1, start] : [0, 1]
  return { start, stop, first: k, last: k, byte: null }
}

/** What pointing at a range of bytes means: the tokens that touch it. */
function viewOfBytes(model, start, stop) {
  const [first, last] = model.tokensIn(start, stop)
  return { start, stop, first, last, byte: null }
}

function sameView(one, other) {
  return one === other || Boolean(one && other && one.first === other.first && one.last === other.last && one.byte === other.byte)
}

/** A view after new data: bytes stay what is pointed at, the tokens that hold them may be others now. Null past the end. */
function viewAgain(model, view) {
  if (!view || view.stop > model.bytes.length) return null
  const kept = model.starts[view.first] === view.start && model.stops[view.last] === view.stop
  return kept ? view : viewOfBytes(model, view.start, view.stop)
}

/** Ring the cells of lines that bytes of `view` (or null) lie in; give their elements. */
function ringCells(lines, view, className) {
  if (!view) return []
  const cells = lines
    .filter(({ tgLine }) => tgLine.start < view.stop && tgLine.stop > view.start)
    .flatMap(({ tgCells }) => tgCells.filter((cell) => cell.start < view.stop && cell.stop > view.start))
  for (const { el } of cells) el.classList.add(className)
  return cells.map(({ el }) => el)
}

/** The view one step along from `view` (null: from the start), or null at an end. */
function stepFrom(model, view, step, byBytes) {
  if (!model.count) return null
  if (byBytes) {
    const byte = view ? (view.byte ?? (step > 0 ? view.start - 1 : view.start)) + step : 0
    if (byte < 0 || byte >= model.bytes.length) return null
    const around = viewOfBytes(model, byte, byte + 1)
    return { ...around, byte: around.first === around.last ? byte : null }
  }
  const k = view ? (step > 0 ? view.last : view.first) + step : 0
  return k < 0 || k >= model.count ? null : viewOfToken(model, k)
}

/** The cell of the row above (-1) or below (1) that stands nearest to `from`, among the lines drawn. */
function cellInNextRow(lines, from, step) {
  const origin = from.getClientRects()[0]
  const middle = (rect) => (rect.left + rect.right) / 2
  let best = null
  for (const line of lines) {
    for (const cell of line.tgCells) {
      for (const rect of cell.el.getClientRects()) {
        const down = (rect.top - origin.top) * step
        if (down < origin.height / 2) continue
        const away = Math.abs(middle(rect) - middle(origin))
        if (!best || down < best.down - origin.height / 2 || (down < best.down + origin.height / 2 && away < best.away)) {
          best = { cell, down, away }
        }
      }
    }
  }
  return best?.cell ?? null
}

/** The offset in the text of a point in the DOM, or null where it lies in no line. */
function textOffset(node, offset) {
  const line = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest(".tg-line")
  if (!line) return null
  const range = document.createRange()
  range.setStart(line, 0)
  range.setEnd(node, offset)
  return line.tgLine.from + range.toString().length
}

/** Copy exactly the selected text, lines not drawn included. */
function copySelection(event, root, text) {
  const selection = root.getSelection?.() ?? document.getSelection()
  const [range] = selection.getComposedRanges?.({ shadowRoots: [root] }) ?? [selection.rangeCount ? selection.getRangeAt(0) : null]
  if (!range) return
  const start = textOffset(range.startContainer, range.startOffset)
  const stop = textOffset(range.endContainer, range.endOffset)
  if (start === null || stop === null || start === stop) return
  event.clipboardData.setData("text/plain", text.slice(start, stop))
  event.preventDefault()
}
