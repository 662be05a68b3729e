// The word that is looked at: chosen by a click, or one after the other by two buttons. Below it, what the server tells of it.

/** Build the row in `host`; `choose(index)` is called with the word that the reader asks for. The result draws the chosen one. */
function createWordRow(host, data, choose) {
  const button = (name, label, by) => {
    const el = makeElement("button", "mp-button", icon(name))
    el.type = "button"
    el.title = label
    el.setAttribute("aria-label", label)
    el.onclick = () => choose(Math.max(0, Math.min(data.words.length - 1, chosen + by)))
    return el
  }
  const title = makeElement("span", "mp-chosen-word")
  const row = makeElement("div", "mp-word-row", button("back", "Word before", -1), button("forward", "Next word", 1), title)
  const told = makeElement("div", "mp-matches")
  const head = isPruning(data) ? heading("Word", secondary("click one in the passage; its lattice stands below")) : heading("Longest match", secondary("of one word: click it in the passage"))
  host.replaceChildren(head, row, told)
  let chosen = 0
  let shown = null

  return (index, step, match) => {
    chosen = index
    const [start, stop] = data.words[index] ?? [0, 0]
    const text = new TextDecoder().decode(utf8(data.passage).subarray(start, stop))
    title.replaceChildren(makeElement("span", "mp-secondary", `Word ${grouped(index + 1)} of ${grouped(data.words.length)} `), pieceChip(utf8(text)))
    if (isPruning(data)) return
    const mine = match && match.step === step && match.word === index ? match : null
    const state = [data.letters.on, mine ?? "The matches appear when the player rests."]
    if (sameData(state, shown)) return
    shown = state
    told.replaceChildren(mine ? matchTable(data, mine) : makeElement("p", "mp-secondary", state[1]))
  }
}

/** The longest-match steps: what was tried from each place, the longest first, and what matched. */
function matchTable(data, match) {
  const head = ["match", "tried, the longest first", "piece"].map((words) => makeElement("th", "", words))
  for (const cell of head) cell.scope = "col"
  const lines = match.rows.map((row, i) => {
    const tried = row.tried.map((piece) => makeElement("s", "mp-tried", chipOf(data, piece)))
    const more = row.more ? [secondary(`${grouped(row.more)} more`)] : []
    const found = row.piece === null ? makeElement("span", "mp-unknown", "none: the word is unknown") : chipOf(data, row.piece, { slot: row.slot })
    return makeElement("tr", "", makeElement("td", "", `${i + 1}`), makeElement("td", "", ...tried, ...more), makeElement("td", "", found))
  })
  const table = makeElement("table", "", makeElement("thead", "", makeElement("tr", "", ...head)), makeElement("tbody", "", ...lines))
  return makeElement("div", "", makeElement("p", "mp-secondary", match.note), table)
}
