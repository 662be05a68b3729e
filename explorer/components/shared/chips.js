// A piece on its own (readout, step, card): a chip may have padding, it is not running text.

/** Letters that do not join the next one: right-joining and non-joining letters of Unicode's ArabicShaping.txt, Arabic blocks. */
const ENDS_JOIN =
  /[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06dd\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779\u08aa-\u08ac\u08ae\u08b1\u08b2\u08b9]\p{M}*$/u
const ARABIC_END = /[\p{Script=Arabic}&&\p{L}]\p{M}*\u200d?$/v
const ARABIC_START = /^\u200d?(?![\u0621\u0674\u06dd])[\p{Script=Arabic}&&\p{L}]/v
const VIRAMA_END = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0d4d]$/
const INDIC_LETTER = /^[\u0900-\u0d7f]/

/** Whether a letter joins the next one across a cut, so that a chip must show the joined form. */
function joinsAcross(before, after) {
  if (ARABIC_START.test(after) && ARABIC_END.test(before)) return !ENDS_JOIN.test(before)
  return VIRAMA_END.test(before) && INDIC_LETTER.test(after) && /^\p{L}/u.test(after)
}

/**
 * The chip of a piece: its text with hidden characters typed out, hex where bytes are no whole character.
 *
 * @param {Uint8Array} bytes the piece
 * @param {object} look
 *   slot: palette slot, or null for neutral; kind: "token" | "special" | "unknown"; ring: "hot" | "pin" | null;
 *   before, after: the text around the token, where there is one, so that letters keep the shape they have there;
 *   notation: "text" | "bytes" (the printable letters of byte-level vocabularies)
 */
function pieceChip(bytes, { slot = null, kind = "token", ring = null, before = "", after = "", notation = "text" } = {}) {
  const chip = document.createElement("span")
  chip.className = "tg-chip"
  if (kind === "special") chip.classList.add("tg-special")
  else if (kind === "unknown") chip.classList.add("tg-unk")
  else if (slot !== null && slot >= 0) chip.dataset.s = slot
  if (ring) chip.classList.add(`tg-${ring}`)
  if (notation === "bytes") {
    chip.textContent = byteLevel(bytes)
    return chip
  }
  const parts = wholeCharacters(bytes)
  parts.forEach((part, i) => {
    if (part.bytes) {
      const hex = document.createElement("span")
      hex.className = "tg-hex"
      hex.textContent = toHex(part.bytes)
      chip.append(hex)
      return
    }
    const joinsLeft = i === 0 && ARABIC_START.test(part.text) && joinsAcross(before, part.text)
    const joinsRight = i === parts.length - 1 && joinsAcross(part.text, after)
    typeOut(chip, part.text, joinsLeft ? "\u200d" : "", joinsRight ? "\u200d" : "")
  })
  return chip
}

/** A chip that leads to the card of its token, in a new tab; the bare chip where it has none. */
function toCard(chip, href) {
  if (!href) return chip
  const link = document.createElement("a")
  link.className = "tg-to-card"
  link.href = href
  link.target = "_blank"
  link.rel = "noopener"
  link.append(chip)
  return link
}

/** Append text as a chip shows it: a dot for a space, an arrow for a tab, a ring under a lone mark, names in boxes. */
function typeOut(el, text, joinLeft = "", joinRight = "") {
  let plain = joinLeft
  const flush = () => {
    addText(el, plain)
    plain = ""
  }
  const type = (sign, boxed) => {
    flush()
    const mark = document.createElement("i")
    mark.className = boxed ? "tg-hid tg-box" : "tg-hid"
    mark.textContent = sign
    el.append(mark)
  }
  for (const cluster of graphemes(text)) {
    const chars = Array.from(cluster)
    if (cluster === " ") type("·")
    else if (cluster === "\t") type("→")
    else if (cluster === "\n") type("↵")
    else if (chars.every(hiddenName)) chars.forEach((char) => type(hiddenName(char), true))
    else if (/^\p{M}/u.test(cluster)) plain += "\u25cc" + cluster
    else plain += cluster
  }
  plain += joinRight
  flush()
}
