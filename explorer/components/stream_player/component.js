const PART_MS = 700
const MOST_ROWS = 400
const LINES = [
  ["alone", "Each part alone, Python and JavaScript", "one � for each broken run of bytes"],
  ["each", "Each part alone, Go", "one � for each broken byte"],
  ["given", "Buffered: StreamDecoder", "whole characters only; the rest waits"],
]

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".tg-stream-player")
  const state = (root.state ??= { at: 0, timer: null })
  const said = JSON.stringify(data)
  if (state.said === said) return () => clearInterval(state.timer)
  const focused = root.getRootNode().activeElement?.dataset.cut
  const sameBytes = state.hex === data.parts.map((part) => part.hex).join("")
  state.said = said
  state.hex = data.parts.map((part) => part.hex).join("")
  clearInterval(state.timer)
  state.timer = null
  if (!sameBytes) state.at = data.parts.length
  state.at = Math.min(state.at, data.parts.length)

  const bytes = drawBytes(data, (cuts) => setStateValue("cuts", cuts))
  const transport = drawTransport(act)
  const lines = drawLines()
  const table = drawTable(data)
  root.className = "tg tg-stream-player sp"
  root.toggleAttribute("data-large", data.large)
  root.replaceChildren(bytes.el, transport.el, lines.el, table.el)
  if (focused !== undefined) bytes.el.querySelector(`[data-cut="${focused}"]`)?.focus()
  go(state.at)

  function go(at) {
    state.at = Math.max(0, Math.min(at, data.parts.length))
    bytes.draw(state.at)
    transport.draw(state.at, data, state.timer !== null)
    lines.draw(state.at, data)
    table.draw(state.at)
  }
  function act(name) {
    const last = data.parts.length
    if (name === "play" && state.timer === null) {
      if (state.at >= last) state.at = 0
      state.timer = setInterval(() => {
        if (state.at + 1 >= last) pause()
        go(state.at + 1)
      }, PART_MS)
      go(state.at)
      return
    }
    pause()
    go({ first: 0, back: state.at - 1, play: state.at, forward: state.at + 1, last }[name])
  }
  function pause() {
    clearInterval(state.timer)
    state.timer = null
  }
  root.onkeydown = (event) => {
    if (event.target.dataset.cut !== undefined) return
    const name = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last" }[event.key]
    if (!name && !(event.key === " " && event.target.tagName !== "BUTTON")) return
    event.preventDefault()
    act(name ?? "play")
  }
  return () => clearInterval(state.timer)
}

function make(tag, className = "", ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

// The bytes of all parts, with a handle between two parts. `move` is told the new cuts.
function drawBytes(data, move) {
  const parts = data.parts.map((part) => hexBytes(part.hex))
  const cuts = []
  let total = 0
  for (const part of parts) cuts.push((total += part.length))
  cuts.pop()
  const el = make("div", "sp-bytes")
  el.setAttribute("role", "group")
  el.setAttribute("aria-label", "Bytes of the stream, part by part")
  const slots = assignSlots(parts.map(slotOf), parts.map((part) => part.length))
  const boxes = parts.map((part, i) => {
    const cells = make("div", "sp-cells", ...Array.from(part, (byte) => make("span", "sp-byte", toHex([byte]))))
    const box = make("div", "sp-part", cells, make("span", "sp-label", data.parts[i].label))
    box.dataset.s = slots[i]
    el.append(box)
    if (i < cuts.length) el.append(handle(i))
    return box
  })
  const moved = (i, to) => {
    const least = i ? cuts[i - 1] + 1 : 1
    const most = (i + 1 < cuts.length ? cuts[i + 1] : total) - 1
    const place = Math.max(least, Math.min(to, most))
    if (place !== cuts[i]) move(cuts.map((cut, j) => (j === i ? place : cut)))
  }
  function handle(i) {
    const cut = make("span", "sp-cut")
    if (!data.movable) return cut
    cut.tabIndex = 0
    cut.dataset.cut = i
    cut.setAttribute("role", "slider")
    cut.setAttribute("aria-label", `Cut ${i + 1}`)
    cut.setAttribute("aria-valuemin", i ? cuts[i - 1] + 1 : 1)
    cut.setAttribute("aria-valuemax", (i + 1 < cuts.length ? cuts[i + 1] : total) - 1)
    cut.setAttribute("aria-valuenow", cuts[i])
    cut.setAttribute("aria-valuetext", `before byte ${cuts[i]}`)
    cut.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
      if (!by) return
      event.preventDefault()
      moved(i, cuts[i] + by)
    }
    cut.onpointerdown = (event) => {
      cut.setPointerCapture(event.pointerId)
      cut.onpointermove = (at) => {
        const width = el.querySelector(".sp-byte").getBoundingClientRect().width
        const by = Math.round((at.clientX - event.clientX) / width)
        cut.style.transform = `translateX(${by * width}px)`
        cut.to = cuts[i] + by
      }
    }
    cut.onpointerup = () => {
      cut.onpointermove = null
      cut.style.transform = ""
      if (cut.to !== undefined) moved(i, cut.to)
      cut.to = undefined
    }
    return cut
  }
  return {
    el,
    draw(at) {
      boxes.forEach((box, i) => {
        box.toggleAttribute("data-coming", i >= at)
        box.toggleAttribute("data-now", i === at - 1)
      })
    },
  }
}

