// The ids as a list to read, point at and copy.

const IDS_PER_BLOCK = 200
const ID_ROW = 23

/** Put text on the clipboard; without a secure context, by a hidden field. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const field = document.createElement("textarea")
    field.value = text
    field.style.cssText = "position:fixed;opacity:0"
    document.body.append(field)
    field.select()
    document.execCommand("copy")
    field.remove()
  }
}

/**
 * Build the list of ids in `box`.
 *
 * @returns show(model): list them; light(first, last): ring the tokens first..last, none where first > last; dispose()
 */
function idList(box, { onPoint, onPick }) {
  const summary = make("summary", "", "ids")
  const list = make("div", "list")
  const details = make("details", "", summary, list)
  const copy = make("button", "copy", "Copy")
  copy.type = "button"
  list.tabIndex = 0
  list.setAttribute("role", "group")
  list.setAttribute("aria-label", "Ids of the tokens")
  box.replaceChildren(details, copy)
  let model = null
  let lit = [0, -1]

  const ring = (block, i) => {
    for (const el of block.querySelectorAll(".on")) el.className = ""
    const end = Math.min(lit[1], (i + 1) * IDS_PER_BLOCK - 1)
    for (let k = Math.max(lit[0], i * IDS_PER_BLOCK); k <= end; k++) block.children[k % IDS_PER_BLOCK].className = "on"
  }
  const perRow = () => Math.max(4, (list.clientWidth || 600) / 44)
  const blocks = virtualBlocks(list, {
    margin: 60,
    height: (i) => ID_ROW * Math.ceil(Math.min(IDS_PER_BLOCK, model.count - i * IDS_PER_BLOCK) / perRow()),
    draw(i, block) {
      const first = i * IDS_PER_BLOCK
      const before = Array.from(block.children)
      const ids = Array.from({ length: Math.min(model.count - first, IDS_PER_BLOCK) }, (_, at) => String(model.entryOf(first + at).id))
      const { head, tail } = agreeing(before.map(({ textContent }) => textContent), ids)
      for (const el of before.slice(head, before.length - tail)) {
        el.nextSibling.remove()
        el.remove()
      }
      const anchor = tail ? before[before.length - tail] : null
      for (const id of ids.slice(head, ids.length - tail)) {
        block.insertBefore(make("span", "", id), anchor)
        block.insertBefore(document.createTextNode(" "), anchor)
      }
      Array.from(block.children).forEach((el, at) => (el.tgToken = first + at))
      ring(block, i)
    },
  })
  const tokenOf = (event) => event.composedPath()[0].tgToken
  list.addEventListener("pointerover", (event) => onPoint(tokenOf(event)))
  list.addEventListener("pointerleave", () => onPoint(undefined))
  list.addEventListener("click", (event) => tokenOf(event) !== undefined && onPick(tokenOf(event)))
  copy.addEventListener("click", async () => {
    await copyText(Array.from({ length: model.count }, (_, k) => model.entryOf(k).id).join(" "))
    copy.textContent = model.count === 1 ? "Copied 1 id" : `Copied ${thousands(model.count)} ids`
    setTimeout(() => (copy.textContent = "Copy"), 1600)
  })
  const redraw = () => details.open && model && blocks.show(Math.ceil(model.count / IDS_PER_BLOCK))
  details.addEventListener("toggle", redraw)

  return {
    fold: (folded) => (details.open = !folded),
    show(next) {
      model = next
      lit = [0, -1]
      copy.disabled = model.count === 0
      redraw()
    },
    light(first, last) {
      const [from, to] = [Math.min(first, lit[0]), Math.max(last, lit[1])]
      lit = [first, last]
      const drawn = Array.from(list.children)
      for (let i = Math.floor(from / IDS_PER_BLOCK); i * IDS_PER_BLOCK <= to; i++) if (drawn[i]?.children.length) ring(drawn[i], i)
      if (details.open && first <= last) showId(first)
    },
    dispose: blocks.dispose,
  }

  /** Scroll the list, and nothing else, to an id. */
  function showId(k) {
    const i = Math.floor(k / IDS_PER_BLOCK)
    blocks.need(i)
    const el = list.children[i]?.children[k % IDS_PER_BLOCK]
    if (!el) return
    const top = el.getBoundingClientRect().top - list.getBoundingClientRect().top
    if (top < 0 || top > list.clientHeight - ID_ROW) list.scrollTop += top - ID_ROW
  }
}
