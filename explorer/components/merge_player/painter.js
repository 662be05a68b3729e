// Painting the passage: fills, cuts, hairlines, teeth and rings. Only what changes is painted.

const STEP_MS = 180
const CUT_MS = 90
const FADE_MS = 600
const CUT = 2
const RADIUS = 3
const TOOTH = 6
/** Room around the text for rings. */
const BLEED = 4
/** More fading rings than this at once are noise: the oldest go first. */
const MOST_RINGS = 150
const COLORS = ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "neutral", "line-strong", "bg", "needle"]
const FORCED_COLORS = [
  ...COLORS.map((name) => [name, "Canvas"]),
  ["line-strong", "CanvasText"],
  ["needle", "Highlight"],
  ["cut", "CanvasText"],
]

/** A painter for the cells of a passage: `paint(cells, moves)`, `ring(boxes, fades)`, `resize()`, `readColors()`, `repaint()`. */
function createPainter(sheet, fills, rings) {
  const fill = fills.getContext("2d")
  const line = rings.getContext("2d")
  let colors = {}
  let scale = 1
  let painted = new Map()
  let fades = []
  let flashes = []
  let clock = 0

  /** Read the theme's colors; whether they have changed. */
  const readColors = () => {
    const before = JSON.stringify(colors)
    // In forced colors every fill is the page, and the cut itself is drawn in ink.
    const forced = matchMedia("(forced-colors: active)").matches
    const names = forced ? FORCED_COLORS : COLORS.map((name) => [name, `var(--tg-${name})`])
    const probe = makeElement("i", "mp-probe")
    sheet.append(probe)
    colors = {}
    for (const [name, value] of names) {
      probe.style.color = value
      colors[name] = getComputedStyle(probe).color
    }
    colors.cut ??= colors.bg
    probe.remove()
    return before !== JSON.stringify(colors)
  }

  /** Paint what differs from the last cells; where `moves(top, bottom)` holds, by a cross-fade. */
  const paint = (cells, moves) => {
    const now = new Map(cells.map((cell) => [cell.key, painted.get(cell.key) ?? cell]))
    const gone = [...painted.values()].filter((cell) => !now.has(cell.key))
    const come = cells.filter((cell) => !painted.has(cell.key))
    painted = now
    fades = fades.filter((fade) => now.has(fade.cell.key))
    for (const cell of come) cell.shapes ??= stretchesOf(cell.units)
    const fading = new Set(come.filter((cell) => cell.shapes.some((shape) => moves(shape.top, shape.bottom))))
    const born = performance.now()
    fades.push(...Array.from(fading, (cell) => ({ cell, born, under: gone.filter((old) => overlap(old, cell)) })))
    // What is gone lies under what has come, so it is cleared with the cells that do not fade.
    const still = come.filter((cell) => !fading.has(cell))
    still.forEach(clear)
    for (const cell of still) draw(cell)
    if (fades.length) run()
  }

  const overlap = (a, b) => a.units[0].index <= b.units.at(-1).index && b.units[0].index <= a.units.at(-1).index

  const clear = (cell) => {
    for (const { left, right, top, bottom } of cell.shapes) fill.clearRect(...snapped(left, top, right, bottom))
  }

  // Edges on whole device pixels: neighbors meet without a seam.
  const snapped = (left, top, right, bottom) => {
    const [x, y] = [Math.round((left + BLEED) * scale), Math.round((top + BLEED) * scale)]
    return [x, y, Math.round((right + BLEED) * scale) - x, Math.round((bottom + BLEED) * scale) - y]
  }

  const draw = (cell, alpha = 1) => {
    fill.globalAlpha = alpha
    for (const shape of cell.shapes) drawShape(cell, shape)
    fill.globalAlpha = 1
  }

  const drawShape = (cell, shape) => {
    const [x, y, width, height] = snapped(shape.left, shape.top, shape.right, shape.bottom)
    const opens = cell.opens && shape.first === cell.units[0]
    const closes = cell.closes && shape.last === cell.units.at(-1)
    const px = Math.max(1, Math.round(scale))
    const start = opens ? Math.round(CUT * scale) : 0
    const radius = RADIUS * scale
    // [start, end] in reading direction; each end may run to the other side of the screen.
    const left = shape.first.rtl ? (closes ? radius : 0) : opens ? radius : 0
    const right = shape.last.rtl ? (opens ? radius : 0) : closes ? radius : 0
    const cutX = shape.first.rtl ? x + width - start : x
    fill.fillStyle = colors[cell.slot < 0 ? "neutral" : `t${cell.slot}`]
    fill.beginPath()
    fill.roundRect(x + (shape.first.rtl ? 0 : start), y, Math.max(0, width - start), height, [left, right, right, left])
    fill.fill()
    if (start) {
      fill.fillStyle = colors.cut
      fill.fillRect(cutX, y, start, height)
    }
    if (cell.teeth) return drawTeeth(cell, shape, [x, y, width, height], start, px)
    if (cell.slot >= 0) return
    fill.fillStyle = colors["line-strong"]
    fill.fillRect(x + (shape.first.rtl ? 0 : start), y + height - px, width - start, px)
  }

  /** Teeth at the foot of a divided cluster, one a token, wide by its bytes; a symbol not yet merged has a hairline only. */
  const drawTeeth = (cell, shape, [x, y, width, height], start, px) => {
    const room = width - start
    const gap = room / cell.teeth.length < 4 * scale ? px : Math.round(CUT * scale)
    const high = Math.round(TOOTH * scale)
    cell.teeth.forEach(({ from, to, slot }, i) => {
      const near = start + Math.round(room * from) + (i ? gap : 0)
      const far = start + Math.round(room * to)
      const wide = Math.max(1, far - near)
      const at = shape.first.rtl ? x + width - near - wide : x + near
      if (i) {
        fill.fillStyle = colors.cut
        fill.fillRect(shape.first.rtl ? x + width - near : x + near - gap, y + height - high, gap, high)
      }
      fill.fillStyle = colors[slot < 0 ? "line-strong" : `t${slot}`]
      fill.fillRect(at, y + height - (slot < 0 ? px : high), wide, slot < 0 ? px : high)
    })
  }

  const drawFade = ({ cell, under, born }, now) => {
    const age = now - born
    for (const { left, right, top, bottom } of cell.shapes) {
      const area = snapped(left, top, right, bottom)
      fill.save()
      fill.beginPath()
      fill.rect(...area)
      fill.clip()
      fill.clearRect(...area)
      if (age < STEP_MS) for (const old of under) draw(old)
      // The cut closes in half the time: a merged token covers the cuts of its parts first.
      if (age < STEP_MS && !cell.teeth) for (const old of under) closeCut(cell, old, ease(age / CUT_MS))
      draw(cell, age < STEP_MS ? ease(age / STEP_MS) : 1)
      fill.restore()
    }
  }

  const closeCut = (cell, old, alpha) => {
    if (!old.opens || old.units[0] === cell.units[0] || old.slot < 0 || cell.slot < 0) return
    const shape = old.shapes[0]
    const [x, y, width, height] = snapped(shape.left, shape.top, shape.right, shape.bottom)
    const wide = Math.round(CUT * scale)
    fill.globalAlpha = alpha
    fill.fillStyle = colors[`t${cell.slot}`]
    fill.fillRect(shape.first.rtl ? x + width - wide : x, y, wide, height)
    fill.globalAlpha = 1
  }

  const drawRings = (now) => {
    line.clearRect(0, 0, rings.width, rings.height)
    line.strokeStyle = colors.needle
    line.lineWidth = CUT * scale
    for (const { boxes, born, stays } of flashes) {
      line.globalAlpha = stays ? 1 : 1 - Math.min(1, (now - born) / FADE_MS)
      line.beginPath()
      for (const { left, right, top, bottom } of boxes) {
        const [x, y, width, height] = snapped(left - 1, top - 1, right + 1, bottom + 1)
        line.roundRect(x, y, width, height, (RADIUS + 1) * scale)
      }
      line.stroke()
    }
  }

  /** Ring what `find` gives (null: nothing), for 600 ms or until the next call. Boxes are found anew after a resize. */
  const ring = (find, fading) => {
    const changes = flashes.length > 0 || find
    flashes = fading ? flashes.filter((flash) => !flash.stays) : []
    if (find) flashes.push({ find, boxes: find(), born: performance.now(), stays: !fading })
    while (fading && flashes.length > 1 && flashes.reduce((sum, flash) => sum + flash.boxes.length, 0) > MOST_RINGS) flashes.shift()
    if (fading) run()
    else if (changes) drawRings(0)
  }

  const run = () => {
    clock ||= requestAnimationFrame(move)
  }
  const move = () => {
    clock = 0
    const now = performance.now()
    for (const fade of fades) drawFade(fade, now)
    fades = fades.filter((fade) => now - fade.born < STEP_MS)
    const moving = flashes.some((flash) => !flash.stays)
    flashes = flashes.filter((flash) => flash.stays || now - flash.born < FADE_MS)
    if (moving) drawRings(now)
    if (fades.length || flashes.some((flash) => !flash.stays)) run()
  }

  const resize = () => {
    const [width, height] = [sheet.clientWidth + 2 * BLEED, sheet.clientHeight + 2 * BLEED]
    // Canvases end near 16,000 pixels a side: two thousand empty lines are painted coarser, not dropped.
    scale = Math.min(devicePixelRatio, 16000 / Math.max(width, height), Math.sqrt(3e7 / (width * height)))
    for (const canvas of [fills, rings]) {
      canvas.width = Math.round(width * scale)
      canvas.height = Math.round(height * scale)
      canvas.style.width = `${width}px`
      canvas.style.height = `${height}px`
    }
    painted = new Map()
    fades = []
    readColors()
    for (const flash of flashes) flash.boxes = flash.find()
    drawRings(performance.now())
  }

  const repaint = () => {
    fill.clearRect(0, 0, fills.width, fills.height)
    fades = []
    for (const cell of painted.values()) draw(cell)
    drawRings(performance.now())
  }
  return { paint, ring, resize, readColors, repaint }
}

/** Quick at first, then settling, as --tg-ease of tokens.css. */
function ease(share) {
  return share >= 1 ? 1 : 1 - (1 - Math.max(0, share)) ** 3
}
