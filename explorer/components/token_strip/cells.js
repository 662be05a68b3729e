// A cell is the smallest run of whole graphemes that the same tokens share.

/** The length of a string in UTF-8. */
function byteLength(text) {
  let length = 0
  for (const char of text) {
    const point = char.codePointAt(0)
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return length
}

/** The cells of one line: {start, stop (bytes), text, first, last (tokens; first > last in a gap)}. */
function lineCells(model, line) {
  const { starts, stops } = model
  const cells = []
  let start = line.start
  let previous = null
  let [first] = model.tokensIn(start, start)
  let after = first
  for (const cluster of graphemes(model.text.slice(line.from, line.to))) {
    const stop = start + byteLength(cluster)
    while (first < model.count && stops[first] <= start) first++
    after = Math.max(after, first)
    while (after < model.count && starts[after] < stop) after++
    if (previous && previous.core[0] === first && previous.core[1] === after) {
      previous.text += cluster
      previous.stop = stop
    } else {
      previous = { start, stop, text: cluster, core: [first, after], first: start === 0 ? 0 : first, last: after - 1 }
      cells.push(previous)
    }
    let last = after - 1
    while (last + 1 < model.count && starts[last + 1] === stop && stops[last + 1] === stop) last++
    previous.last = last
    start = stop
  }
  return cells
}

/** The slots of the tokens of a line after the collision rule, as a function of the token. */
function lineSlots(model, line) {
  const [first, last] = model.tokensIn(line.start, line.stop)
  const own = []
  const lengths = []
  for (let k = first; k <= last; k++) {
    const { slot, kind } = model.entryOf(k)
    const fixed = model.crossing.get(k)
    own.push(kind === "token" ? (fixed ?? slot) : -1)
    lengths.push(fixed === undefined ? model.stops[k] - model.starts[k] : Infinity)
  }
  const slots = assignSlots(own, lengths)
  return (k) => slots[k - first]
}

/** The tokens of a cell with the bytes of it that each covers: [{k, share}]. */
function sharesOf(model, cell) {
  const shares = []
  for (let k = cell.first; k <= cell.last; k++) {
    shares.push({ k, share: Math.min(model.stops[k], cell.stop) - Math.max(model.starts[k], cell.start) })
  }
  return shares
}

function fillOf(model, k, slot) {
  const { kind } = model.entryOf(k)
  return kind === "special" ? "var(--tg-ink)" : kind === "unknown" ? "var(--tg-line-strong)" : `var(--tg-t${slot})`
}

/** Teeth over the whole width: one stripe a token, as wide as its share of the bytes. `fills` and `shares` run with the text. */
function teeth(fills, shares, run) {
  const total = shares.reduce((sum, share) => sum + share, 0)
  let done = 0
  const stops = fills.map((fill, i) => {
    const from = (100 * done) / total
    done += shares[i]
    const to = (100 * done) / total
    if (i === fills.length - 1) return `${fill} ${from}%`
    const end = `calc(${to}% - min(2px, ${0.28 * (to - from)}%))`
    return `${fill} ${from}% ${end}, var(--tg-bg) ${end} ${to}%`
  })
  return `linear-gradient(${run}, ${stops.join(", ")})`
}

/** Teeth at the end only: tokens without width behind a token that has one. */
function tailTeeth(fills, run) {
  const width = 8
  const stops = fills.map((fill, i) => {
    const left = (fills.length - i) * width
    return `var(--tg-bg) calc(100% - ${left}px) calc(100% - ${left - 2}px), ${fill} calc(100% - ${left - 2}px) calc(100% - ${left - width}px)`
  })
  return `linear-gradient(${run}, transparent calc(100% - ${fills.length * width}px), ${stops.join(", ")})`
}

/** The element of a cell; `slotOfToken` gives the slots of its line. */
function drawCell(model, cell, slotOfToken) {
  const el = document.createElement("span")
  const shares = sharesOf(model, cell)
  const wide = shares.filter(({ share }) => share > 0)
  const widthless = shares.filter(({ share }) => share <= 0)
  const fills = (tokens) => tokens.map(({ k }) => fillOf(model, k, slotOfToken(k)))
  const own = ownDirection(cell.text)
  const run = own === "rtl" ? "to left" : own === "ltr" ? "to right" : "var(--tg-run)"
  if (!shares.length) el.className = "tg-gap"
  else if (wide.length > 1) {
    const all = wide.concat(widthless).sort((a, b) => a.k - b.k)
    el.className = "tg-tok tg-split"
    el.style.setProperty("--tg-teeth", teeth(fills(all), all.map(({ share }) => Math.max(share, 0.5)), run))
  } else {
    el.className = wide.length ? "tg-tok" : "tg-gap"
    if (wide.length) paintToken(el, model, wide[0].k, slotOfToken)
    if (widthless.length) {
      el.classList.add("tg-tok", "tg-tail")
      el.style.setProperty("--tg-teeth", tailTeeth(fills(widthless), run))
    }
  }
  const continues = wide.length > 0 && model.starts[wide[0].k] < cell.start
  if (continues) el.classList.add("tg-cont")
  el.classList.add(...differences(model, cell, wide.length > 0 && !continues))
  drawText(el, cell.text, true, wide.length > 0 && !continues)
  return el
}

function paintToken(el, model, k, slotOfToken) {
  const { kind } = model.entryOf(k)
  if (kind === "special") el.classList.add("tg-special")
  else if (kind === "unknown") el.classList.add("tg-unk")
  else el.dataset.s = slotOfToken(k)
}

/** The marks of boundaries that not all tokenizers have: of this one at the start, of others inside. */
function differences(model, cell, opens) {
  const own = opens && model.differsIn(cell.start, cell.start)
  const others = model.differsIn(opens ? cell.start + 1 : cell.start, cell.stop - 1)
  return [own ? "tg-own" : "", others ? "tg-others" : ""].filter(Boolean)
}

/** What the look of a cell depends on: cells of one key are drawn alike. */
function cellKey(model, cell, slotOfToken) {
  const tokens = sharesOf(model, cell).map(({ k, share }) => `${model.entryOf(k).kind[0]}${slotOfToken(k)}:${Math.max(share, 0)}`)
  const opens = cell.first > cell.last || model.starts[cell.core[0]] >= cell.start
  return `${cell.breaks ? 1 : 0}${opens ? 1 : 0} ${tokens.join()} ${differences(model, cell, opens)} ${cell.text}`
}

/** How many of two lists agree from the start, and how many of the rest from the end. */
function agreeing(before, after) {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return { head, tail }
}

/**
 * The element of line `i`, with its cells and their elements as properties for pointing and lighting.
 *
 * `old` is the element of the line as it was, or null: of it only the cells that changed are drawn anew, so that typing into a
 * long line costs what was typed.
 */
function drawLine(model, i, old = null) {
  const line = model.lines[i]
  const el = old ?? document.createElement("div")
  turnLine(el, model, i)
  const cells = lineCells(model, line)
  const slots = lineSlots(model, line)
  for (const cell of cells) {
    // Lines break where tokens start: the space of the next word goes with it.
    cell.breaks = cell.text[0] === " " && cell.start > line.start && model.starts[cell.core[0]] === cell.start
    cell.key = cellKey(model, cell, slots)
  }
  const before = old?.tgCells ?? []
  const { head, tail } = agreeing(before.map(({ key }) => key), cells.map(({ key }) => key))
  for (const cell of before.slice(head, before.length - tail)) {
    cell.wbr?.remove()
    cell.el.remove()
  }
  const following = before[before.length - tail]
  const anchor = tail ? (following.wbr ?? following.el) : null
  cells.forEach((cell, at) => {
    const same = at < head ? before[at] : at >= cells.length - tail ? before[at - cells.length + before.length] : null
    cell.wbr = same ? same.wbr : cell.breaks ? document.createElement("wbr") : null
    cell.el = same ? same.el : drawCell(model, cell, slots)
    cell.el.tgCell = cell
    if (same) return
    if (cell.wbr) el.insertBefore(cell.wbr, anchor)
    el.insertBefore(cell.el, anchor)
  })
  return Object.assign(el, { tgCells: cells, tgLine: line, tgText: model.text.slice(line.from, line.to) })
}

/** Draw the lines from..to of the model into a block; lines that were there already are kept, and mended where they differ. */
function drawLines(model, from, to, block) {
  const before = Array.from(block.children)
  const texts = model.lines.slice(from, to).map((line) => model.text.slice(line.from, line.to))
  const { head, tail } = agreeing(before.map(({ tgText }) => tgText), texts)
  const extra = before.length - texts.length
  texts.forEach((_, at) => {
    const old = at < texts.length - tail ? before[at < before.length - tail ? at : -1] : before[at + extra]
    const el = drawLine(model, from + at, old ?? null)
    if (!old) block.insertBefore(el, tail ? before[before.length - tail] : null)
  })
  for (const el of before.slice(Math.max(head, texts.length - tail), before.length - tail)) el.remove()
}

/** Set the direction of a line; one that was cut for drawing keeps that of its beginning. */
function turnLine(el, model, i) {
  const { first } = model.lines[i]
  const goesOn = first !== i
  const from = model.lines[first].from
  const dir = goesOn ? (graphemes(model.text.slice(from, from + 200)).map(ownDirection).find(Boolean) ?? "ltr") : "auto"
  const className = goesOn ? "tg-line tg-line-on" : "tg-line"
  if (el.className !== className) el.className = className
  if (el.dir !== dir) el.dir = dir
}
