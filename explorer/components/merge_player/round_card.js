// What a round of a unigram training did: how many pieces went, what it did to the corpus, the first to go, the likeliest to stay.

/** Build the card in `host`; the result draws a round. */
function createRoundCard(host, data, askTextbook) {
  const facts = makeElement("dl", "mp-facts")
  const said = makeElement("p", "mp-round")
  host.replaceChildren(heading("This round"), said, facts)
  const link = makeElement("button", "mp-link", "Textbook version")
  link.type = "button"
  link.onclick = askTextbook
  return (round) => {
    const { size, pruned, length, likelihood } = data.columns
    const before = (column, first) => (round > 1 ? column[round - 2] : first)
    const now = round ? { size: size[round - 1], length: length[round - 1], log: likelihood[round - 1] } : data.seeds
    const sizes = round ? `${grouped(before(size, data.seeds.size))} − ${grouped(pruned[round - 1])} = ` : ""
    said.textContent = round
      ? `${counted(pruned[round - 1], "piece")} go${pruned[round - 1] === 1 ? "es" : ""}, ${grouped(now.size)} stay.`
      : "Round 0: the seed pieces, all substrings that stand twice or more."
    const grown = now.length - before(length, data.seeds.length)
    const rows = [
      ["Pieces", mono(sizes, bold(grouped(now.size)))],
      ["Corpus", mono(bold(grouped(now.length)), " tokens"), round ? makeElement("span", "mp-note", `${grouped(Math.abs(grown))} ${grown < 0 ? "fewer" : "more"} than before`) : ""],
      ["Likelihood", mono("log P(corpus) = ", bold(now.log.toLocaleString("en-US", { maximumFractionDigits: 0 }).replace("-", "\u2212")), " nats"), makeElement("span", "mp-note", `${(-now.log / Math.max(1, now.length)).toFixed(3)} nats a token`)],
      ["Source", link],
    ]
    facts.replaceChildren(...rows.flatMap(([term, ...words]) => [makeElement("dt", "", term), makeElement("dd", "", ...words)]))
  }
}

/** Build a table of pieces in `host`; `rowsOf(round)` gives rows of {piece, slot, value}; the result draws a round. */
function createPieceTable(host, data, title, note, column, rowsOf) {
  const body = makeElement("div")
  host.replaceChildren(heading(title, secondary(note)), body)
  return (round) => {
    const rows = rowsOf(round)
    if (!rows.length) return body.replaceChildren(makeElement("p", "mp-secondary", "No piece has gone yet."))
    const head = ["piece", column].map((words, i) => makeElement("th", i ? "mp-number" : "", words))
    for (const cell of head) cell.scope = "col"
    const lines = rows.map(({ piece, slot, value }) => {
      const chip = makeElement("span", "mp-pair", chipOf(data, piece, { slot }))
      return makeElement("tr", "", makeElement("td", "", chip), makeElement("td", "mp-number", value))
    })
    return body.replaceChildren(makeElement("table", "", makeElement("thead", "", makeElement("tr", "", ...head)), makeElement("tbody", "", ...lines)))
  }
}
