const SIGNS = [
  ["token", "one token"],
  ["cut", "one character, cut into several tokens: one tooth each"],
  ["space", "space"],
  ["line", "new line"],
]

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tg")
  const names = data.switches.map(({ name }) => name).join()
  if (root.names !== names) build(root, data.switches)
  root.names = names
  root.flip = (name) => setTriggerValue("flipped", name)
  root.toggleAttribute("data-large", data.large)
  data.switches.forEach(({ on }, i) => root.buttons[i].setAttribute("aria-checked", String(on)))
}

function make(tag, className, ...children) {
  const el = document.createElement(tag)
  el.className = className
  el.append(...children)
  return el
}

function build(root, switches) {
  const signs = SIGNS.map(([name, words]) => make("span", "sign", make("i", name, name === "line" ? "↵" : ""), words))
  root.buttons = switches.map(({ name, label, help }) => makeSwitch(label, help, () => root.flip(name)))
  root.replaceChildren(make("div", "signs", ...signs), make("div", "switches", ...root.buttons))
}
