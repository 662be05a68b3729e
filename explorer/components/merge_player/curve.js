// Corpus length against step, the ticks of the steps that touch the passage, and the needle. The plot is the slider.
// The pictures are drawn once for each size; a step only moves layers, so no step costs a repaint of the curve.

/** Draw the plot into `host`; the result moves the needle (`draw`) and turns a place on the screen into a step (`stepAt`). */
function createCurve(host, trace, data) {
  const { steps, events } = trace
  const pictures = ["mp-ahead", "mp-behind"].map((name) => makeSvg("svg", { class: name }))
  const start = makeElement("span", "mp-start")
  const end = makeElement("span", "mp-end")
  // What lies behind the needle is seen through a window that slides; its picture slides back, so that it stands still.
  const held = makeElement("div", "mp-slide", pictures[1])
  const passed = makeElement("div", "mp-slide mp-passed", held)
  const stem = makeElement("div", "mp-stem")
  const dot = makeElement("div", "mp-dot")
  const value = makeElement("div", "mp-value")
  const needle = makeElement("div", "mp-slide mp-needle", stem, dot, value)
  const plot = makeElement("div", "mp-plot", pictures[0], passed, start, end, needle)
  plot.setAttribute("aria-hidden", "true")
  host.replaceChildren(plot)
  const place = {}
  const most = Math.max(data.initial_length, ...(isPruning(data) ? data.columns.length : []))
  const rises = most > data.initial_length
  plot.classList.toggle("mp-rises", rises)
  const widths = new Map()
  let last = 0

  const lengthAt = (step) => (step ? data.columns.length[step - 1] : data.initial_length)
  const unitAt = (step) => (step ? "tokens" : data.initial_unit)

  const draw = (step) => {
    last = step
    if (!place.width) return
    const x = place.x(step)
    const y = place.y(lengthAt(step))
    const hidden = place.width - x - 0.75
    needle.style.transform = `translateX(${x}px)`
    passed.style.transform = `translateX(${-hidden}px)`
    held.style.transform = `translateX(${hidden}px)`
    dot.style.transform = value.style.transform = `translateY(${y}px)`
    label(step, x)
  }

  // Numerals are tabular, so texts of equal length are equally wide: measuring again would cost a layout each frame.
  const widthOf = (el) => {
    const key = `${el.className} ${el.textContent.length}`
    if (!widths.has(key)) widths.set(key, el.offsetWidth)
    return widths.get(key)
  }

  const label = (step, x) => {
    value.textContent = `${grouped(lengthAt(step))} ${unitAt(step)} in the ${data.ranks ? "passage" : "corpus"}`
    const wide = widthOf(value)
    const flips = x + 12 + wide > place.width
    value.classList.toggle("mp-flips", flips)
    const from = flips ? x - wide - 16 : x
    const to = flips ? x : x + wide + 20
    start.style.visibility = step === 0 || from < place.left + widthOf(start) ? "hidden" : ""
    end.style.visibility = step === steps || to > place.right - widthOf(end) ? "hidden" : ""
  }

  const layout = () => {
    const width = Math.round(host.clientWidth)
    if (!width) return
    const em = parseFloat(getComputedStyle(plot).fontSize)
    Object.assign(place, scales(width, em, steps, most, isPruning(data)))
    widths.clear()
    plot.style.height = `${place.height}px`
    stem.style.top = `${Math.max(1, place.top - 16)}px`
    stem.style.height = `${place.ground - Math.max(1, place.top - 16) + 8}px`
    const curve = curvePath(place, steps, lengthAt)
    const ticks = events.map((step) => `M${place.x(step).toFixed(1)} ${place.ground - 20.5}v16`).join("")
    for (const picture of pictures) {
      setAttributes(picture, { width, height: place.height })
      picture.replaceChildren(makeSvg("path", { class: "mp-curve", d: curve }), makeSvg("path", { class: "mp-ticks", d: ticks }))
    }
    pictures[0].prepend(drawAxis(place, steps, isPruning(data)))
    start.textContent = wordsFor(data).start(data.initial_length, data.initial_unit)
    start.style.top = `${place.y(data.initial_length) + (rises ? 4 : -em * 1.5 - 2)}px`
    end.textContent = `${grouped(lengthAt(steps))} at the end`
    // The words clear the curve where they begin, and where it ends.
    const begins = Math.max(0, place.step(place.right - widthOf(end)))
    end.style.top = `${Math.min(place.y(lengthAt(begins)), place.y(lengthAt(steps))) - em * 1.5 - 2}px`
    draw(last)
  }

  const stepAt = (clientX) => {
    const x = clientX - plot.getBoundingClientRect().left
    return Math.max(0, Math.min(steps, place.step?.(x) ?? 0))
  }
  return { draw, layout, stepAt, lengthAt, unitAt }
}

/** Where things stand on a plot of `width` pixels with letters of `em` pixels: the step axis is log(1 + step), or even. */
function scales(width, em, steps, most, even) {
  const left = 14
  const right = width - left
  const top = Math.round(em * 2)
  const bottom = top + 80
  const ground = bottom + 30.5
  const along = even ? (step) => step : (step) => Math.log(1 + step)
  const back = even ? (place) => place : (place) => Math.exp(place) - 1
  const scale = steps ? (right - left) / along(steps) : 0
  return {
    width, em, left, right, top, ground,
    height: Math.round(ground + em * 1.6 + 3),
    x: (step) => left + scale * along(step),
    y: (length) => bottom - (80 * length) / Math.max(1, most),
    step: (x) => (scale ? Math.round(back((x - left) / scale)) : 0),
  }
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

/** The axis with the marks 0, 1, 3, 10, 30 ... (or each step, where `all`) and the last step, as far as there is room. */
function drawAxis(place, steps, all) {
  const marks = [0]
  if (all) for (let step = 1; step < steps; step++) marks.push(step)
  else for (let power = 1; power < steps; power *= 10) marks.push(power, 3 * power)
  const room = (step) => grouped(step).length * place.em * 0.55 + 14
  const shown = steps ? [steps] : []
  for (const step of marks.filter((mark) => mark < steps || !steps).reverse()) {
    const next = shown[0]
    const needs = next === undefined ? 0 : (room(next) + room(step)) / 2 + (next === steps ? room(next) / 2 : 0)
    if (next === undefined || place.x(next) - place.x(step) > needs) shown.unshift(step)
  }
  return makeSvg(
    "g",
    { class: "mp-axis" },
    makeSvg("line", { x1: place.left, x2: place.right, y1: place.ground, y2: place.ground }),
    ...shown.map((step) => {
      const anchor = step === 0 ? "start" : step === steps ? "end" : "middle"
      return makeSvg("text", { x: place.x(step), y: place.ground + place.em * 1.35 + 3, "text-anchor": anchor }, grouped(step))
    }),
  )
}
