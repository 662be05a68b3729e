// The rivals of a step, and the vocabulary as it grows.

const VOCABULARY_ROWS = 8

/** Build the table of rivals in `host`; the result draws the rows of a step, or says when they will come. */
function createRivals(host, data) {
  const body = makeElement("div", "mp-rivals-body")
  const narrow = matchMedia("(max-width: 640px)").matches
  const fold = makeElement("details", "mp-fold", makeElement("summary", "mp-heading", makeElement("h2", "", "Rivals"), secondary("best pairs before this step")), body)
  // Open and fixed on a wide page, a closed expander on a phone.
  fold.open = !narrow
  if (!narrow) {
    fold.firstChild.tabIndex = -1
    fold.firstChild.onclick = (event) => event.preventDefault()
  }
  host.replaceChildren(fold)
  let shown = null

  return (step, rivals) => {
    const mine = rivals && rivals.step === step ? rivals : null
    const rows = mine?.rows.length ? mine.rows : null
    const said = mine?.note ?? (step ? "Rivals appear when the player rests." : "No pair has been chosen yet.")
    const state = [data.letters.on, rows ?? said]
    if (sameData(state, shown)) return
    shown = state
    if (rows) body.replaceChildren(rivalTable(data, rows, step))
    else body.replaceChildren(makeElement("p", "mp-secondary", said))
  }
}

function secondary(words) {
  return makeElement("span", "mp-secondary", words)
}

function rivalTable(data, rows, step) {
  const byScore = data.algorithm === "wordpiece"
  const weight = (row) => (byScore ? row.count / (row.left_count * row.right_count) : row.count)
  const most = Math.max(...rows.map(weight))
  const head = ["pair", ...(byScore ? ["count / (left · right)"] : []), byScore ? "score" : "count", "", ""]
  const cells = head.map((words, i) => makeElement("th", i && words ? "mp-number" : "", words))
  cells.forEach((cell) => (cell.scope = "col"))
  cells.at(-2).append(hidden("share of the best"))
  cells.at(-1).append(hidden("outcome"))
  const lines = rows.map((row) => {
    const won = step && row.left === data.columns.left[step - 1] && row.right === data.columns.right[step - 1]
    const bar = makeElement("i")
    bar.style.width = `${most ? (100 * weight(row)) / most : 0}%`
    const pair = makeElement("span", "mp-pair", entryChip(data, row.left), makeElement("span", "mp-sign", "+"), entryChip(data, row.right))
    const formula = `${grouped(row.count)} / (${grouped(row.left_count)} · ${grouped(row.right_count)})`
    return makeElement(
      "tr",
      won ? "mp-won" : "",
      makeElement("td", "", pair),
      ...(byScore ? [makeElement("td", "mp-number mp-secondary", formula)] : []),
      makeElement("td", "mp-number", byScore ? reduced(row.count, row.left_count, row.right_count) : grouped(row.count)),
      makeElement("td", "mp-bar", bar),
      makeElement("td", "mp-secondary mp-outcome", row.note),
    )
  })
  return makeElement("table", "", makeElement("thead", "", makeElement("tr", "", ...cells)), makeElement("tbody", "", ...lines))
}

function hidden(words) {
  return makeElement("span", "mp-hidden", words)
}

/** Build the vocabulary in `host`, newest first; only the rows in view exist, so 100,000 pieces cost what 8 cost. */
function createVocabulary(host, data) {
  const size = secondary("")
  const sheet = makeElement("div", "mp-sheet")
  const scroller = makeElement("div", "mp-scroll", sheet)
  scroller.tabIndex = 0
  scroller.setAttribute("role", "table")
  scroller.setAttribute("aria-label", "Vocabulary, newest piece first")
  const head = makeElement("div", "mp-entry mp-entry-head", makeElement("span", "", "id"), makeElement("span", "", "piece"), makeElement("span", "", data.ranks ? "rank" : "count"))
  head.setAttribute("aria-hidden", "true")
  host.replaceChildren(heading("Vocabulary", size), head, scroller)
  const rows = new Map()
  let total = 0
  let height = 0
  // Reading scrollTop would cost a layout for each frame of play.
  let scrolled = 0

  const show = () => {
    if (!height) return
    const first = Math.max(0, Math.floor(scrolled / height) - 1)
    const last = Math.min(total, first + VOCABULARY_ROWS + 3)
    sheet.style.height = `${total * height}px`
    for (const [id, row] of rows) {
      if (total - 1 - id < first || total - 1 - id >= last) {
        row.remove()
        rows.delete(id)
      }
    }
    const inView = []
    for (let place = first; place < last; place++) {
      const id = total - 1 - place
      if (!rows.has(id)) rows.set(id, vocabularyRow(data, id))
      rows.get(id).style.transform = `translateY(${place * height}px)`
      inView.push(rows.get(id))
    }
    if (inView.some((row, i) => sheet.children[i] !== row)) sheet.replaceChildren(...inView)
  }
  scroller.onscroll = () => {
    scrolled = scroller.scrollTop
    show()
  }
  const draw = (step) => {
    const before = total
    total = data.first_id + step
    size.textContent = counted(total, "piece")
    // A reader who has scrolled keeps the rows in view; at the top the newest pieces come in.
    if (before && scrolled > height) {
      sheet.style.height = `${total * height}px`
      scrolled += (total - before) * height
      scroller.scrollTop = scrolled
    }
    show()
  }
  const layout = () => {
    height = parseFloat(getComputedStyle(scroller).getPropertyValue("--mp-row"))
    show()
  }
  const rewrite = () => {
    rows.clear()
    sheet.replaceChildren()
    show()
  }
  return { draw, layout, rewrite }
}

function vocabularyRow(data, id) {
  const step = id - data.first_id
  const count = step >= 0 ? grouped((data.ranks ?? data.columns.count)[step]) : "alphabet"
  const cells = [grouped(data.entries[id].id ?? id), entryChip(data, id), count].map((content) => makeElement("span", "", content))
  for (const cell of cells) cell.setAttribute("role", "cell")
  const row = makeElement("div", "mp-entry", ...cells)
  row.setAttribute("role", "row")
  return row
}
