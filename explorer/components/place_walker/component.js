const SPANS = "tokenglass:span"
const WALKERS = new Map() // root element -> walker

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg")
  if (!WALKERS.has(root)) WALKERS.set(root, createWalker(root))
  const walker = WALKERS.get(root)
  const call = walker.update(data)
  return () => {
    if (walker.dispose(call)) WALKERS.delete(root)
  }
}

function createWalker(root) {
  const make = (tag, className, ...children) => {
    const el = document.createElement(tag)
    el.className = className
    el.append(...children)
    return el
  }
  const button = (word, key, step) => {
    const el = make("button", "", word, make("kbd", "", key))
    el.type = "button"
    el.setAttribute("aria-keyshortcuts", key)
    el.onclick = () => go(step)
    return el
  }
  let data = null
  let calls = 0
  let chosen = null // the span chosen in the strips
  const summary = make("span", "summary")
  const buttons = [button("Previous", "P", -1), button("Next", "N", 1)]
  const where = make("span", "where")
  where.setAttribute("aria-live", "polite")
  root.replaceChildren(summary, make("span", "buttons", ...buttons), where)

  const place = () => (chosen ? data.places.findIndex(([start, stop]) => start === chosen[0] && stop === chosen[1]) : -1)

  function tell(kind, span) {
    const [start, stop] = span ?? [null, null]
    document.dispatchEvent(new CustomEvent(SPANS, { detail: { group: data.group, kind, start, stop, from: root, view: null, reveal: true } }))
  }

  /** Go to the next place behind what is chosen, or the one before it; past an end, on from the other. */
  function go(step) {
    const { places } = data
    if (!places.length) return
    const [start, stop] = chosen ?? [0, 0]
    const behind = places.findIndex((each) => (chosen ? each[0] >= stop : true))
    const before = places.findLastIndex((each) => each[1] <= start)
    const next = step > 0 ? (behind < 0 ? 0 : behind) : before < 0 ? places.length - 1 : before
    tell("hover", null)
    tell("select", places[next])
  }

  function onSpan({ detail: { group, kind, start, stop } }) {
    if (group !== data.group || kind !== "select") return
    chosen = start === null ? null : [start, stop]
    show()
  }

  /** N and P where the strips or these buttons have the focus, never where somebody types. */
  function onKey(event) {
    const step = { n: 1, p: -1 }[event.key.toLowerCase()]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    const path = event.composedPath()
    if (!path.includes(root) && !path.some((el) => el.classList?.contains("tg-token-strip"))) return
    event.preventDefault()
    go(step)
  }

  function show() {
    const at = place()
    summary.textContent = data.summary
    root.toggleAttribute("data-large", data.large)
    buttons.forEach((el, i) => {
      el.disabled = !data.places.length
      el.setAttribute("aria-label", `${i ? "Next" : "Previous"} ${data.label}`)
    })
    where.textContent = at < 0 ? "" : `${at + 1} of ${data.places.length} · bytes ${chosen[0]} to ${chosen[1]}`
  }

  document.addEventListener(SPANS, onSpan)
  document.addEventListener("keydown", onKey)
  return {
    update(next) {
      data = next
      show()
      return ++calls
    },
    dispose(call) {
      if (call !== calls) return false
      document.removeEventListener(SPANS, onSpan)
      document.removeEventListener("keydown", onKey)
      return true
    },
  }
}
