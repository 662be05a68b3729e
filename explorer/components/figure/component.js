export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg")
  if (!root.children.length) build(root)
  const { number, unit, note, facts, good, bar, bad } = root.parts
  root.toggleAttribute("data-large", data.large)
  number.textContent = data.number
  unit.textContent = data.unit
  note.textContent = data.note
  facts.textContent = data.facts
  good.hidden = !data.good
  good.lastChild.textContent = ` ${data.good}`
  bar.style.width = `${100 * data.share}%`
  bad.style.setProperty("--lines", Math.max(data.reserve, data.bad.length))
  bad.replaceChildren(...data.bad.map(lossLine))
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

function lossLine(sentence) {
  const line = document.createElement("p")
  const cross = document.createElement("span")
  cross.className = "not"
  cross.textContent = "✗"
  line.append(cross, ` ${sentence}`)
  return line
}
