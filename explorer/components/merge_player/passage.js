// The passage: the text is laid out once and never touched again; fills and rings are painted on two canvases below it.
// Below, because the fill of a letter would otherwise cover ink that the letter before it hangs into its place.

/** Lay out the passage of a trace in `stage`; the result draws frames and rings, and measures again after a change of size. */
function createPassage(stage, trace, data, chooseWord) {
  const ink = makeElement("div", "mp-ink")
  const { units, lines } = layOut(ink, trace, data.passage)
  const stops = units.map((unit) => unit.stop)
  const fills = makeElement("canvas", "mp-fills")
  const rings = makeElement("canvas", "mp-rings")
  for (const canvas of [fills, rings]) canvas.setAttribute("aria-hidden", "true")
  const sheet = makeElement("div", "mp-text", fills, rings, ink)
  stage.replaceChildren(sheet)
  orient(units)
  const painter = createPainter(sheet, fills, rings)
  let frame = 0

  // Reading the scroll offset would cost a layout for each frame of play.
  const view = { top: 0, bottom: 0 }
  const look = () => Object.assign(view, { top: stage.scrollTop, bottom: stage.scrollTop + stage.clientHeight })
  stage.onscroll = look
  const inView = (top, bottom) => bottom > view.top && top < view.bottom
  const cellsAt = (at) => cellsOf(units, trace.tokens(at), slotsByLine(trace.tokens(at), lines))
  const words = data.words ?? []
  ink.classList.toggle("mp-choosable", words.length > 0)
  ink.onclick = (event) => {
    const unit = units.find(({ el }) => el.contains(event.composedPath()[0]))
    const found = unit ? words.findIndex(([start, stop]) => start <= unit.start && unit.start < stop) : -1
    if (found >= 0) chooseWord(found)
  }
  const boxesOf = (tokens) => tokens.flatMap((token) => stretchesOf(unitsOf(units, stops, token)))
  return {
    draw(at, { moves }) {
      frame = at
      painter.paint(cellsAt(at), moves ? inView : () => false)
    },
    /** Ring these tokens, for 600 ms or until the next call. */
    ring(tokens, { fades }) {
      const seen = (box) => !fades || inView(box.top, box.bottom)
      painter.ring(tokens.length ? () => boxesOf(tokens).filter(seen) : null, fades)
    },
    layout() {
      measure(units, sheet)
      look()
      // A long passage scrolls in its place, and what scrolls must be within reach of the keyboard.
      if (stage.scrollHeight > stage.clientHeight + 1) stage.tabIndex = 0
      else stage.removeAttribute("tabindex")
      painter.resize()
      painter.paint(cellsAt(frame), () => false)
    },
    /** Underline the word that is looked at. */
    choose(index) {
      const [from, to] = words[index] ?? [0, 0]
      for (const { el, start } of units) el.classList.toggle("mp-chosen", from <= start && start < to)
    },
    /** Paint again where the theme has changed. */
    recolor() {
      if (painter.readColors()) painter.repaint()
    },
  }
}

/** One span for each run of text that no cut can ever divide, and never less than a grapheme cluster. */
function layOut(parent, trace, text) {
  const units = []
  const lines = []
  let line = null
  let unit = null
  let at = 0
  let spaces = 0
  for (const cluster of graphemes(text)) {
    const stop = at + utf8(cluster).length
    if (!line) {
      line = { el: makeElement("div", "tg-line"), start: at }
      line.el.dir = "auto"
      lines.push(line)
      parent.append(line.el)
      unit = null
    }
    const divided = hasEdgeBetween(trace, at, stop)
    if (!unit || divided || unit.divided || trace.isEdge.has(at)) {
      const kind = trace.kindAt(at)
      unit = { start: at, stop, text: "", divided, line, el: makeElement("span", kind ? `mp-unit mp-${kind}` : "mp-unit") }
      // A line breaks before the space that opens a word, as the tokens do.
      spaces = cluster === " " || cluster === "\u2581" ? spaces + 1 : 0
      if (spaces % 8 === 1) line.el.append(document.createElement("wbr"))
      line.el.append(unit.el)
      units.push(unit)
    }
    unit.text += cluster
    unit.stop = at = stop
    if (breaksLine(cluster)) line = null
  }
  units.forEach((each, i) => {
    each.index = i
    drawText(each.el, each.text)
  })
  return { units, lines }
}

