export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tg")
  const same = root.options?.length === data.options.length && root.options.every((option, i) => option === data.options[i])
  if (!same) build(root, data.options)
  root.choose = (option) => setTriggerValue("chosen", option)
  root.toggleAttribute("data-large", data.large)
  const { row, note } = root
  row.setAttribute("aria-label", data.label)
  note.textContent = data.note
  const buttons = Array.from(row.children)
  const stop = Math.max(0, data.options.indexOf(data.current))
  buttons.forEach((button, i) => {
    button.setAttribute("aria-pressed", String(data.options[i] === data.current))
    button.tabIndex = i === stop ? 0 : -1
  })
}

function build(root, options) {
  const row = document.createElement("div")
  row.className = "row"
  row.setAttribute("role", "toolbar")
  const buttons = options.map((option) => {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = option
    button.onclick = () => root.choose(option)
    return button
  })
  row.append(...buttons)
  row.onkeydown = (event) => {
    const here = buttons.indexOf(event.target)
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (!buttons[to]) return
    event.preventDefault()
    buttons[here].tabIndex = -1
    buttons[to].tabIndex = 0
    buttons[to].focus()
  }
  const note = document.createElement("div")
  note.className = "note"
  root.replaceChildren(row, note)
  Object.assign(root, { options, row, note })
}
