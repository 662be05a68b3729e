export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg-recipe-line")
  root.toggleAttribute("data-large", data.large)
  const list = document.createElement("dl")
  for (const [key, value] of data.facts) {
    const pair = list.appendChild(document.createElement("div"))
    pair.appendChild(document.createElement("dt")).textContent = key
    const shown = pair.appendChild(document.createElement("dd"))
    shown.textContent = value
    shown.dir = "auto"
  }
  root.replaceChildren(list)
}