function hasEdgeBetween(trace, start, stop) {
  for (let at = start + 1; at < stop; at++) if (trace.isEdge.has(at)) return true
  return false
}

/** Give every unit the direction it runs in: its own, between equal neighbors theirs, else its line's. */
function orient(units) {
  const own = units.map((unit) => ownDirection(unit.text))
  let before = null
  for (let i = 0; i < units.length; i++) {
    const line = units[i].line
    line.dir ??= getComputedStyle(line.el).direction
    if (i === 0 || units[i - 1].line !== line) before = line.dir
    if (own[i]) before = own[i]
    let next = i
    while (next < units.length && units[next].line === line && !own[next]) next++
    const after = units[next]?.line === line ? own[next] : line.dir
    units[i].rtl = (own[i] ?? (before === after ? before : line.dir)) === "rtl"
  }
}

/** Note where every unit stands on the sheet, in CSS pixels: the text never moves, so once for each size is enough. */
function measure(units, sheet) {
  const origin = sheet.getBoundingClientRect()
  for (const unit of units) {
    unit.boxes = Array.from(unit.el.getClientRects(), (rect) => ({
      left: rect.left - origin.left,
      right: rect.right - origin.left,
      top: rect.top - origin.top,
      bottom: rect.bottom - origin.top,
    }))
  }
}

/** Slots after the collision rule, line by line; lines that share a token are colored together. */
function slotsByLine(tokens, lines) {
  const starts = new Set(lines.map((line) => line.start))
  const slots = []
  let group = []
  const settle = () => {
    slots.push(...assignSlots(group.map((token) => token.slot), group.map((token) => token.stop - token.start)))
    group = []
  }
  for (const token of tokens) {
    if (starts.has(token.start)) settle()
    group.push(token)
  }
  settle()
  return slots
}

/**
 * The cells of a frame: what one token covers of whole units, or one divided cluster with a tooth for each of its tokens.
 *
 * The key holds all that a cell's picture depends on, so equal keys need no paint.
 */
function cellsOf(units, tokens, slots) {
  const cells = []
  let cell = null
  let t = 0
  for (const unit of units) {
    while (tokens[t].stop <= unit.start) t++
    const token = tokens[t]
    if (token.stop < unit.stop) {
      cells.push(dividedCell(unit, tokens, slots, t))
      cell = null
    } else if (cell?.token === token && cell.units.at(-1).index === unit.index - 1) cell.units.push(unit)
    else if (!token.kind) cells.push((cell = { units: [unit], token, slot: slots[t], teeth: null }))
  }
  for (const each of cells) {
    const [first, last] = [each.units[0], each.units.at(-1)]
    each.opens = each.teeth ? each.opens : first.start === each.token.start
    each.closes = each.teeth ? each.closes : last.stop === each.token.stop
    const look = each.teeth ? each.teeth.map((tooth) => `${tooth.from},${tooth.slot}`).join(";") : each.slot
    each.key = `${first.index} ${last.index} ${look} ${each.opens} ${each.closes}`
  }
  return cells
}

function dividedCell(unit, tokens, slots, first) {
  const size = unit.stop - unit.start
  const teeth = []
  let t = first
  for (; t < tokens.length && tokens[t].start < unit.stop; t++) {
    const from = (Math.max(tokens[t].start, unit.start) - unit.start) / size
    teeth.push({ from, to: (Math.min(tokens[t].stop, unit.stop) - unit.start) / size, slot: slots[t] })
  }
  return { units: [unit], slot: -1, teeth, opens: tokens[first].start === unit.start, closes: tokens[t - 1].stop === unit.stop }
}

function unitsOf(units, stops, token) {
  const first = countUpTo(stops, token.start)
  let end = first
  while (end < units.length && units[end].start < token.stop) end++
  return units.slice(first, end)
}

/** Join the boxes of consecutive units into one for each stretch of a visual line. */
function stretchesOf(units) {
  const stretches = []
  for (const unit of units) {
    for (const box of unit.boxes ?? []) {
      if (box.right === box.left) continue
      const near = stretches.find((one) => Math.abs(one.top - box.top) < 2 && box.left <= one.right + 1 && box.right >= one.left - 1)
      if (!near) stretches.push({ ...box, first: unit, last: unit })
      else {
        near.left = Math.min(near.left, box.left)
        near.right = Math.max(near.right, box.right)
        near.last = unit
      }
    }
  }
  return stretches
}
