// The parts of the player in page order: what is looked at stands above what it is steered with.

const NO_PASSAGE = "The passage is empty. Type or paste a text to see where its tokens come from."

/** Build every part for a trace; `hands` has act(name), scrub(step) and textbook(). */
function buildParts(frame, trace, data, hands) {
  const stage = makeElement("div", "mp-passage")
  const transportRow = makeElement("div", "mp-transport")
  const plot = makeElement("div", "mp-scrub")
  const caption = makeElement("p", "mp-caption mp-secondary", "step, log scale; each tick is a merge that touches this passage")
  const columns = ["mp-step", "mp-rivals", "mp-vocabulary"].map((name) => makeElement("div", name))
  const below = makeElement("div", "mp-columns", ...columns)
  const stopped = data.exhausted ? [makeElement("p", "mp-stopped", data.exhausted)] : []
  frame.replaceChildren(stage, transportRow, ...stopped, plot, caption, below)
  if (!trace.bytes.length) stage.replaceChildren(makeElement("p", "mp-secondary", NO_PASSAGE))
  const curve = createCurve(plot, trace, data)
  makeSlider(plot, trace.steps, (place) => hands.scrub(curve.stepAt(place)))
  return {
    plot,
    curve,
    passage: trace.bytes.length ? createPassage(stage, trace, data.passage) : null,
    transport: createTransport(transportRow, hands.act),
    card: createStepCard(columns[0], data, hands.textbook),
    rivals: createRivals(columns[1], data),
    vocabulary: createVocabulary(columns[2], data),
  }
}

/** Make the plot a slider: the keys are the player's, the pointer scrubs to a place on the screen. */
function makeSlider(plot, steps, scrubTo) {
  plot.tabIndex = 0
  setAttributes(plot, { role: "slider", "aria-label": "Step", "aria-valuemin": 0, "aria-valuemax": steps, "aria-valuenow": 0 })
  let held = false
  const move = (event) => {
    if (held) scrubTo(event.clientX)
  }
  plot.onpointerdown = (event) => {
    if (event.button) return
    held = true
    plot.setPointerCapture(event.pointerId)
    move(event)
  }
  plot.onpointermove = move
  plot.onpointerup = plot.onpointercancel = plot.onlostpointercapture = () => {
    held = false
  }
}
