// "This step": what was merged, its score with the formula filled in, why this pair, what it did to the corpus.

/** Build the card in `host`; the result draws a step. */
function createStepCard(host, data, askTextbook) {
  const merge = makeElement("div", "mp-merge")
  const facts = makeElement("dl", "mp-facts")
  host.replaceChildren(heading("This step"), merge, facts)
  const link = makeElement("button", "mp-link", "Textbook version")
  link.type = "button"
  link.onclick = askTextbook

  let shown = null

  return (step) => {
    const rows = step ? stepFacts(data, step) : alphabetFacts(data)
    merge.replaceChildren(...(step ? mergeChips(data, step) : [makeElement("span", "mp-secondary", "Step 0: the alphabet only.")]))
    if (data.text_source) rows.push(["Source", link])
    const terms = rows.map(([term]) => term)
    if (!sameData(terms, shown)) {
      facts.replaceChildren(...terms.flatMap((term) => [makeElement("dt", "", term), makeElement("dd")]))
      shown = terms
    }
    rows.forEach(([, ...words], i) => {
      const place = facts.children[2 * i + 1]
      // The link stays where it is: put in again, it would lose the focus.
      if (place.firstChild !== link) place.replaceChildren(...words)
    })
  }
}

function heading(words, ...beside) {
  return makeElement("div", "mp-heading", makeElement("h2", "", words), ...beside)
}

/** The chip of an entry of the vocabulary: its own slot where it was learned, neutral in the alphabet. */
function entryChip(data, id, ring = null) {
  const { piece, slot, learned } = data.entries[id]
  return chipOf(data, piece, { slot: learned ? slot : null, kind: slot < 0 ? "special" : "token", ring })
}

/** The chip of a piece in the notation that the switch asks for. */
function chipOf(data, hex, look = {}) {
  return pieceChip(hexBytes(hex), { ...look, notation: data.letters.on ? "bytes" : "text" })
}

function mergeChips(data, step) {
  const { left, right } = data.columns
  const [a, b] = [left[step - 1], right[step - 1]]
  const made = entryChip(data, data.first_id + step - 1, "hot")
  return [entryChip(data, a), makeElement("span", "mp-sign", "+"), entryChip(data, b), makeElement("span", "mp-sign", "→"), made]
}

function alphabetFacts(data) {
  const { initial_length: length, initial_unit: unit } = data
  const pieces = data.first_id
  if (data.ranks) return [["Passage", bold(grouped(length)), ` ${unit}, each a token of its own`]]
  return [
    ["Alphabet", counted(pieces, "piece")],
    ["Corpus", bold(grouped(length)), ` ${unit}, each a token of its own`],
    ...(data.columns.left.length ? [] : [["Steps", "This run made no merge."]]),
  ]
}

function stepFacts(data, step) {
  const row = (name) => data.columns[name]?.[step - 1]
  const before = step > 1 ? data.columns.length[step - 2] : data.initial_length
  const after = row("length")
  const id = data.first_id + step - 1
  if (data.ranks) return rankFacts(data, step, before, after)
  return [
    ["Score", mono(...scoreWords(data, row))],
    ["Why this pair", whyWords(data, row)],
    ["Corpus", mono(`${grouped(before)} − ${grouped(before - after)} = `, bold(grouped(after)), " tokens"), overlapWords(row, before - after)],
    ["New piece", mono(`id ${grouped(id)} · ${shortHex(data.entries[id].piece)}`), ...cardOf(data, id)],
  ]
}

/** What a vocabulary tells of a merge: its rank. How often the pair stood when it was chosen is not in it. */
function rankFacts(data, step, before, after) {
  const { id, piece } = data.entries[data.first_id + step - 1]
  return [
    ["Rank", mono(bold(grouped(data.ranks[step - 1])), ` of ${counted(data.ranked, "merge")}, from 0`)],
    ["Why this pair", "Of the pairs that stand in the passage now, it was learned first."],
    ["Count", "not known: a vocabulary keeps the order of merges alone"],
    ["Passage", mono(`${grouped(before)} − ${grouped(before - after)} = `, bold(grouped(after)), " tokens")],
    ["New piece", mono(`id ${grouped(id)} · ${shortHex(piece)}`), ...cardOf(data, id)],
  ]
}

function scoreWords(data, row) {
  if (data.algorithm !== "wordpiece") return ["count(a, b) = ", bold(grouped(row("count")))]
  const [count, left, right] = [row("count"), row("left_count"), row("right_count")]
  const filled = `= ${grouped(count)} / (${grouped(left)} · ${grouped(right)}) = `
  const result = makeElement("span", "mp-whole", filled, bold(reduced(count, left, right)))
  return ["count(ab) / (count(a) · count(b)) ", result]
}

/** count / (left · right) as a reduced fraction, exactly: the product can pass 2^53. */
function reduced(count, left, right) {
  const [above, below] = [BigInt(count), BigInt(left) * BigInt(right)]
  let [a, b] = [above, below]
  while (b) [a, b] = [b, a % b]
  if (!a) return "0"
  return below === a ? grouped(above / a) : `${grouped(above / a)}/${grouped(below / a)}`
}

function whyWords(data, row) {
  const [count, ties] = [row("count"), row("ties")]
  const score = data.algorithm === "wordpiece" ? reduced(count, row("left_count"), row("right_count")) : null
  if (ties > 1) {
    const have = score ? `score ${score}` : `stand ${times(count)}`
    return `${grouped(ties)} pairs ${have}. The rule “${data.tie}” takes (${row("left")}, ${row("right")}).`
  }
  return score ? `No other pair scores ${score} or more.` : `No other pair stands ${times(count)} or more.`
}

function times(count) {
  return count === 1 ? "once" : `${grouped(count)} times`
}

/** Occurrences that overlap ("eee" holds the pair (e, e) twice) cannot all merge. */
function overlapWords(row, merged) {
  const lost = row("count") - merged
  if (row("left") !== row("right") || lost <= 0) return ""
  return makeElement("span", "mp-note", `${grouped(row("count"))} counted, ${grouped(lost)} of them overlapping as in “eee”: ${grouped(merged)} merged.`)
}

/** A link to the card of a piece, where cards are known. */
function cardOf(data, id) {
  if (!data.card) return []
  const link = makeElement("a", "mp-link", "Card")
  link.href = data.card + id
  link.target = "_blank"
  link.rel = "noopener"
  link.setAttribute("aria-label", `Card of piece ${id}, in a new tab`)
  return ["\u00a0·\u00a0", link] // a flex row drops plain spaces
}

function shortHex(hex) {
  const shown = toHex(hexBytes(hex.slice(0, 48)))
  return hex.length > 48 ? `${shown} … (${grouped(hex.length / 2)} bytes)` : shown
}

function mono(...words) {
  return makeElement("span", "mp-mono", ...words)
}

function bold(word) {
  return makeElement("b", "", word)
}
