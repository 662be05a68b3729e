export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg")
  root.toggleAttribute("data-large", data.large)
  const scroll = element("div", "scroll", element("ul", "", branch(data.root)))
  scroll.tabIndex = 0
  scroll.setAttribute("role", "region")
  scroll.setAttribute("aria-label", data.name)
  root.replaceChildren(scroll)
}

function element(tag, className, ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

function branch({ id, piece, slot, kind, rank, count, href, parts }) {
  const bytes = hexBytes(piece)
  const link = element("a", "", pieceChip(bytes, { slot, kind }))
  link.href = href
  link.setAttribute("aria-label", `id ${id}`)
  link.append(element("span", ""))
  const facts = []
  if (rank !== null) facts.push(`rank ${rank.toLocaleString("en-US")}`)
  if (count !== null) facts.push(count === 1 ? "once" : `${count.toLocaleString("en-US")} times`)
  if (!parts.length && rank === null) facts.push(toHex(bytes))
  const lines = facts.map((fact) => element("span", "", fact))
  const own = [link, element("div", "facts", ...lines)]
  // A tree is read from the first byte on, whatever the page's direction; letters of right-to-left scripts follow suit.
  return element("li", "", ...own, ...(parts.length ? [element("ul", "", ...parts.map(branch))] : []))
}
