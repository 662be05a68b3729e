const HEX_DIGITS = "0123456789ABCDEF"
const LAST_STOP = 9 // the ramp has ten stops

export default function ({ data, parentElement }) {
  const cells = []
  for (const cell of data.cells) cells[cell.value] = cell
  const root = parentElement.querySelector(".tg-byte-grid")
  if (!root.children.length) {
    root.append(gridOf(), readoutOf(), legendOf())
    root.cells = cells
    listen(root)
  }
  root.cells = cells
  root.querySelector("[role=grid]").setAttribute("aria-label", data.label)
  root.toggleAttribute("data-large", data.large)
  const most = Math.max(...cells.map((cell) => cell.count))
  for (const cell of cells) fillCell(root.querySelector(`[data-value="${cell.value}"]`), cell, most)
  root.querySelector(".ramp").hidden = most < 2
  root.querySelector(".most").textContent = most ? `${times(most)}, log scale` : "no byte yet"
  show(root, root.current)
}

const times = (count) => `${count.toLocaleString("en-US")} ${count === 1 ? "time" : "times"}`
const hexOf = (value) => value.toString(16).toUpperCase().padStart(2, "0")

function make(tag, className, text = "") {
  const node = document.createElement(tag)
  node.className = className
  node.textContent = text
  return node
}

function gridOf() {
  const grid = make("div", "grid")
  grid.setAttribute("role", "grid")
  const head = grid.appendChild(make("div", "row"))
  head.setAttribute("role", "row")
  const corner = head.appendChild(make("span", "corner", "hex"))
  corner.setAttribute("role", "columnheader")
  for (const digit of HEX_DIGITS) head.appendChild(make("span", "head", `_${digit}`)).setAttribute("role", "columnheader")
  for (let high = 0; high < 16; high += 1) {
    const row = grid.appendChild(make("div", "row"))
    row.setAttribute("role", "row")
    row.appendChild(make("span", "head", `${HEX_DIGITS[high]}_`)).setAttribute("role", "rowheader")
    for (let low = 0; low < 16; low += 1) {
      const cell = row.appendChild(make("span", "cell"))
      cell.setAttribute("role", "gridcell")
      cell.tabIndex = -1
      cell.dataset.value = high * 16 + low
      cell.append(make("span", "shown"), make("span", "hex", hexOf(high * 16 + low)), make("span", "id"))
    }
  }
  return grid
}

function fillCell(node, cell, most) {
  const [shown, , id] = node.children
  shown.textContent = cell.shown
  id.textContent = cell.id === null ? "no id" : `id ${cell.id}`
  node.toggleAttribute("data-mapped", !cell.direct)
  if (cell.count) node.dataset.q = most > 1 ? Math.round((LAST_STOP * Math.log(cell.count)) / Math.log(most)) : LAST_STOP
  else delete node.dataset.q
  node.setAttribute("aria-label", [`byte ${cell.value}, ${cell.shown}`, id.textContent, times(cell.count)].join(", "))
}

function readoutOf() {
  const readout = make("dl", "readout")
  for (const label of ["value", "hex", "binary", "printable form", "id", "in this text", "in UTF-8"]) {
    const pair = readout.appendChild(make("div", "pair"))
    pair.append(make("dt", "", label), make("dd", ""))
  }
  return readout
}

function legendOf() {
  const legend = make("p", "legend")
  const mapped = legend.appendChild(make("span", "item"))
  mapped.append(make("i", "notch"), "corner: shown as a character from U+0100 up (68 bytes)")
  legend.append(make("span", "item", "no corner: stands for itself (188 bytes)"))
  const scale = legend.appendChild(make("span", "item scale"))
  const ramp = make("span", "ramp", "1 ")
  for (let stop = 0; stop <= LAST_STOP; stop += 1) ramp.appendChild(make("i", "stop")).dataset.q = stop
  scale.append(ramp, make("span", "most"))
  return legend
}

// What a byte can be in UTF-8. Source: RFC 3629, section 4.
function roleOf(value) {
  if (value < 0x80) return "a code point of its own"
  if (value < 0xc0) return "continuation"
  if (value < 0xc2 || value > 0xf4) return "never occurs"
  return `first of ${value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4}`
}

function show(root, value) {
  const cell = root.cells[value]
  const form = cell.direct ? `${cell.shown}  itself` : `${cell.shown}  U+${cell.shown.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`
  const facts = [
    String(value), hexOf(value), value.toString(2).padStart(8, "0"), form,
    cell.id === null ? "none" : String(cell.id), times(cell.count), roleOf(value),
  ]
  root.querySelectorAll("dd").forEach((dd, place) => { dd.textContent = facts[place]; })
  root.querySelector("[data-hot]")?.removeAttribute("data-hot")
  root.querySelector(`[data-value="${value}"]`).setAttribute("data-hot", "")
}

function listen(root) {
  const grid = root.querySelector("[role=grid]")
  const cellOf = (event) => event.target.closest("[data-value]")
  const stand = (value, focus) => {
    grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1")
    const cell = grid.querySelector(`[data-value="${value}"]`)
    cell.tabIndex = 0
    root.current = value
    if (focus) cell.focus()
    show(root, value)
  }
  stand(0x20, false) // the space: the most frequent byte of most texts, and one that is mapped
  grid.addEventListener("pointerover", (event) => cellOf(event) && show(root, Number(cellOf(event).dataset.value)))
  grid.addEventListener("pointerleave", () => show(root, root.current))
  grid.addEventListener("focusin", (event) => cellOf(event) && stand(Number(cellOf(event).dataset.value), false))
  grid.addEventListener("keydown", (event) => {
    const next = walk(event, root.current)
    if (next === null) return
    event.preventDefault()
    stand(next, true)
  })
}

// The value a key leads to from `value`, or null for any other key. Home and End stay in the row, with Ctrl they do not.
function walk(event, value) {
  const low = value % 16
  const targets = {
    ArrowLeft: Math.max(value - 1, 0),
    ArrowRight: Math.min(value + 1, 255),
    ArrowUp: value < 16 ? value : value - 16,
    ArrowDown: value > 239 ? value : value + 16,
    Home: event.ctrlKey ? 0 : value - low,
    End: event.ctrlKey ? 255 : value - low + 15,
    PageUp: low,
    PageDown: 240 + low,
  }
  return event.altKey || event.metaKey ? null : (targets[event.key] ?? null)
}
