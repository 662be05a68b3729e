// The transport: buttons, speed, where we are.

const ICONS = {
  first: "M2 2h2v10H2zM12 2v10L5 7z",
  back: "M9 2v10L2 7z",
  play: "M3 2v10l8-5z",
  pause: "M3 2h3v10H3zM8 2h3v10H8z",
  forward: "M5 2v10l7-5z",
  last: "M10 2h2v10h-2zM2 2v10l7-5z",
}
const SPEEDS = [1, 3, 10, 30, 100, 300]

/** Build the row of buttons in the words of the algorithm. `act(name)` is called with first, back, play, forward or last. */
function createTransport(host, words, act) {
  const button = (name, label) => {
    const el = makeElement("button", `mp-button mp-${name}`, icon(name))
    el.type = "button"
    el.title = label
    el.setAttribute("aria-label", label)
    el.onclick = () => act(name)
    return el
  }
  const word = makeElement("span", "", "Play")
  const play = button("play", "Play (space)")
  play.removeAttribute("aria-label")
  play.append(word)
  const buttons = [
    button("first", words.first),
    button("back", words.back),
    play,
    button("forward", words.forward),
    button("last", words.last),
  ]
  const speed = makeElement("select", "mp-button", ...SPEEDS.map((each) => new Option(`${counted(each, words.step.toLowerCase())} a second`, each)))
  speed.setAttribute("aria-label", "Speed")
  speed.value = words.speed
  const chevron = makeSvg("svg", { viewBox: "0 0 10 6", class: "mp-chevron", "aria-hidden": "true" })
  chevron.append(makeSvg("path", { d: "M1 1l4 4 4-4" }))
  const step = makeElement("b")
  const total = makeElement("span", "mp-secondary")
  const where = makeElement("span", "mp-where", step, " ", total)
  const passage = makeElement("span", "mp-tally mp-secondary")
  host.append(makeElement("span", "mp-buttons", ...buttons), makeElement("span", "mp-speed", speed, chevron), where, passage)

  return {
    speed: () => Number(speed.value),
    setSpeed(steps) {
      speed.value = String(steps)
    },
    playing(on) {
      word.textContent = on ? "Pause" : "Play"
      play.title = on ? "Pause (space)" : "Play (space)"
      play.firstChild.replaceWith(icon(on ? "pause" : "play"))
    },
    draw(at, frame, trace) {
      step.textContent = `${words.step} ${grouped(at)}`
      total.textContent = `of ${grouped(trace.steps)}`
      for (const el of buttons) el.disabled = trace.steps === 0
      if (!trace.bytes.length) return
      const tokens = trace.tokens(frame).filter((token) => token.kind !== "gap").length
      passage.textContent = `${counted(tokens, "token")} in this passage · ${words.touch(frame, trace.events.length)}`
    },
  }
}

function icon(name) {
  return makeSvg("svg", { viewBox: "0 0 14 14", class: "mp-icon", "aria-hidden": "true" }, makeSvg("path", { d: ICONS[name] }))
}
