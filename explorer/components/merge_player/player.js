// The player: one clock, one step, and what is drawn is a function of that step.

/** Above this many steps a second the eye sees no single merge: no ring, no fade, repaint only. */
const EYE_LIMIT = 30
/** Above this many no one reads the step card: the words follow ten times a second, and are exact at rest. */
const READ_LIMIT = 10
const WORDS_MS = 100
const REST_MS = 300
/** A tab in the background has no frames: on return it goes on from where it was. */
const LONGEST_FRAME_MS = 250

/** Build a player in `host`. `update(data, channel)` takes new data; `end()` lets go of it. */
function createPlayer(host) {
  const still = matchMedia("(prefers-reduced-motion: reduce)")
  const frame = makeElement("section", "mp")
  frame.tabIndex = -1
  frame.setAttribute("aria-label", "Merge player")
  host.replaceChildren(frame)
  let data = null
  let trace = null
  let parts = null
  let send = null
  let step = 0
  let word = 0
  let reported = null
  let clock = 0
  let position = 0
  let lastTime = 0
  let restTimer = 0
  let wordsDrawn = 0

  /** Draw a step. `from` is the step drawn before in play: every merge in between is new to the eye. */
  const draw = (to, { moves = false, from = to - 1 } = {}) => {
    step = to
    const at = trace.frameAt(to)
    const playing = clock !== 0
    const smooth = moves && !still.matches
    parts.plot.classList.toggle("mp-moves", smooth)
    if (parts.passage) {
      parts.passage.draw(at, { moves: smooth })
      const before = trace.frameAt(Math.min(from, to - 1))
      if (!playing || smooth) parts.passage.ring(to > 0 && before < at ? newTokens(trace, before, at) : [], { fades: playing })
    }
    parts.curve.draw(to)
    parts.transport.draw(to, at, trace)
    const now = performance.now()
    if (playing && parts.transport.speed() > READ_LIMIT && now - wordsDrawn < WORDS_MS) return
    wordsDrawn = now
    parts.card(to)
    parts.rivals(to, data.rivals)
    parts.vocabulary.draw(to)
    parts.word(word, to, data.match)
    if (!playing) describe()
  }

  const describe = () => {
    const words = `${wordsFor(data).step} ${grouped(step)} of ${grouped(trace.steps)}: ${grouped(parts.curve.lengthAt(step))} ${parts.curve.unitAt(step)} in the corpus`
    setAttributes(parts.plot, { "aria-valuemax": trace.steps, "aria-valuenow": step, "aria-valuetext": words })
  }

  /** Tell the server where the player rests, once it has rested. */
  const rest = () => {
    clearTimeout(restTimer)
    restTimer = setTimeout(() => {
      if (clock || step === reported || !frame.isConnected) return
      reported = step
      send.state("step", step)
    }, REST_MS)
  }

  const go = (to, { moves = true } = {}) => {
    pause()
    const target = Math.max(0, Math.min(trace.steps, to))
    if (target === step) return
    draw(target, { moves })
    rest()
  }
  const toEvent = (direction) => {
    const at = trace.frameAt(step)
    if (direction > 0) return trace.events[at] ?? trace.steps
    return trace.events[at - 1] === step ? (trace.events[at - 2] ?? 0) : (trace.events[at - 1] ?? 0)
  }

  const tick = (time) => {
    if (!frame.isConnected) return stop()
    position = Math.min(trace.steps, position + (Math.min(LONGEST_FRAME_MS, time - lastTime) / 1000) * parts.transport.speed())
    lastTime = time
    const to = Math.floor(position + 1e-9)
    if (to !== step) draw(to, { moves: parts.transport.speed() <= EYE_LIMIT, from: step })
    if (to >= trace.steps) pause()
    else clock = requestAnimationFrame(tick)
  }
  const play = () => {
    if (clock || !trace.steps) return
    clearTimeout(restTimer)
    parts.passage?.ring([], { fades: false })
    clock = requestAnimationFrame((time) => {
      lastTime = time
      clock = requestAnimationFrame(tick)
    })
    if (step >= trace.steps) draw(0)
    position = step
    parts.transport.playing(true)
  }
  const stop = () => {
    cancelAnimationFrame(clock)
    clearTimeout(restTimer)
    clock = 0
  }
  const pause = () => {
    if (!clock) return
    stop()
    parts.transport.playing(false)
    draw(step, { moves: true })
    rest()
  }

  const acts = {
    first: () => go(0),
    back: () => go(toEvent(-1)),
    play: () => (clock ? pause() : play()),
    forward: () => go(toEvent(1)),
    last: () => go(trace.steps),
    less: () => go(step - 1),
    more: () => go(step + 1),
  }

  frame.onkeydown = (event) => {
    const act = actOf(event, parts.plot)
    if (!act) return
    event.preventDefault()
    acts[act]()
  }

  /** Look at another word of the passage; the server tells of it. */
  const choose = (index) => {
    if (index === word) return
    word = index
    parts.passage?.choose(word)
    parts.word(word, step, data.match)
    send.state("word", word)
  }

  const build = () => {
    parts = buildParts(frame, trace, data, {
      act: (name) => acts[name](),
      scrub: (to) => go(to, { moves: false }),
      word: choose,
      textbook: () => send.trigger("textbook", true),
      flip: () => send.trigger("flipped", true),
    })
  }
  /** Write pieces as text or in the letters of bytes. */
  const rewrite = () => {
    if (parts.letters.ariaChecked === String(data.letters.on)) return
    parts.letters.ariaChecked = String(data.letters.on)
    parts.card(step)
    parts.vocabulary.rewrite(step)
  }
  const layout = () => {
    parts?.curve.layout()
    parts?.passage?.layout()
    parts?.vocabulary.layout()
  }
  let laidOut = ""
  new ResizeObserver(([{ contentRect }]) => {
    const now = `${contentRect.width} ${getComputedStyle(frame).fontSize}` // "Large" changes the font alone
    if (now === laidOut) return
    laidOut = now
    layout()
  }).observe(frame)
  // A font that arrives late moves the text below the rings without changing the size of the frame.
  document.fonts.addEventListener("loadingdone", layout)

  return {
    end() {
      stop()
      document.fonts.removeEventListener("loadingdone", layout)
    },
    update(next, channel) {
      send = channel
      const { now, step: first, word: chosen } = lasting(next)
      const { now: then } = lasting(data ?? {})
      if (data && sameData(now, then)) {
        Object.assign(data, next) // the parts hold on to this object
        rewrite()
        parts.rivals(step, data.rivals)
        parts.word(word, step, data.match)
        parts.passage?.recolor()
        return
      }
      const sameRun = data && sameData(next.columns, data.columns) && sameData(next.entries, data.entries)
      const speed = parts?.transport.speed()
      const wasPlaying = clock !== 0
      stop()
      data = next
      trace = readTrace(data)
      word = Math.max(0, Math.min((data.words?.length ?? 1) - 1, sameRun && word < (data.words?.length ?? 0) ? word : (chosen ?? 0)))
      if (!sameRun) step = Math.max(0, Math.min(trace.steps, first ?? 0))
      build()
      parts.passage?.choose(word)
      rewrite()
      if (speed) parts.transport.setSpeed(speed)
      draw(step)
      layout()
      if (reported === null) reported = step
      else if (sameRun && wasPlaying) play()
      else rest()
    },
  }
}

/** What of the data makes a picture of its own (`now`), beside what comes later or is only where to begin. */
function lasting({ rivals: _, match: __, letters: ___, step, word, ...now }) {
  return { now, step, word }
}

/** What a key asks for, or null where it belongs to the element that has the focus. */
function actOf(event, plot) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null
  const target = event.composedPath()[0]
  if (target.closest("select, input, textarea")) return null
  const { key, shiftKey: shift } = event
  if (key === "ArrowRight") return shift ? "more" : "forward"
  if (key === "ArrowLeft") return shift ? "less" : "back"
  if (target === plot && key === "ArrowUp") return "more"
  if (target === plot && key === "ArrowDown") return "less"
  if (target.closest(".mp-scroll, summary")) return null
  if (key === "Home") return "first"
  if (key === "End") return "last"
  return key === " " && !target.closest("button") ? "play" : null
}