function drawTransport(act) {
  const button = (name, text, label) => {
    const el = make("button", `sp-button sp-${name}`, text)
    el.type = "button"
    el.setAttribute("aria-label", label)
    el.onclick = () => act(name)
    return el
  }
  const play = button("play", "Play", "Play")
  const first = button("first", sign("M2 2h2v10H2zM12 2v10L5 7z"), "Before the first part")
  const back = button("back", sign("M9 2v10L2 7z"), "One part back")
  const forward = button("forward", sign("M5 2v10l7-5z"), "The next part")
  const last = button("last", sign("M10 2h2v10h-2zM2 2v10l7-5z"), "All parts")
  const where = make("span", "sp-where")
  where.setAttribute("aria-live", "polite")
  return {
    el: make("div", "sp-transport", first, back, play, forward, last, where),
    draw(at, data, playing) {
      const total = data.parts.length
      play.textContent = playing ? "Pause" : "Play"
      play.setAttribute("aria-label", playing ? "Pause" : "Play")
      for (const el of [play, first, back, forward, last]) el.disabled = !total
      const end = at === total && total ? (data.stopped === null ? ", and the end" : "") : ""
      where.replaceChildren(make("b", "", `${at.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`), ` parts have come${end}`)
      if (data.stopped !== null && at > data.stopped) where.append(make("span", "sp-secondary", ` · a stop string ended the text with part ${data.stopped + 1}`))
    },
  }
}

function sign(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("viewBox", "0 0 14 14")
  svg.setAttribute("class", "sp-sign")
  svg.setAttribute("aria-hidden", "true")
  svg.append(document.createElementNS(svg.namespaceURI, "path"))
  svg.firstChild.setAttribute("d", path)
  return svg
}

function drawLines() {
  const shown = LINES.map(() => make("dd", "sp-shown"))
  const el = make("dl", "sp-lines")
  LINES.forEach(([, name, rule], i) => el.append(make("dt", "", name, make("small", "", rule)), shown[i]))
  return {
    el,
    draw(at, data) {
      LINES.forEach(([way], i) => {
        const line = shown[i]
        line.replaceChildren()
        const buffered = way === "given"
        data.parts.slice(0, at).forEach((part, j) => line.append(...marked(part[way], !buffered, j === at - 1)))
        if (!buffered) return
        if (at === data.parts.length) line.append(...marked(data.end, false, true))
        const waiting = at ? data.parts[at - 1].waiting : ""
        if (waiting && at < data.parts.length) line.append(make("span", "sp-waits", `${toHex(hexBytes(waiting))} waits`))
      })
    },
  }
}

// Text in which what decoding broke stands out; a U+FFFD of the buffered way is what the bytes really are.
function* marked(text, broken, fresh) {
  for (const piece of text.split(/(\ufffd+)/)) {
    if (!piece) continue
    const wrong = broken && piece.startsWith("\ufffd")
    const names = [wrong ? "sp-wrong" : "", fresh ? "sp-new" : ""].filter(Boolean).join(" ")
    yield names ? make("span", names, piece) : piece
  }
}

function drawTable(data) {
  const heads = ["part", "token", "bytes", "alone: Python", "alone: Go", "buffered", "waits"]
  const head = make("tr", "", ...heads.map((text) => make("th", "", text)))
  const rows = data.parts.slice(0, MOST_ROWS).map((part, i) =>
    make(
      "tr",
      "",
      make("td", "", String(i + 1)),
      make("td", "sp-mono", part.label),
      make("td", "sp-mono", toHex(hexBytes(part.hex))),
      make("td", "sp-shown", ...marked(part.alone, true, false)),
      make("td", "sp-shown", ...marked(part.each, true, false)),
      make("td", "sp-shown", ...marked(part.given, false, false)),
      make("td", "sp-mono sp-secondary", part.waiting ? toHex(hexBytes(part.waiting)) : ""),
    ),
  )
  const scroll = make("div", "sp-scroll", make("table", "sp-table", make("thead", "", head), make("tbody", "", ...rows)))
  scroll.tabIndex = 0
  scroll.setAttribute("role", "region")
  scroll.setAttribute("aria-label", "All parts as a table")
  const more = data.parts.length - rows.length
  const el = make("div", "", make("h2", "", "Part by part"), sidewaysSign(scroll), scroll)
  if (more > 0) el.append(make("p", "sp-secondary", `and ${more.toLocaleString("en-US")} more parts`))
  let now = null
  return {
    el,
    draw(at) {
      now?.removeAttribute("data-now")
      now = rows[at - 1] ?? null
      now?.setAttribute("data-now", "")
      if (now && scroll.scrollHeight > scroll.clientHeight) scroll.scrollTop = now.offsetTop - scroll.clientHeight / 2
    },
  }
}
