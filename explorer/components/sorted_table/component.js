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
  const numeric = columns.map((_, i) => rows.length > 0 && rows.every((row) => row[i] === null || typeof row[i] === "number"))
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
  const decimals = columns.map((_, i) => (numeric[i] ? Math.max(...rows.map((row) => decimalsOf(row[i]))) : 0))
  const body = shown.map((row) => element("tr", "", ...row.map((cell, i) => drawCell(cell, numeric[i], decimals[i]))))
  const table = element("table", "", element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...body))
  table.setAttribute("aria-label", name)
  const scroll = element("div", "scroll", table)
  scroll.tabIndex = 0 // what scrolls is reached by keys
  scroll.setAttribute("role", "region")
  scroll.setAttribute("aria-label", name)
  if (data.height) scroll.style.maxHeight = `${data.height}px`
  const left = root.querySelector(".scroll")?.scrollLeft ?? 0
  root.replaceChildren(sidewaysSign(scroll), scroll)
  scroll.scrollLeft = left
}

/** Nothing comes last in both orders. */
function compare(one, other, falling) {
  const [a, b] = [one, other].map((cell) => (Array.isArray(cell) ? cell.length : cell))
  if (a === null || b === null) return (a === null) - (b === null)
  const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })
  return falling ? -order : order
}

function drawCell(cell, numeric, decimals) {
  if (Array.isArray(cell)) return element("td", "", element("div", "chips", ...cell.map(chip)))
  const td = element("td", numeric ? "number" : String(cell).length > SHORT ? "text long" : "text")
  if (typeof cell === "string" && UNSEEN.test(cell)) td.append(pieceChip(new TextEncoder().encode(cell)))
  else td.textContent = cell === null ? "–" : typeof cell === "number" ? written(cell, decimals) : cell
  return td
}

const SHORT = 24 // characters of a text that stays on one line

/** A cell of spaces, controls or marks alone, which would look empty. */
const UNSEEN = /^[\p{Z}\p{C}\p{M}]+$/u

function chip({ piece, slot, kind, href }) {
  return toCard(pieceChip(hexBytes(piece), { slot, kind }), href)
}

/** How many decimals show the five digits of a fraction that count. */
function decimalsOf(number) {
  if (number === null || Number.isInteger(number)) return 0
  return (Number(number.toPrecision(5)).toFixed(9).split(".")[1] ?? "").replace(/0+$/, "").length
}

/** A number with its thousands apart, and as many decimals as the others of its column, so that their points stand in line. */
function written(number, decimals) {
  return number.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}
