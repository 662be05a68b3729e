const STRIPS = new Map() // root element -> strip
const LIVE_DELAY = 400
const SCROLL_FROM = 8000 // UTF-16 units: longer texts scroll in a box of their own, so that the page below stays in reach

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".tg")
  if (!STRIPS.has(root)) STRIPS.set(root, createStrip(root, parentElement))
  const strip = STRIPS.get(root)
  const call = strip.update(data, setStateValue)
  // A call that was overtaken by a later one must not take the strip down.
  return () => {
    if (strip.dispose(call)) STRIPS.delete(root)
  }
}

function createStrip(root, shadow) {
  const box = make("div", "box")
  const readout = make("div", "read")
  const live = make("div", "live")
  const ids = make("div", "ids")
  root.replaceChildren(box, readout, live, ids)
  box.tabIndex = 0
  box.setAttribute("role", "application")
  box.setAttribute("aria-roledescription", "token strip")
  live.setAttribute("aria-live", "polite")

  let data = null
  let model = null
  let setStateValue = null
  let calls = 0
  let hover = null // view pointed at or walked to
  let pin = null // view selected
  let walking = false
  let timer = 0
  let lit = [] // elements with a ring
  let pointer = {}

  const isSelecting = () => !(shadow.getSelection?.() ?? document.getSelection()).isCollapsed
  const linesOf = (block) => Array.from(block.children)
  const drawnLines = () => Array.from(box.children).flatMap(linesOf)
  const blocks = virtualBlocks(box, {
    margin: 500,
    height: (i) => blockRows(model, i, Math.max(8, box.clientWidth / (fontSize() * 0.6))) * fontSize() * (isLarge() ? 1.65 : 1.9),
    draw(i, block) {
      drawLines(model, ...model.blocks[i], block)
      ring(linesOf(block))
    },
    keeps: isSelecting,
  })
  const isLarge = () => data.size === "large"
  const fontSize = () => (isLarge() ? 36 : innerWidth <= 640 ? 18 : 22)

  function ring(lines) {
    lit.push(...ringCells(lines, pin, "tg-pin"), ...ringCells(lines, hover, "tg-hot"))
  }

  /** Show hover and pin in the strip, the readout and the ids. */
  function show() {
    for (const el of lit) el.classList.remove("tg-hot", "tg-pin")
    lit = []
    ring(drawnLines())
    if (data.readout) drawReadout(readout, model, pin && !walking ? { ...pin, pinned: true } : hover)
    const { first, last } = hover ?? pin ?? { first: 0, last: -1 }
    list.light(first, last)
  }

  /** Tell every strip of the group, this one included, where the reader points ("hover") or what was chosen ("select"). */
  function tell(kind, view) {
    const range = view ? { start: view.start, stop: view.stop } : { start: null, stop: null }
    document.dispatchEvent(new CustomEvent(SPAN_EVENT, { detail: { group: data.group, kind, ...range, from: root, view } }))
  }

  function onSpan({ detail }) {
    const { group, kind, start, stop, from, view } = detail
    if (!model || group !== data.group) return
    const mine = from === root
    const seen = start === null ? null : mine ? view : viewOfBytes(model, start, stop)
    if (kind === "select") {
      pin = seen
      setStateValue("selected", start === null ? null : [start, stop])
    } else hover = seen
    if (!mine) walking = false
    show()
    if (!mine && seen && (detail.reveal || box.matches("[data-scrolls]"))) {
      const el = reveal(seen.start)
      if (detail.reveal) el?.scrollIntoView({ block: "nearest" })
      detail.reveal = false // the first strip of the page is brought into view; the others follow
    }
    if (mine) speakLater()
  }

  function point(view) {
    if (!sameView(view, hover)) tell("hover", view)
  }

  function pick(view) {
    const again = pin && view && pin.start === view.start && pin.stop === view.stop
    walking = false
    tell("select", again ? null : view)
  }

  function speakLater() {
    clearTimeout(timer)
    timer = setTimeout(() => (live.textContent = spoken(readout, model, pin && !walking ? pin : hover)), LIVE_DELAY)
  }

  /** Draw and scroll to the cell of a byte; give its element. */
  function reveal(byte) {
    const line = model.lineAt(byte)
    const i = model.blockOf(line)
    blocks.need(i)
    const lineEl = box.children[i]?.children[line - model.blocks[i][0]]
    const el = lineEl?.tgCells.find((cell) => cell.stop > byte)?.el
    if (!el) return
    if (box.matches("[data-scrolls]")) {
      const [outer, inner] = [box.getBoundingClientRect(), el.getBoundingClientRect()]
      if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - box.clientHeight / 3
    }
    return el
  }

  function walkTo(view) {
    if (!view) return
    walking = true
    const el = reveal(view.start)
    point(view)
    el?.scrollIntoView({ block: "nearest" })
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const here = hover ?? pin
    const cell = here && reveal(here.start)
    const forward = cell && getComputedStyle(cell).direction === "rtl" ? -1 : 1
    const row = (step) => {
      const next = cell ? cellInNextRow(drawnLines(), cell, step) : null
      walkTo(next && viewOfCell(model, next))
    }
    const keys = {
      ArrowRight: () => walkTo(stepFrom(model, here, forward, event.shiftKey)),
      ArrowLeft: () => walkTo(stepFrom(model, here, -forward, event.shiftKey)),
      ArrowDown: () => row(1),
      ArrowUp: () => row(-1),
      Home: () => walkTo(model.count ? viewOfToken(model, 0) : null),
      End: () => walkTo(model.count ? viewOfToken(model, model.count - 1) : null),
      Enter: () => here && pick(here),
      " ": () => here && pick(here),
      Escape: () => free(),
    }
    if (!keys[event.key]) return
    event.preventDefault()
    keys[event.key]()
  }

  function free() {
    walking = false
    if (hover) tell("hover", null)
    if (pin) tell("select", null)
  }

  const list = idList(ids, {
    onPoint: (k) => point(k === undefined ? null : viewOfToken(model, k)),
    onPick: (k) => pick(viewOfToken(model, k)),
  })
  // A step by key can scroll another token under a pointer that rests: that is no pointing.
  const rests = ({ clientX, clientY }) => {
    const same = walking && clientX === pointer.clientX && clientY === pointer.clientY
    pointer = { clientX, clientY }
    return same
  }
  box.addEventListener("pointerover", (event) => {
    if (rests(event)) return
    walking = false
    const cell = cellOf(event)
    point(cell && viewOfCell(model, cell))
  })
  box.addEventListener("pointermove", ({ clientX, clientY }) => (pointer = { clientX, clientY }))
  box.addEventListener("pointerleave", (event) => rests(event) || point(null))
  box.addEventListener("click", (event) => {
    if (isSelecting()) return
    const cell = cellOf(event)
    const view = cell && viewOfCell(model, cell)
    if (view) pick(view)
    else if (pin) pick(null)
  })
  box.addEventListener("keydown", onKey)
  for (const part of [ids, readout]) part.addEventListener("keydown", (event) => event.key === "Escape" && free())
  box.addEventListener("focus", () => {
    if (box.matches(":focus-visible") && !hover) walkTo(pin ?? stepFrom(model, null, 1, false))
  })
  box.addEventListener("blur", () => {
    if (walking) point(null)
    walking = false
  })
  box.addEventListener("copy", (event) => copySelection(event, shadow, data.text))
  document.addEventListener(SPAN_EVENT, onSpan)

  return {
    chosen: (group) => (group === data.group ? pin : null),
    update(next, setter) {
      const began = performance.now()
      const first = data === null
      const sameText = data?.text === next.text
      const sameSize = data?.size === next.size
      data = next
      setStateValue = setter
      model = buildModel(data)
      root.classList.toggle("tg-nomarks", !data.marks)
      root.dataset.size = data.size
      readout.hidden = !data.readout
      ids.hidden = !data.ids
      if (!sameSize) list.fold(innerWidth <= 640 || isLarge())
      box.toggleAttribute("data-scrolls", data.text.length > SCROLL_FROM)
      box.setAttribute("aria-label", `Tokens of ${data.name}. Arrow keys walk the tokens, with Shift the bytes; Enter keeps one, Escape frees it.`)
      if (first) for (const strip of STRIPS.values()) pin ??= strip === this ? null : strip.chosen(data.group)
      hover = sameText ? viewAgain(model, hover) : null
      pin = viewAgain(model, pin)
      if (data.ids) list.show(model)
      blocks.show(model.blocks.length)
      show()
      performance.measure("token_strip update", { start: began, detail: { tokens: model.count } })
      return ++calls
    },
    dispose(call) {
      if (call !== calls) return false
      document.removeEventListener(SPAN_EVENT, onSpan)
      clearTimeout(timer)
      blocks.dispose()
      list.dispose()
      return true
    },
  }
}
