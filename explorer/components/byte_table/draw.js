// The elements of the rows of the byte table.

const HEADS = ["cluster", "rune", "number", "name", "at byte", "at rune", "at cluster"]

/** A new element with a class, a text and attributes. */
function newElement(tag, className, text = "", attributes = {}) {
  const node = document.createElement(tag)
  if (className) node.className = className
  if (text) node.textContent = text
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  return node
}

/** The number of a code point as Unicode writes it: U+0041. */
function unicodeNumber(point) {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`
}

/** How many leading bits of a byte are UTF-8's own; 0 in a byte that UTF-8 never has. Source: RFC 3629, section 3. */
function prefixLength(byte) {
  if (byte < 0x80) return 1
  if (byte < 0xc0) return 2
  return byte < 0xe0 ? 3 : byte < 0xf0 ? 4 : byte < 0xf8 ? 5 : 0
}

/** The row of heads. */
function headRow() {
  const head = newElement("div", "row head", "", { role: "row", "aria-rowindex": 1 })
  for (const name of HEADS) head.append(newElement("div", name.replace(/^at /, "at at-"), name, { role: "columnheader" }))
  const bytes = head.appendChild(newElement("div", "bytes", "UTF-8: ", { role: "columnheader" }))
  bytes.append(newElement("i", "", "prefix"), ", ", newElement("b", "", "payload"), ", hex. A patch is a token; a gap is a cut.")
  return head
}

/** The row as an element with its eight cells. */
function drawRow(rows, row, notation) {
  const char = charOfRow(rows, row)
  const opensCluster = rows.first[rows.cluster[row]] === row
  const line = newElement("div", "row", "", { role: "row", id: `row-${row}`, "aria-rowindex": row + 2 })
  line.classList.toggle("opens", opensCluster)
  line.dataset.row = row
  const cells = [
    clusterCell(rows, row, opensCluster),
    runeCell(rows, row, char),
    newElement("div", "number", char === null ? "\u2014" : unicodeNumber(char.codePointAt(0))),
    nameCell(rows, row, char),
    newElement("div", "at at-byte", String(rows.at[row])),
    newElement("div", "at at-rune", String(row)),
    newElement("div", "at at-cluster", String(rows.cluster[row])),
    bytesCell(rows, row, opensCluster, notation),
  ]
  for (const cell of cells) cell.setAttribute("role", "gridcell")
  line.append(...cells)
  return line
}

function clusterCell(rows, row, opensCluster) {
  const cell = newElement("div", "cluster")
  const stop = rows.first[rows.cluster[row] + 1]
  if (!opensCluster || stop - row < 2) return cell
  // A cluster may have any number of marks; what does not fit the cell is cut off by the style.
  const chars = []
  for (let member = row; member < Math.min(stop, row + 32); member++) chars.push(charOfRow(rows, member) ?? "")
  cell.append(glyph(rows, chars.join(""), rows.at[row], rows.at[stop]))
  return cell
}

function runeCell(rows, row, char) {
  const cell = newElement("div", "rune")
  if (char === null) cell.append(newElement("span", "box bad", toHex(rows.bytes.subarray(rows.at[row], rows.at[row + 1]))))
  else cell.append(glyph(rows, char, rows.at[row], rows.at[row + 1]))
  return cell
}

/** A character or cluster on its own, with teeth at its foot where tokens share it, as in the strip. */
function glyph(rows, text, start, stop) {
  const node = newElement("span", "glyph")
  typeOut(node, text)
  const over = tokensOver(rows.tokens, start, stop)
  if (over.length > 1) {
    node.classList.add("split")
    node.style.setProperty("--teeth", teethOf(rows.tokens, over, start, stop, ownDirection(text) === "rtl" ? "left" : "right"))
  }
  return node
}

/** One stripe a token, as wide as its share of the bytes, in the direction of the text. */
function teethOf(tokens, list, start, stop, side) {
  const widths = list.map((token) => Math.min(tokens.stops[token], stop) - Math.max(tokens.starts[token], start))
  const all = widths.reduce((sum, width) => sum + width, 0)
  let done = 0
  const stripes = list.map((token, i) => {
    const from = (100 * done) / all
    done += widths[i]
    const to = (100 * done) / all
    const end = i < list.length - 1 ? to - Math.min(7, 0.28 * (to - from)) : to
    return `${patchFill(tokens, token)} ${from}% ${end}%, var(--tg-bg) ${end}% ${to}%`
  })
  return `linear-gradient(to ${side}, ${stripes.join(", ")})`
}

/** The color of a token: its palette slot, or ink for a special and neutral for an unknown one. */
function patchFill(tokens, token) {
  const { kind } = tokens.entries[tokens.entry[token]]
  if (kind === "special") return "var(--tg-ink)"
  return kind === "unknown" ? "var(--tg-line-strong)" : `var(--tg-t${tokens.slots[token]})`
}

function nameCell(rows, row, char) {
  const cell = newElement("div", "name")
  if (char === null) {
    cell.append(newElement("span", "title bad", "invalid"), newElement("span", "sub", rows.reasons.get(rows.at[row]) ?? "no UTF-8"))
    return cell
  }
  const point = rows.points.get(char.codePointAt(0))
  if (!point) return cell
  cell.append(newElement("span", "title", point.name), newElement("span", "sub", `${point.category} · ${point.script}`))
  return cell
}

function bytesCell(rows, row, opensCluster, notation) {
  const { tokens, at } = rows
  const cell = newElement("div", "bytes")
  const runs = runsOfRow(rows, row)
  if (row === 0) cell.append(...emptyTokensAt(tokens, 0).map((token) => emptyPatch(tokens, token)))
  for (const run of runs) {
    cell.append(patchOf(rows, run, notation))
    if (run.ends || !run.tokens.length) cell.append(...emptyTokensAt(tokens, run.stop).map((token) => emptyPatch(tokens, token)))
  }
  const inside = cutsInside(tokens, at[row], at[row + 1])
  const notes = []
  if (!opensCluster && runs[0].opens && runs[0].tokens.length) notes.push("cut in the cluster")
  if (inside) notes.push(inside === 1 ? "cut in the rune" : `${inside} cuts in the rune`)
  if (notes.length) {
    const note = cell.appendChild(newElement("span", "note"))
    note.append(...notes.map((words) => newElement("span", "", words)))
  }
  const spoken = runs.map((run) => `${toHex(rows.bytes.subarray(run.start, run.stop))} ${idsOf(tokens, run.tokens)}`)
  cell.setAttribute("aria-label", [...spoken, ...notes].join(", "))
  return cell
}

function idsOf(tokens, list) {
  if (!list.length) return "no token"
  const ids = list.map((token) => tokens.entries[tokens.entry[token]].id)
  return `${ids.length > 1 ? "ids" : "id"} ${ids.join(", ")}`
}

/** A patch: the bytes of one row that belong to the same token. */
function patchOf(rows, run, notation) {
  const { tokens, bytes } = rows
  const patch = newElement("span", "patch")
  patch.classList.toggle("opens", run.opens)
  patch.classList.toggle("ends", run.ends)
  paintPatch(patch, tokens, run)
  if (run.opens && run.tokens.length) patch.append(newElement("span", "id", idsOf(tokens, run.tokens)))
  for (let at = run.start; at < run.stop; at++) {
    const bits = bytes[at].toString(2).padStart(8, "0")
    const split = prefixLength(bytes[at])
    const digits = newElement("span", "bits")
    digits.append(newElement("i", "", bits.slice(0, split)), newElement("b", "", bits.slice(split)))
    const byte = newElement("span", "byte")
    byte.dataset.byte = at
    byte.append(digits, newElement("span", "hex", toHex([bytes[at]])))
    if (notation === "bytes") byte.append(newElement("span", "letter", BYTE_LETTERS[bytes[at]]))
    patch.append(byte)
  }
  return patch
}

function paintPatch(patch, tokens, run) {
  const list = run.tokens
  if (list.length === 1) {
    const { kind } = tokens.entries[tokens.entry[list[0]]]
    if (kind === "special") patch.classList.add("tg-special")
    else if (kind === "unknown") patch.classList.add("tg-unk")
    else patch.style.background = patchFill(tokens, list[0])
  } else if (list.length) {
    // Several tokens made of the same bytes: neutral, with a tooth for each.
    patch.classList.add("shared")
    patch.style.setProperty("--teeth", teethOf(tokens, list, run.start, run.stop, "right"))
  }
}

function emptyPatch(tokens, token) {
  const patch = newElement("span", "patch empty opens ends")
  paintPatch(patch, tokens, { tokens: [token] })
  patch.append(newElement("span", "id", idsOf(tokens, [token])), newElement("span", "byte", "0 bytes"))
  return patch
}
