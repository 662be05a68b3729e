const AHEAD = 100 // rows that are asked for above what is in view
const TABLES = new Map() // root element -> table

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".tg")
  if (!TABLES.has(root)) TABLES.set(root, createTable(root))
  const table = TABLES.get(root)
  const call = table.update(data, setStateValue, setTriggerValue)
  return () => {
    if (table.dispose(call)) TABLES.delete(root)
  }
}

function element(tag, className, ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

function createTable(root) {
  let data = null
  let ask = null
  let calls = 0
  let asked = null // the row that was asked for and has not come
  let timer = 0
  const head = element("thead", "")
  const body = element("tbody", "")
  const table = element("table", "", head, body)
  const scroll = element("div", "scroll", table)
  scroll.tabIndex = 0
  scroll.setAttribute("role", "region")
  root.replaceChildren(sidewaysSign(scroll), scroll)

  const rowHeight = () => (data.large ? 48 : 34)
  const inView = () => {
    const first = Math.floor(scroll.scrollTop / rowHeight())
    return [first, Math.min(data.total, first + Math.ceil(scroll.clientHeight / rowHeight()))]
  }

  /** Ask for the rows in view where they are not here; one question at a time, or a fast scroll asks a hundred. */
  function want() {
    if (!data || asked !== null) return
    const [first, last] = inView()
    if (first >= data.first && last <= data.first + data.rows.length) return
    asked = Math.max(0, first - AHEAD)
    if (asked === data.first) asked = null
    else ask("wanted", { first: asked, version: data.version })
  }

  scroll.addEventListener("scroll", () => {
    clearTimeout(timer)
    timer = setTimeout(want, 60)
  })
  const sizes = new ResizeObserver(() => want())
  sizes.observe(scroll)

  function drawHead(sort) {
    const cells = data.columns.map(({ name, label, number, sorts }) => {
      const th = element("th", number ? "number" : name, sorts ? "" : label)
      th.scope = "col"
      if (!sorts) return th
      const button = element("button", "", label)
      button.type = "button"
      button.onclick = () => sort(name)
      th.append(button)
      th.setAttribute("aria-sort", name !== data.sort ? "none" : data.falling ? "descending" : "ascending")
      return th
    })
    const focused = Array.from(head.querySelectorAll("button")).indexOf(root.getRootNode().activeElement)
    head.replaceChildren(element("tr", "", ...cells))
    if (focused >= 0) head.querySelectorAll("button")[focused]?.focus()
  }

  function drawRow({ piece, slot, kind, href, cells }, i) {
    const chip = pieceChip(hexBytes(piece), { slot, kind })
    let shown = chip
    if (href) {
      shown = element("a", "", chip)
      shown.href = href
      shown.target = "_blank"
      shown.rel = "noopener"
    }
    const first = element("td", "", shown)
    const rest = cells.map((cell, k) => {
      const { number, name } = data.columns[k + 1]
      const td = element("td", number ? "number" : name === "hex" ? "mono" : "")
      td.textContent = typeof cell === "number" ? cell.toLocaleString("en-US") : cell
      td.title = td.textContent
      return td
    })
    const row = element("tr", "", first, ...rest)
    row.setAttribute("aria-rowindex", String(data.first + i + 2))
    return row
  }

  /** The room of rows that are not here. */
  function room(rows) {
    const cell = element("td", "room")
    cell.colSpan = data.columns.length
    cell.style.height = `${rows * rowHeight()}px`
    const row = element("tr", "", cell)
    row.setAttribute("aria-hidden", "true")
    return rows ? [row] : []
  }

  return {
    update(next, setState, setTrigger) {
      const sameRows = data?.version === next.version
      data = next
      ask = setState
      asked = null
      root.toggleAttribute("data-large", data.large)
      scroll.setAttribute("aria-label", data.name)
      scroll.toggleAttribute("data-short", data.total * rowHeight() < 500)
      table.setAttribute("aria-rowcount", String(data.total + 1))
      table.setAttribute("aria-label", data.name)
      drawHead((name) => setTrigger("sort", name))
      const after = data.total - data.first - data.rows.length
      const at = scroll.scrollTop
      body.replaceChildren(...room(data.first), ...data.rows.map(drawRow), ...room(after))
      scroll.scrollTop = at
      if (!sameRows) scroll.scrollTop = 0
      requestAnimationFrame(want)
      return ++calls
    },
    dispose(call) {
      if (call !== calls) return false
      clearTimeout(timer)
      sizes.disconnect()
      return true
    },
  }
}
