// Corpus length against step, the ticks of the steps that touch the passage, and the needle. The plot is the slider.

/** Draw the plot into `host`; the result moves the needle (`draw`) and turns a place on the screen into a step (`stepAt`). */
function createCurve(host, trace, data) {
  const { steps, events } = trace
  const clip = makeSvg("rect", { x: 0, y: 0, height: 1000, width: 0 })
  const clipId = `mp-done-${Math.random().toString(36).slice(2)}`
  const layers = ["rest", "done"].map((name) => ({
    curve: makeSvg("path", { class: `mp-curve mp-${name}` }),
    ticks: makeSvg("path", { class: `mp-ticks mp-${name}` }),
  }))
  const done = makeSvg("g", { "clip-path": `url(#${clipId})` }, layers[1].curve, layers[1].ticks)
  const axis = makeSvg("g", { class: "mp-axis" })
  const needle = makeSvg("g", { class: "mp-needle" })
  const svg = makeSvg("svg", { class: "mp-plot", "aria-hidden": "true" })
  svg.append(makeSvg("defs", {}, makeSvg("clipPath", { id: clipId }, clip)), axis, layers[0].curve, layers[0].ticks, done, needle)
  const texts = Object.fromEntries(["start", "end", "value"].map((name) => [name, makeSvg("text", { class: `mp-${name}` })]))
  axis.before(texts.start, texts.end)
  const stem = makeSvg("line")
  const dot = makeSvg("circle", { r: 4.5 })
  const foot = makeSvg("path")
  const halo = makeSvg("circle", { r: 9, class: "mp-halo" })
  needle.append(stem, foot, dot, halo, texts.value)
  host.replaceChildren(svg)
  const place = {}
  let last = 0

  const lengthAt = (step) => (step ? data.columns.length[step - 1] : data.initial_length)
  const unitAt = (step) => (step ? "tokens" : data.initial_unit)

  const draw = (step) => {
    last = step
    if (!place.width) return
    const x = place.x(step)
    const y = place.y(lengthAt(step))
    needle.style.transform = `translateX(${x}px)`
    clip.style.width = `${x + 0.75}px`
    for (const el of [dot, halo, texts.value]) el.style.transform = `translateY(${y}px)`
    label(step, x, y)
  }

  // Numerals are tabular, so texts of equal length are equally wide: measuring again would cost a layout each frame.
  const widths = new Map()
  const widthOf = (text) => {
    const key = `${text.getAttribute("class")} ${text.textContent.length}`
    if (!widths.has(key)) widths.set(key, text.getComputedTextLength())
    return widths.get(key)
  }

  const label = (step, x, y) => {
    const { em, left, right, width } = place
    texts.value.textContent = `${grouped(lengthAt(step))} ${unitAt(step)} in the corpus`
    const wide = widthOf(texts.value)
    const flips = x + 12 + wide > width
    setAttributes(texts.value, {
      x: flips ? -10 : 12,
      // Left of the needle the curve is above the point, so the words stand below it.
      y: flips ? Math.min(em * 1.5, place.bottom + 6 - y) : -8,
      "text-anchor": flips ? "end" : "start",
    })
    const from = flips ? x - wide - 16 : x
    const to = flips ? x : x + wide + 20
    texts.start.style.visibility = step === 0 || from < left + widthOf(texts.start) ? "hidden" : "visible"
    texts.end.style.visibility = step === steps || to > right - widthOf(texts.end) ? "hidden" : "visible"
  }

  const layout = () => {
    const width = Math.round(host.clientWidth)
    const em = parseFloat(getComputedStyle(svg).fontSize)
    if (!width) return
    const left = 14
    const right = width - left
    const top = Math.round(em * 2)
    const bottom = top + 80
    const ground = bottom + 30.5
    const scale = steps ? (right - left) / Math.log(1 + steps) : 0
    const tallest = Math.max(1, data.initial_length)
    Object.assign(place, { width, em, left, right, bottom, scale })
    widths.clear()
    place.x = (step) => left + scale * Math.log(1 + step)
    place.y = (length) => bottom - ((bottom - top) * length) / tallest
    place.step = (x) => (scale ? Math.round(Math.exp((x - left) / scale) - 1) : 0)
    const height = Math.round(ground + em * 1.6 + 3)
    setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, width, height })
    for (const { curve, ticks } of layers) {
      curve.setAttribute("d", curvePath(place, steps, lengthAt))
      ticks.setAttribute("d", events.map((step) => `M${place.x(step).toFixed(1)} ${ground - 20.5}v16`).join(""))
    }
    drawAxis(axis, place, steps, ground)
    texts.start.textContent = `${grouped(data.initial_length)} ${data.initial_unit} before the first merge`
    setAttributes(texts.start, { x: left, y: top - 8 })
    texts.end.textContent = `${grouped(lengthAt(steps))} at the end`
    // The curve falls, so the words clear it where they begin.
    const begins = place.step(right - texts.end.getComputedTextLength())
    setAttributes(texts.end, { x: right, y: place.y(lengthAt(Math.max(0, begins))) - 6, "text-anchor": "end" })
    setAttributes(stem, { x1: 0, x2: 0, y1: Math.max(1, top - 16), y2: ground })
    setAttributes(foot, { d: `M-6 ${ground + 8}h12l-6 -9z` })
    draw(last)
  }

  const stepAt = (clientX) => {
    const x = clientX - svg.getBoundingClientRect().left
    return Math.max(0, Math.min(steps, place.step?.(x) ?? 0))
  }
  return { draw, layout, stepAt, lengthAt, unitAt }
}

/** The curve, thinned to one point for each half pixel. */
function curvePath(place, steps, lengthAt) {
  const points = []
  let drawn = -1
  for (let step = 0; step <= steps; step++) {
    const x = place.x(step)
    if (step < steps && x - drawn < 0.5) continue
    points.push(`${x.toFixed(1)} ${place.y(lengthAt(step)).toFixed(1)}`)
    drawn = x
  }
  return `M${points.join("L")}`
}

function drawAxis(axis, place, steps, ground) {
  const marks = [0]
  for (let power = 1; power < steps; power *= 10) marks.push(power, 3 * power)
  const shown = steps ? [steps] : []
  const room = (step) => grouped(step).length * place.em * 0.55 + 14
  for (const step of marks.filter((mark) => mark < steps || !steps).reverse()) {
    const next = shown[0]
    if (next === undefined || place.x(next) - place.x(step) > (room(next) + room(step)) / 2 + (next === steps ? room(next) / 2 : 0)) {
      shown.unshift(step)
    }
  }
  axis.replaceChildren(
    makeSvg("line", { x1: place.left, x2: place.right, y1: ground, y2: ground }),
    ...shown.map((step) => {
      const anchor = step === 0 ? "start" : step === steps ? "end" : "middle"
      return makeSvg("text", { x: place.x(step), y: ground + place.em * 1.35 + 3, "text-anchor": anchor }, grouped(step))
    }),
  )
}
