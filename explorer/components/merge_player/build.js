// The parts of the player in page order: what is looked at stands above what it is steered with.

const NO_PASSAGE = "The passage is empty. Type or paste a text to see where its tokens come from."

/** Build every part for a trace; `hands` has act(name), scrub(step), word(index), textbook() and flip(). */
function buildParts(frame, trace, data, hands) {
  const stage = makeElement("div", "mp-passage")
  const transportRow = makeElement("div", "mp-transport")
  const plot = makeElement("div", "mp-scrub")
  const caption = makeElement("p", "mp-caption mp-secondary", wordsFor(data).caption)
  const letters = makeSwitch(data.letters.label, data.letters.help, hands.flip)
  letters.classList.add("mp-letters")
  const words = makeElement("div", "mp-words")
  words.hidden = !data.words?.length
  const columns = ["mp-step", "mp-rivals", "mp-vocabulary"].map((name) => makeElement("div", name))
  const below = makeElement("div", "mp-columns", ...columns)
  const stopped = data.exhausted ? [makeElement("p", "mp-stopped", data.exhausted)] : []
  frame.replaceChildren(stage, transportRow, ...stopped, plot, makeElement("div", "mp-below", caption, letters), words, below)
  frame.classList.toggle("mp-prunes", isPruning(data))
  frame.classList.toggle("mp-ranked", Boolean(data.ranks))
  if (!trace.bytes.length) stage.replaceChildren(makeElement("p", "mp-secondary", NO_PASSAGE))
  const curve = createCurve(plot, trace, data)
  makeSlider(plot, trace.steps, wordsFor(data).step, (place) => hands.scrub(curve.stepAt(place)))
  return {
    plot,
    curve,
    letters,
    passage: trace.bytes.length ? createPassage(stage, trace, data, hands.word) : null,
    transport: createTransport(transportRow, wordsFor(data), hands.act),
    word: data.words?.length ? createWordRow(words, data, hands.word) : () => {},
    ...(isPruning(data) ? pruningParts(columns, data, hands) : mergingParts(columns, data, hands)),
  }
}

function mergingParts(columns, data, hands) {
  return {
    card: createStepCard(columns[0], data, hands.textbook),
    rivals: data.ranks ? () => {} : createRivals(columns[1], data),
    vocabulary: createVocabulary(columns[2], data),
  }
}

function pruningParts(columns, data, hands) {
  const first = (round) => data.rounds[round]
  const stays = createPieceTable(columns[2], data, "Likeliest to stay", "", "probability", (round) => first(round).stay)
  return {
    card: createRoundCard(columns[0], data, hands.textbook),
    rivals: createPieceTable(columns[1], data, "First to go", "whose loss was least", "loss, nats", (round) => first(round).go),
    vocabulary: { draw: stays, rewrite: stays, layout() {} },
  }
}

/** Make the plot a slider: the keys are the player's, the pointer scrubs to a place on the screen. */
function makeSlider(plot, steps, name, scrubTo) {
  plot.tabIndex = 0
  setAttributes(plot, { role: "slider", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": steps, "aria-valuenow": 0 })
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
