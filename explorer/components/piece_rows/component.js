export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg-piece-rows")
  root.toggleAttribute("data-large", data.large)
  const list = document.createElement("dl")
  list.setAttribute("aria-label", data.name)
  for (const row of data.rows) {
    const label = document.createElement("dt")
    label.textContent = row.label
    const cell = document.createElement("dd")
    row.pieces.forEach((hex, i) => cell.append(toCard(pieceChip(hexBytes(hex), { slot: row.slots ? row.slots[i] : null }), row.hrefs?.[i])))
    const note = cell.appendChild(document.createElement("span"))
    note.className = "note"
    note.textContent = row.note
    list.append(label, cell)
  }
  root.replaceChildren(list)
}
