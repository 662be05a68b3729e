export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg")
  root.toggleAttribute("data-large", data.large)
  const by = data.columns.includes(root.by) ? root.by : null // what the reader sorts by outlives new rows
  if (!by) root.by = null
  draw(root, data)
}

function element(tag, className, ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

function draw(root, data) {
  const { columns, rows, name } = data
  const numeric = columns.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === "number") && rows.some((row) => row[i] !== null))
  const at = columns.indexOf(root.by)
  const shown = at < 0 ? rows : [...rows].sort((one, other) => compare(one[at], other[at], root.falling))
  const heads = columns.map((column, i) => {
    const button = element("button", "", column)
    button.type = "button"
    button.onclick = () => {
      root.falling = root.by === column ? !root.falling : numeric[i]
      root.by = column
      draw(root, data)
      root.querySelectorAll("th button")[i].focus()
    }
    const th = element("th", numeric[i] ? "number" : "", button)
    th.scope = "col"
    th.setAttribute("aria-sort", i !== at ? "none" : root.falling ? "descending" : "ascending")
    return th
  })
  const body = shown.map((row) => element("tr", "", ...row.map((cell, i) => drawCell(cell, numeric[i]))))
  const table = element("table", "", element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...body))
  table.setAttribute("aria-label", name)
  const scroll = element("div", "scroll", table)
  scroll.tabIndex = 0 // what scrolls is reached by keys
  scroll.setAttribute("role", "region")
  scroll.setAttribute("aria-label", name)
  root.replaceChildren(scroll)
}

/** Nothing comes last in both orders. */
function compare(one, other, falling) {
  const [a, b] = [one, other].map((cell) => (Array.isArray(cell) ? cell.length : cell))
  if (a === null || b === null) return (a === null) - (b === null)
  const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })
  return falling ? -order : order
}

function drawCell(cell, numeric) {
  if (Array.isArray(cell)) return element("td", "", element("div", "chips", ...cell.map(chip)))
  const td = element("td", numeric ? "number" : "text")
  td.textContent = cell === null ? "–" : typeof cell === "number" ? written(cell) : cell
  return td
}

function chip({ piece, slot, kind, href }) {
  const el = pieceChip(hexBytes(piece), { slot, kind })
  if (!href) return el
  const link = element("a", "", el)
  link.href = href
  link.target = "_blank"
  link.rel = "noopener"
  return link
}

/** A number with its thousands apart; of a fraction five digits that count. */
function written(number) {
  if (Number.isInteger(number)) return number.toLocaleString("en-US")
  return number.toLocaleString("en-US", { maximumSignificantDigits: 5, maximumFractionDigits: 9 })
}
