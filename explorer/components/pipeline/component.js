// The way from a text to tokens. The server sends one pre-token's states; a click asks for those of another.

const SEEN = { first: 8, last: 4 } // states that stand before and after the folded middle
const SEEN_OF_LONG = { first: 2, last: 2 } // of a word whose states take many lines each
const LONG_WORD = 60 // symbols

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tg")
  const details = root.querySelector("details") ?? root.appendChild(folder())
  const folds = data.large || innerWidth <= 640
  if (root.folds !== folds) details.open = !folds
  root.folds = folds
  root.toggleAttribute("data-folds", folds)
  root.toggleAttribute("data-large", data.large)
  details.querySelector("h2").textContent = data.title
  // While one types elsewhere in the text, most of the way stays as it is.
  const content = JSON.stringify([data.normalized, data.pre_tokens, data.before, data.after, data.chosen, data.way, data.notation])
  root.choose = (at) => setTriggerValue("at", at)
  if (root.content === content) return
  root.content = content
  const focused = Boolean(parentElement.activeElement?.closest(".pre"))
  const body = details.querySelector(".body")
  body.replaceChildren(
    make("div", "name", "Normalized"),
    normalized(data.normalized),
    make("div", "name", "Pre-tokens"),
    preTokens(data, root),
  )
  if (data.way) body.append(make("div", "name", data.way.name), wayOf(data.way, data.notation, data.card))
  if (focused) body.querySelector(".pre [aria-pressed=true]")?.focus()
}

function make(tag, className, ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

function folder() {
  return make("details", "", make("summary", "", make("h2", "")), make("div", "body"))
}

function normalized({ note, text, more }) {
  const cell = make("div", "", note)
  if (!text) return cell
  const shown = make("div", "text")
  shown.dir = "auto"
  typeOut(shown, text)
  cell.append(shown, make("div", "more", more))
  return cell
}

/** The pre-tokens in view, the chosen one among them; arrows walk, and walking chooses. */
function preTokens(data, root) {
  const { pre_tokens: all, chosen, shown } = data
  const width = root.opened ? all.length : shown
  const from = Math.max(0, Math.min(chosen - shown + 2, all.length - width))
  const first = chosen < width ? 0 : from
  const last = Math.min(all.length, first + width)
  const row = make("div", "pre")
  row.setAttribute("role", "group")
  row.setAttribute("aria-label", data.split)
  const rtl = all.map(({ text }) => ownDirection(text.trimStart())).find(Boolean) === "rtl"
  if (rtl) row.dir = "rtl"
  const choose = (i) => {
    if (all[i] && i !== chosen) root.choose(all[i].at)
  }
  for (let i = first; i < last; i++) {
    const button = make("button")
    button.type = "button"
    typeOut(button, all[i].text)
    button.setAttribute("aria-pressed", String(i === chosen))
    button.tabIndex = i === chosen ? 0 : -1
    button.onclick = () => choose(i)
    row.append(button)
  }
  row.onkeydown = (event) => {
    const on = rtl ? -1 : 1
    const step = { ArrowLeft: -on, ArrowRight: on, ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    choose(chosen + step)
  }
  const before = data.before + first
  const after = data.after + all.length - last
  const cell = make("div", "", before ? make("div", "more", `${thousands(before)} before`) : "", row)
  if (after) {
    const canOpen = !root.opened && all.length > last
    const more = canOpen ? make("button", "more", `and ${thousands(after)} more`) : make("div", "more", `and ${thousands(after)} more`)
    if (canOpen) {
      more.type = "button"
      more.onclick = () => {
        root.opened = true
        cell.replaceWith(preTokens(data, root))
      }
    }
    cell.append(more)
  }
  if (!all.length) cell.append(make("div", "more", "none: the text is empty"))
  return cell
}

/** Every state of one pre-token: a label, and the pieces it is cut into. */
function wayOf(way, notation, card) {
  if (way.limit) return make("div", "more", way.limit)
  const word = hexBytes(way.word)
  const list = make("ol", "way")
  const decoder = new TextDecoder()
  const rtl = ownDirection(decoder.decode(word).trimStart()) === "rtl"
  way.rows.forEach((row, number) => {
    const chips = make("span", "chips")
    if (rtl) chips.dir = "rtl"
    let start = 0
    row.entry.forEach((place, k) => {
      const { id, piece, slot, kind } = way.entries[place]
      const stop = row.stops[k]
      const before = decoder.decode(word.subarray(Math.max(0, start - 16), start))
      const after = decoder.decode(word.subarray(stop, stop + 16))
      const chip = toCard(pieceChip(hexBytes(piece), { slot: slot < 0 ? null : slot, kind, before, after, notation }), card && id >= 0 ? card + id : "")
      if (number < way.rows.length - 1) chip.tabIndex = -1 // Tab leads to the tokens, not through all that went before
      chips.append(chip)
      start = stop
    })
    if (start < word.length) chips.append(pieceChip(word.subarray(start), { notation }))
    list.append(make("li", "", make("span", "label", row.label), chips))
  })
  fold(list, way.rows[0]?.entry.length > LONG_WORD ? SEEN_OF_LONG : SEEN)
  return list
}

/** Put away the middle of a way of many states, behind a button. */
function fold(list, { first, last }) {
  const middle = Array.from(list.children).slice(first, -last)
  if (middle.length <= last) return
  for (const state of middle) state.hidden = true
  const button = make("button", "more", `${thousands(middle.length)} more states`)
  button.type = "button"
  const line = make("li", "", make("span", "label"), button)
  button.onclick = () => {
    for (const state of middle) state.hidden = false
    line.remove()
  }
  list.insertBefore(line, list.children[first])
}

function thousands(number) {
  return number.toLocaleString("en-US")
}
