export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg")
  const make = (tag, className, ...children) => {
    const el = document.createElement(tag)
    if (className) el.className = className
    el.append(...children)
    return el
  }
  root.toggleAttribute("data-large", data.large)
  const chip = pieceChip(hexBytes(data.piece), { slot: data.slot, kind: data.kind })
  const facts = data.facts.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)])
  const flags = data.flags.map(([name, why]) => make("li", "", make("b", "", name), why))
  root.replaceChildren(make("div", "piece", chip), make("dl", "", ...facts), ...(flags.length ? [make("ul", "flags", ...flags)] : []))
}
