// Text: graphemes, direction, and the characters nobody sees.

let segmenter = null

/** The grapheme clusters of a string. */
function graphemes(text) {
  if (/^[\x20-\x7e]*\n?$/.test(text)) return text.split("")
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), (part) => part.segment)
}

/** Whether a grapheme cluster ends its line. */
function breaksLine(cluster) {
  return cluster === "\n" || cluster === "\r\n"
}

const RTL = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The direction of a grapheme cluster by its own letters: "rtl", "ltr", or null where it follows its line. */
function ownDirection(cluster) {
  if (RTL.test(cluster)) return "rtl"
  return /^[\p{L}\p{N}]/u.test(cluster) ? "ltr" : null
}

const C0 = "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
const C1 = "PAD HOP BPH NBH IND NEL SSA ESA HTS HTJ VTS PLD PLU RI SS2 SS3 DCS PU1 PU2 STS CCH MW SPA EPA SOS SGC SCI CSI ST OSC PM APC"
const RUNS = [
  [0x00, C0],
  [0x7f, "DEL " + C1 + " NBSP"],
  [0xad, "SHY"],
  [0x034f, "CGJ"],
  [0x061c, "ALM"],
  [0x115f, "HCF HJF"],
  [0x1680, "OGSP"],
  [0x17b4, "KIVAQ KIVAA"],
  [0x180b, "FVS1 FVS2 FVS3 MVS FVS4"],
  [0x2000, "NQSP MQSP ENSP EMSP 3MSP 4MSP 6MSP FSP PSP THSP HSP ZWSP ZWNJ ZWJ LRM RLM"],
  [0x2028, "LSEP PSEP LRE RLE PDF LRO RLO NNBSP"],
  [0x205f, "MMSP WJ FA IT IS IP"],
  [0x2066, "LRI RLI FSI PDI ISS ASS IAFS AAFS NADS NODS"],
  [0x3000, "IDSP"],
  [0x3164, "HF"],
  [0xfeff, "BOM"],
  [0xffa0, "HWHF"],
  [0xfff9, "IAA IAS IAT"],
  [0xe0001, "LTAG"],
]
const NAMES = new Map(RUNS.flatMap(([first, names]) => names.split(" ").map((name, i) => [first + i, name])))

/** The short name of a character that leaves no ink, or null. The space U+0020 has none: it is a dot. */
function hiddenName(char) {
  const point = char.codePointAt(0)
  if (point >= 0xfe00 && point <= 0xfe0f) return `VS${point - 0xfe00 + 1}`
  if (point >= 0xe0100 && point <= 0xe01ef) return `VS${point - 0xe0100 + 17}`
  if (point >= 0xe0020 && point <= 0xe007f) return point < 0xe007f ? `TAG ${String.fromCharCode(point - 0xe0000)}` : "TAG END"
  return NAMES.get(point) ?? null
}

const HIDDEN = new RegExp(
  `[${RUNS.map(([first, names]) => `\\u{${first.toString(16)}}-\\u{${(first + names.split(" ").length - 1).toString(16)}}`).join("")}` +
    "\\u{fe00}-\\u{fe0f}\\u{e0020}-\\u{e007f}\\u{e0100}-\\u{e01ef}]",
  "u",
)
// At the end of a cluster these two join or part it from the next, which deserves a mark; other signs belong to the glyph.
const ENDS_IN_JOINER = /[\u200c\u200d]$/

/** Append a text node. */
function addText(el, text) {
  if (text) el.append(text)
}

function addMark(el, text, className, name) {
  const mark = document.createElement("i")
  mark.className = className
  if (name) mark.dataset.m = name
  mark.textContent = text
  el.append(mark)
}

/**
 * Append `text` to `el` with its hidden characters marked by style only, so that the text of the DOM stays the text.
 *
 * Lines break after a space, but `glued` keeps the spaces that open the text on the line of the word they open.
 * Characters inside a visible cluster (the joiners of an emoji) are left alone: an element there would break the glyph.
 */
function drawText(el, text, marks = true, glued = true) {
  if (!marks || !(text.includes(" ") || HIDDEN.test(text))) return addText(el, text)
  let plain = ""
  const flush = () => {
    addText(el, plain)
    plain = ""
  }
  const parts = /^[\x00-\x7e]*$/.test(text) ? text.match(/ +|\r\n|[^ \x00-\x1f]+|[\x00-\x1f]/g) : joinSpaces(graphemes(text))
  for (const part of parts) {
    if (part[0] === " " && part.trim() === "") {
      flush()
      for (const space of part) addMark(el, space, glued && part.length < 9 ? "tg-sp" : "tg-sp tg-sp-break")
    } else if (breaksLine(part)) {
      flush()
      addMark(el, part, "tg-nl")
    } else if (part === "\t") {
      flush()
      addMark(el, part, "tg-tab")
    } else if (Array.from(part).every(hiddenName)) {
      flush()
      for (const char of part) addMark(el, char, "tg-zw", hiddenName(char))
    } else if (ENDS_IN_JOINER.test(part)) {
      flush()
      addMark(el, part, "tg-zwj", hiddenName(part.at(-1)))
    } else plain += part
    glued = false
  }
  flush()
}

function joinSpaces(clusters) {
  const joined = []
  for (const cluster of clusters) {
    if (cluster === " " && joined.at(-1)?.endsWith(" ")) joined[joined.length - 1] += cluster
    else joined.push(cluster)
  }
  return joined
}
