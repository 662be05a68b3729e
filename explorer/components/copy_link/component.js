const COPIED_MS = 3000

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg-copy-link")
  if (!root.children.length) {
    const button = root.appendChild(document.createElement("button"))
    button.type = "button"
    const said = root.appendChild(document.createElement("span"))
    said.className = "said"
    said.setAttribute("role", "status")
    const note = root.appendChild(document.createElement("span"))
    note.className = "note"
    const field = root.appendChild(document.createElement("input"))
    field.className = "address"
    field.readOnly = true
    field.hidden = true
    field.setAttribute("aria-label", "Link to this view")
    field.onfocus = () => field.select()
  }
  const [button, said, note, field] = root.children
  if (!root.hasAttribute("data-copied")) button.textContent = data.label
  note.textContent = data.too_long ?? ""
  note.hidden = !data.too_long

  const say = (words) => {
    said.textContent = words // heard, not seen: the button shows it
    button.textContent = words || data.label
    root.toggleAttribute("data-copied", words !== "")
    clearTimeout(root.timer)
    if (words) root.timer = setTimeout(() => say(""), COPIED_MS)
  }
  button.onclick = async () => {
    const address = new URL(data.url ?? "", location.href).href
    if (await clipboardTakes(address)) return say("Copied")
    // Without https there is no navigator.clipboard: the browser may still copy what is selected in a field.
    field.hidden = false
    field.value = address
    field.focus()
    field.select()
    if (document.execCommand("copy")) {
      field.hidden = true
      button.focus()
      say("Copied")
    } else said.textContent = "The link is selected." // the reader presses Ctrl+C
  }
}

async function clipboardTakes(address) {
  try {
    await navigator.clipboard.writeText(address)
    return true
  } catch {
    return false
  }
}
