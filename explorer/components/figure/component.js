const FIGURES = new Set() // those on the page
const WIDTHS = new WeakMap()
const OBSERVER = new ResizeObserver((changes) => {
  const wider = changes.filter(({ target, contentRect }) => WIDTHS.get(target) !== contentRect.width)
  for (const { target, contentRect } of wider) WIDTHS.set(target, contentRect.width)
  if (wider.length) level()
})

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg")
  if (!root.children.length) build(root)
  FIGURES.add(root)
  OBSERVER.observe(root)
  const { number, unit, note, facts, good, bar, bad } = root.parts
  root.toggleAttribute("data-large", data.large)
  number.textContent = data.number
  unit.textContent = data.unit
  note.textContent = data.note
  facts.replaceChildren(...data.facts.split(" · ").flatMap(whole))
  good.hidden = !data.good
  good.lastChild.textContent = ` ${data.good}`
  bar.style.width = `${100 * data.share}%`
  bad.style.setProperty("--lines", Math.max(data.reserve, data.bad.length))
  bad.replaceChildren(...data.bad.map(lossLine))
  level()
  return () => {
    if (root.isConnected) return
    OBSERVER.unobserve(root)
    FIGURES.delete(root)
  }
}

/** Make figures that stand side by side equally high, so that what is below them begins on one line. */
function level() {
  const roots = Array.from(FIGURES).filter((root) => root.isConnected)
  const rows = roots.map((root) => root.querySelector(".row"))
  for (const el of [...roots, ...rows]) el.style.minHeight = ""
  const tops = roots.map((root) => Math.round(root.getBoundingClientRect().top))
  for (const parts of [rows, roots]) {
    const heights = parts.map((el) => el.getBoundingClientRect().height)
    parts.forEach((el, i) => {
      const highest = Math.max(...heights.filter((_, k) => tops[k] === tops[i]))
      if (highest > heights[i]) el.style.minHeight = `${highest}px`
    })
  }
}

function build(root) {
  const make = (tag, name) => {
    const el = document.createElement(tag)
    el.className = name
    return el
  }
  const parts = Object.fromEntries(
    [["b", "number"], ["span", "unit"], ["span", "note"], ["div", "facts"], ["div", "good"], ["i", "bar"], ["div", "bad"]]
      .map(([tag, name]) => [name, make(tag, name)]),
  )
  const check = make("span", "ok")
  check.textContent = "✓"
  parts.good.append(check, "")
  const words = make("div", "words")
  words.append(parts.number, parts.unit, parts.note)
  const side = make("div", "side")
  side.append(parts.facts, parts.good)
  const row = make("div", "row")
  row.append(words, side)
  const track = make("div", "track")
  track.append(parts.bar)
  root.append(row, track, parts.bad)
  root.parts = parts
}

/** A fact that no line break parts, and the dot before the next one. */
function whole(fact, i, all) {
  const span = document.createElement("span")
  span.className = "fact"
  span.textContent = i < all.length - 1 ? `${fact}\u00a0·` : fact
  return i ? [" ", span] : [span]
}

function lossLine(sentence) {
  const line = document.createElement("p")
  const cross = document.createElement("span")
  cross.className = "not"
  cross.textContent = "✗"
  line.append(cross, ` ${sentence}`)
  return line
}
