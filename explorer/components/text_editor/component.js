const EDITORS = new Map() // root element -> editor
const PATIENCE = 10000 // ms until a text without an answer is taken for lost

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".tg")
  if (!EDITORS.has(root)) EDITORS.set(root, createEditor(root))
  const editor = EDITORS.get(root)
  const call = editor.update(data, setStateValue)
  // A call that was overtaken by a later one must not take the editor down.
  return () => {
    if (editor.dispose(call)) EDITORS.delete(root)
  }
}

/** Cut text to at most `most` bytes of UTF-8, at a code point. */
function cutToBytes(text, most) {
  if (text.length * 3 <= most) return text
  const bytes = utf8(text)
  if (bytes.length <= most) return text
  let end = most
  while ((bytes[end] & 0xc0) === 0x80) end--
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end))
}

function createEditor(root) {
  const field = document.createElement("textarea")
  const note = document.createElement("p")
  note.setAttribute("role", "status")
  Object.assign(field, { dir: "auto", spellcheck: false, autocomplete: "off" })
  field.setAttribute("autocapitalize", "off")
  root.replaceChildren(field, note)

  let data = null
  let setStateValue = null
  let calls = 0
  let known = "" // the newest text the server has, or is about to have
  let onItsWay = false
  let timer = 0

  function showLimit(reached) {
    note.textContent = reached
      ? `Live typing stops at ${data.max_bytes / 1000} kB, so that it stays smooth. Upload larger text as a file.`
      : ""
  }

  /** Cut what was typed or pasted to the limit. */
  function limit() {
    const text = cutToBytes(field.value, data.max_bytes)
    const over = text.length < field.value.length
    showLimit(over)
    if (!over) return
    const caret = Math.min(field.selectionStart, text.length)
    field.value = text
    field.setSelectionRange(caret, caret)
  }

  // One text at a time is under way: the next one leaves when the server has answered, and it is the newest then.
  function send() {
    const text = field.value.toWellFormed() // a lone surrogate cannot travel
    if (onItsWay || text === known) return
    known = text
    onItsWay = true
    clearTimeout(timer)
    timer = setTimeout(arrived, PATIENCE)
    setStateValue("text", { version: data.version, text })
  }

  function arrived() {
    clearTimeout(timer)
    onItsWay = false
    send()
  }

  function fit() {
    if (CSS.supports("field-sizing", "content")) return
    field.style.height = "auto"
    field.style.height = `${field.scrollHeight + 2}px`
  }

  field.addEventListener("input", (event) => {
    if (event.isComposing) return
    limit()
    fit()
    send()
  })
  field.addEventListener("compositionend", () => {
    limit()
    send()
  })

  return {
    update(next, setter) {
      const replaced = next.version !== data?.version
      data = next
      setStateValue = setter
      field.placeholder = data.placeholder
      field.rows = data.rows
      field.style.setProperty("--rows", data.rows)
      field.setAttribute("aria-label", data.label)
      if (replaced) {
        clearTimeout(timer)
        onItsWay = false
        field.value = data.value
        known = field.value.toWellFormed() // with the line ends of the field
        showLimit(data.cut)
        fit()
      } else if (onItsWay && data.value === known) arrived()
      return ++calls
    },
    dispose(call) {
      if (call !== calls) return false
      clearTimeout(timer)
      return true
    },
  }
}
