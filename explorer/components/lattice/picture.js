// The picture: a column for each character, a bar for each piece, a readout, and the lists of ways.

const SAY_MS = 400

/** Build the picture in `host`; the result draws data. */
function createLattice(host) {
  const make = (tag, name, ...children) => {
    const el = document.createElement(tag)
    if (name) el.className = name
    el.append(...children)
    return el
  }
  const grid = make("div", "la-grid")
  grid.setAttribute("role", "group")
  const scroller = make("div", "la-scroll", grid)
  const cut = make("p", "la-secondary")
  const legend = make("p", "la-secondary la-legend")
  const readout = make("div", "la-readout")
  const spoken = make("div", "la-hidden")
  spoken.setAttribute("aria-live", "polite")
  const lists = make("div", "la-lists")
  host.replaceChildren(scroller, cut, readout, spoken, legend, lists)
  let data = null
  let bars = []
  let current = 0
  let held = null // the bar whose readout stays
  let pinned = null
  let timer = 0

  const percent = (share) => (share > 0 && share < 0.0005 ? "less than 0.1 %" : `${(100 * share).toFixed(share > 0.9995 && share < 1 ? 2 : 1)} %`)

  const facts = (edge) => {
    const where = edge.stop - edge.start === 1 ? `character ${edge.start + 1}` : `characters ${edge.start + 1} to ${edge.stop}`
    return [
      `id ${edge.id}, ${where}`,
      `log P = ${edge.log.toFixed(3).replace("-", "\u2212")}, P = ${Math.exp(edge.log).toPrecision(3).replace("-", "\u2212")}`,
      `${edge.best ? "on the best path" : "not on the best path"}; ${percent(edge.share)} of all ways, by their probability`,
    ]
  }

  const tell = (i) => {
    const edge = data.edges[i]
    if (!edge) return
    readout.replaceChildren(chip(edge, held === i ? "pin" : "hot"), make("div", "la-facts", ...facts(edge).map((line) => make("div", "", line))), ...card(edge))
    clearTimeout(timer)
    timer = setTimeout(() => {
      spoken.textContent = [new TextDecoder().decode(hexBytes(edge.piece)), ...facts(edge)].join(", ")
    }, SAY_MS)
  }

  /** The link to a token's card; a click on a bar keeps the readout, so that it can be reached. */
  const card = (edge) => {
    if (!edge.href) return []
    const link = make("a", "la-card", "Card")
    link.href = edge.href
    link.target = "_blank"
    link.rel = "noopener"
    link.setAttribute("aria-label", `Card of token ${edge.id}, in a new tab`)
    return [link]
  }

  const hold = (i) => {
    held = held === i ? null : i
    bars.forEach((bar, k) => bar.setAttribute("aria-pressed", String(k === held)))
    tell(i)
  }

  const chip = (edge, ring = null) =>
    pieceChip(hexBytes(edge.piece), { slot: edge.slot, kind: edge.kind === "unknown" ? "unknown" : "token", ring })

  const light = (path) => {
    const on = new Set(path ?? [])
    bars.forEach((bar, i) => bar.classList.toggle("la-ringed", on.has(i)))
  }

  const focus = (i) => {
    bars[current].tabIndex = -1
    current = i
    bars[i].tabIndex = 0
    bars[i].focus()
    bars[i].scrollIntoView({ block: "nearest", inline: "nearest" })
  }

  grid.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const rtl = grid.dir === "rtl"
    const best = data.edges.flatMap((edge, i) => (edge.best ? [i] : []))
    const ways = { ArrowRight: rtl ? "back" : "on", ArrowLeft: rtl ? "on" : "back", ArrowDown: "longer", ArrowUp: "shorter" }
    if (event.key === "Home") focus(best[0] ?? 0)
    else if (event.key === "End") focus(best.at(-1) ?? 0)
    else if (ways[event.key]) focus(walk(data.edges, current, ways[event.key]))
    else return
    event.preventDefault()
  }

  const drawGrid = () => {
    const rows = packRows(data.edges)
    held = null
    const focused = bars.includes(host.getRootNode().activeElement)
    scroller.dir = grid.dir = data.characters.map(ownDirection).find(Boolean) ?? "ltr"
    grid.setAttribute("aria-label", data.name)
    grid.style.setProperty("--n", Math.max(1, data.characters.length))
    const letters = data.characters.map((character, i) => {
      const cell = make("span", "la-letter")
      cell.style.gridColumn = `${i + 1}`
      typeOut(cell, character)
      return cell
    })
    const place = data.edges.findIndex((edge) => edge.best)
    current = Math.max(0, place)
    bars = data.edges.map((edge, i) => {
      const label = make("span", "la-piece")
      if (edge.kind === "unknown") label.textContent = "unknown"
      else typeOut(label, new TextDecoder().decode(hexBytes(edge.piece)))
      const weight = make("i", "la-weight")
      weight.style.width = `${100 * edge.share}%`
      const bar = make("button", `la-bar${edge.best ? " la-best" : ""}${edge.kind === "unknown" ? " la-unknown" : ""}`, label, weight)
      bar.type = "button"
      bar.tabIndex = i === current ? 0 : -1
      bar.style.gridColumn = `${edge.start + 1} / ${edge.stop + 1}`
      bar.style.gridRow = `${rows[i] + 2}`
      if (edge.best) bar.dataset.s = edge.slot
      bar.setAttribute("aria-label", `${label.textContent}, ${edge.best ? "best path, " : ""}${percent(edge.share)}`)
      bar.setAttribute("aria-pressed", "false")
      bar.onpointerenter = () => held === null && tell(i)
      bar.onclick = () => hold(i)
      bar.onfocus = () => {
        bars[current].tabIndex = -1
        current = i
        bar.tabIndex = 0
        if (held === null) tell(i)
      }
      return bar
    })
    grid.replaceChildren(...letters, ...bars)
    if (focused && bars[current]) bars[current].focus()
    else if (bars[current]) tell(current)
    else readout.replaceChildren()
  }

  const drawLists = () => {
    lists.replaceChildren(
      ...(data.edges.length ? data.lists : []).map((list) => {
        const head = make("div", "la-heading", make("h2", "", list.title), make("span", "la-secondary", list.note))
        const body = make("tbody", "", ...list.rows.map((row, place) => listRow(row, place)))
        const head2 = ["", "pieces", "share", ""].map((words) => {
          const th = make("th", words ? "" : "la-empty", words)
          th.scope = "col"
          return th
        })
        head2[0].append(make("span", "la-hidden", "number"))
        head2[3].append(make("span", "la-hidden", "more"))
        return make("section", "la-list", head, make("table", "", make("thead", "", make("tr", "", ...head2)), body))
      }),
    )
  }

  const listRow = (row, place) => {
    const button = make("button", "la-show", `${place + 1}`)
    button.type = "button"
    button.setAttribute("aria-label", `Show way ${place + 1} in the picture`)
    button.setAttribute("aria-pressed", "false")
    const line = make("tr", "", make("td", "", button))
    const way = make("td", "la-way", ...row.path.map((i) => toCard(chip(data.edges[i]), data.edges[i].href)))
    way.dir = grid.dir
    line.append(way)
    const bar = make("i")
    bar.style.width = `${100 * row.share}%`
    line.append(make("td", "la-number", percent(row.share), make("span", "la-track", bar)), make("td", "la-secondary la-words", row.words))
    line.onpointerenter = () => light(row.path)
    line.onpointerleave = () => light(pinned?.path)
    button.onfocus = () => light(row.path)
    button.onblur = () => light(pinned?.path)
    button.onclick = () => {
      const mine = pinned?.button === button
      pinned?.button.setAttribute("aria-pressed", "false")
      pinned = mine ? null : { button, path: row.path }
      button.setAttribute("aria-pressed", String(!mine))
      light(pinned?.path)
    }
    return line
  }

  return (next) => {
    if (data && JSON.stringify(data) === JSON.stringify(next)) return
    const same = data && JSON.stringify([data.edges, data.characters]) === JSON.stringify([next.edges, next.characters])
    data = next
    host.classList.toggle("la-large", data.large)
    cut.textContent = data.cut
    legend.textContent = data.edges.length ? data.legend : data.empty
    scroller.hidden = readout.hidden = !data.edges.length
    pinned = null
    if (same) light(null)
    else drawGrid()
    drawLists()
  }
}
