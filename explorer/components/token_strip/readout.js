// The readout: what the tokens pointed at are. It stands under its strip and covers nothing.

const NOTHING_HOVERED = "Point at a token, or walk with the arrow keys."
const EMPTY_TEXT = "No tokens: the text is empty."
const NO_TOKENS = "No tokens: the tokenizer drops all of this text."
const MOST_LISTED = 32 // tokens or code points
const MOST_BYTES = 240
const MOST_CARDS = 6

function make(tag, className, ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

function thousands(number) {
  return (number < 0 ? "−" : "") + Math.abs(number).toLocaleString("en-US")
}

/** The code points of bytes start..stop; of one that is cut, how much of it lies inside. */
function codePoints({ bytes }, start, stop) {
  const points = []
  let at = start
  while (at > 0 && (bytes[at] & 0xc0) === 0x80) at--
  while (at < stop && points.length < MOST_LISTED) {
    let end = at + 1
    while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end++
    const char = wholeCharacters(bytes.subarray(at, end))[0].text
    const name = `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`
    const inside = Math.min(end, stop) - Math.max(at, start)
    points.push(inside === end - at ? name : `${inside} of ${end - at} bytes of ${name}`)
    at = end
  }
  return points.join(" ") + (at < stop ? " …" : "")
}

/** The first bytes of a long piece, cut at a character: what a line can show of it. */
function beginning(bytes) {
  let end = Math.min(bytes.length, MOST_BYTES)
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

/** The text around bytes start..stop, so that a chip can join as its letters do. */
function surroundings({ bytes }, start, stop) {
  const whole = (part) => wholeCharacters(part).map(({ text }) => text ?? "\ufffd").join("")
  return { before: whole(bytes.subarray(Math.max(0, start - 16), start)), after: whole(bytes.subarray(stop, stop + 16)) }
}

function tokenChip(model, k, ring) {
  const { piece, slot, kind } = model.entryOf(k)
  const [start, stop] = [model.starts[k], model.stops[k]]
  return pieceChip(beginning(hexBytes(piece)), { slot, kind, ring, notation: model.notation, ...surroundings(model, start, stop) })
}

/** The chip of several tokens: their common text over one tooth each. */
function commonChip(model, first, last, start, stop, ring) {
  const chip = pieceChip(beginning(model.bytes.subarray(start, stop)), { ring, notation: model.notation, ...surroundings(model, start, stop) })
  const shares = sharesOf(model, { first, last, start, stop })
  const fills = shares.map(({ k }) => fillOf(model, k, model.entryOf(k).slot))
  const run = ownDirection(chip.textContent) === "rtl" ? "to left" : "to right"
  chip.classList.add("tg-split")
  chip.style.setProperty("--tg-teeth", teeth(fills, shares.map(({ share }) => Math.max(share, 0.5)), run))
  return chip
}

function tokenRows(model, k, byte) {
  const { id, piece, kind } = model.entryOf(k)
  const [start, stop] = [model.starts[k], model.stops[k]]
  const own = model.bytes.subarray(start, stop)
  const hex = make("span", "", ...Array.from(beginning(own), (value, i) => {
    const digits = make("span", start + i === byte ? "here" : "", toHex([value]))
    return make("span", "", i ? " " : "", digits)
  }))
  const written = toHex(hexBytes(piece))
  const notes = [`token ${thousands(k + 1)} of ${thousands(model.count)}`, placeOf(start, stop)]
  if (kind !== "token") notes.unshift(kind)
  if (byte !== null) notes.push(`byte ${thousands(byte)}`)
  return [
    ["id", thousands(id), notes],
    ["bytes", own.length ? hex : "none", written === toHex(own) ? [] : [`piece ${written}`]],
    ["code points", codePoints(model, start, stop) || "none", []],
  ]
}

function placeOf(start, stop) {
  return start === stop ? `no bytes, at ${thousands(start)}` : `bytes ${thousands(start)} to ${thousands(stop)}`
}

function groupRows(model, first, last, start, stop) {
  const listed = Array.from({ length: Math.min(last - first + 1, MOST_LISTED) }, (_, i) => first + i)
  const more = last - first + 1 > listed.length ? " …" : ""
  // Tokens of one normalized character have its source bytes in common: then their pieces tell them apart.
  const shared = listed.some((k) => k > first && model.starts[k] < model.stops[k - 1])
  const chips = listed.map((k) => {
    const { piece, slot, kind } = model.entryOf(k)
    const own = shared ? hexBytes(piece) : model.bytes.subarray(model.starts[k], model.stops[k])
    const chip = own.length ? make("span", "tg-chip", toHex(beginning(own))) : tokenChip(model, k, null)
    if (kind === "token") chip.dataset.s = slot
    else chip.classList.add(kind === "special" ? "tg-special" : "tg-unk")
    return chip
  })
  const place = `tokens ${thousands(first + 1)} to ${thousands(last + 1)} of ${thousands(model.count)}`
  return [
    ["ids", listed.map((k) => model.entryOf(k).id).join(" ") + more, [place, placeOf(start, stop)]],
    [shared ? "pieces" : "bytes", make("span", "chips", ...chips, more), []],
    ["code points", codePoints(model, start, stop), []],
  ]
}

/** Links to the cards of the tokens first..last: what is pinned stays long enough to be clicked. */
function cardLinks(model, first, last) {
  const ids = [...new Set(Array.from({ length: Math.min(last - first + 1, MOST_CARDS) }, (_, i) => model.entryOf(first + i).id))]
  return ids.filter((id) => id >= 0).map((id, i) => {
    const link = make("a", "card", ids.length > 1 ? `${i ? "" : "Card "}${id}` : "Card")
    link.href = model.card + id
    link.target = "_blank"
    link.rel = "noopener"
    link.setAttribute("aria-label", `Card of token ${id}, in a new tab`)
    return link
  })
}

/**
 * Draw the readout.
 *
 * @param {object | null} view tokens first..last; byte: the byte walked to, or null; pinned
 */
function drawReadout(box, model, view) {
  box.toggleAttribute("data-pinned", Boolean(view?.pinned))
  if (!view || view.first > view.last) {
    box.replaceChildren(make("p", "", model.count ? NOTHING_HOVERED : model.text ? NO_TOKENS : EMPTY_TEXT))
    return
  }
  const { first, last, byte } = view
  const ring = view.pinned ? "pin" : "hot"
  const single = first === last
  const cards = view.pinned && model.card ? cardLinks(model, first, last) : []
  const start = model.starts[first]
  const stop = Math.max(...model.stops.slice(first, Math.min(last + 1, first + 4096)))
  const chip = single ? tokenChip(model, first, ring) : commonChip(model, first, last, start, stop, ring)
  const rows = single ? tokenRows(model, first, byte) : groupRows(model, first, last, start, stop)
  const list = make("dl", "")
  if (cards.length) rows[0][2].unshift(...cards)
  for (const [name, value, notes] of rows) {
    const behind = make("span", "note", ...notes.flatMap((note) => [make("span", "dot", " · "), note]))
    list.append(make("div", "row", make("dt", "", name), make("dd", single ? "" : "group", make("span", "value", value), behind)))
  }
  box.replaceChildren(make("div", "piece", chip), list)
}

/** What a screen reader says of the readout. */
function spoken(box, model, view) {
  if (!view || view.first > view.last) return ""
  const piece = box.querySelector(".piece")?.textContent.replaceAll("·", " ")
  if (piece === undefined) return ""
  const [id, bytes] = Array.from(box.querySelectorAll("dd"), (cell) => cell.textContent)
  return view.first === view.last ? `${piece}, id ${id}` : `${piece}, ids ${id}, ${bytes}`
}
