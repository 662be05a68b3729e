// Rows mounted above and below the visible ones, so that a fast wheel shows no gap.
const SPARE_ROWS = 8

// What strips and tables of a group say to each other: {group, kind: "hover" | "select", start, stop, from}.
const TABLE_EVENT = "tokenglass:span"

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg-byte-table")
  root.table ??= new ByteTable(root)
  const call = root.table.take(data)
  return () => root.table.leave(call)
}

/** The table in its scroller: mounts the visible rows, walks by key, shares the bytes pointed at. */
class ByteTable {
  constructor(root) {
    this.root = root
    this.grid = root.appendChild(newElement("div", "grid", "", { role: "grid", tabindex: 0, "aria-colcount": 8 }))
    this.head = this.grid.appendChild(headRow())
    this.body = this.grid.appendChild(newElement("div", "body", "", { role: "rowgroup" }))
    this.probe = this.body.appendChild(newElement("div", "row probe", "", { "aria-hidden": "true" }))
    this.mounted = new Map()
    this.calls = 0
    this.rowHeight = 0
    this.current = -1
    this.hot = null
    this.pinned = null
    this.grid.addEventListener("scroll", () => this.draw())
    this.grid.addEventListener("keydown", (event) => this.onKey(event))
    this.grid.addEventListener("focus", () => this.onFocus())
    this.grid.addEventListener("blur", () => this.share("hover", null))
    this.body.addEventListener("pointermove", (event) => this.share("hover", this.rangeAt(event.target)))
    this.body.addEventListener("pointerleave", () => this.share("hover", null))
    this.body.addEventListener("click", (event) => this.onClick(event))
    this.onShared = (event) => this.hear(event.detail)
    this.observer = new ResizeObserver(() => this.measure())
  }

  /** Show other data; the place in the table stays. */
  take(data) {
    this.group = data.group
    this.notation = data.notation
    if (data.hex !== this.hex) this.hot = null
    this.hex = data.hex
    this.rows = tableRows(data)
    if (this.pinned && this.pinned[1] > this.rows.bytes.length) this.pinned = null
    this.grid.setAttribute("aria-label", data.name)
    this.grid.setAttribute("aria-rowcount", this.rows.count + 1)
    this.root.toggleAttribute("data-empty", this.rows.count === 0)
    this.root.toggleAttribute("data-large", data.large)
    this.root.toggleAttribute("data-letters", this.notation === "bytes")
    this.root.toggleAttribute("data-plain", this.rows.first.length - 1 === this.rows.count) // one rune a cluster
    this.setCurrent(Math.min(this.current, this.rows.count - 1))
    this.unmount()
    document.addEventListener(TABLE_EVENT, this.onShared)
    this.observer.observe(this.grid)
    this.measure()
    return ++this.calls
  }

  /** Let go of the page, unless a later call has taken over. */
  leave(call) {
    if (call !== this.calls) return
    document.removeEventListener(TABLE_EVENT, this.onShared)
    this.observer.disconnect()
  }

  /** Take the height of a row from the style sheet; where it changed, keep the same row on top. */
  measure() {
    const height = parseFloat(getComputedStyle(this.probe).height) // in the table's own pixels, however it is zoomed
    if (!height) return // not on the screen: a closed tab
    if (height !== this.rowHeight) {
      const top = this.rowHeight ? this.grid.scrollTop / this.rowHeight : 0
      this.rowHeight = height
      this.unmount()
      this.body.style.height = `${this.rows.count * height}px`
      this.grid.scrollTop = top * height
    }
    this.body.style.height = `${this.rows.count * height}px`
    this.draw()
  }

  unmount() {
    for (const line of this.mounted.values()) line.remove()
    this.mounted.clear()
  }

  /** Mount the rows in sight and the current one, in their order, and remove all others. */
  draw() {
    if (!this.rowHeight) return
    const { scrollTop, clientHeight } = this.grid
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - SPARE_ROWS)
    const stop = Math.min(this.rows.count, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + SPARE_ROWS)
    const wanted = []
    if (this.current >= 0 && this.current < first) wanted.push(this.current)
    for (let row = first; row < stop; row++) wanted.push(row)
    if (this.current >= stop) wanted.push(this.current)
    const keep = new Set(wanted)
    for (const [row, line] of this.mounted) {
      if (keep.has(row)) continue
      line.remove()
      this.mounted.delete(row)
    }
    let next = this.probe.nextSibling
    for (const row of wanted) {
      const line = this.mounted.get(row) ?? this.mount(row)
      if (line === next) next = line.nextSibling
      else this.body.insertBefore(line, next)
    }
  }

  mount(row) {
    const line = drawRow(this.rows, row, this.notation)
    line.style.top = `${row * this.rowHeight}px`
    line.classList.toggle("current", row === this.current)
    this.mounted.set(row, line)
    this.ring(line)
    return line
  }

  /** Draw the rings of the bytes pointed at and of the pinned ones; a ring stays open where it goes on in another row. */
  ring(line) {
    for (const [name, range] of [["hot", this.hot], ["pin", this.pinned]]) {
      for (const byte of line.querySelectorAll("[data-byte]")) {
        const at = Number(byte.dataset.byte)
        const inside = range !== null && at >= range[0] && at < range[1]
        byte.classList.toggle(name, inside)
        byte.classList.toggle(`${name}-first`, inside && at === range[0])
        byte.classList.toggle(`${name}-last`, inside && at === range[1] - 1)
      }
    }
  }

  /** The bytes meant by an element: those of the token under the pointer, else those of the row; null outside. */
  rangeAt(target) {
    const byte = target.closest("[data-byte]")
    if (byte) return this.tokenRange(Number(byte.dataset.byte))
    const row = target.closest("[data-row]")
    return row ? this.rowRange(Number(row.dataset.row)) : null
  }

  rowRange(row) {
    return [this.rows.at[row], this.rows.at[row + 1]]
  }

  tokenRange(byte) {
    const { tokens } = this.rows
    const over = tokensOver(tokens, byte, byte + 1)
    return over.length ? [tokens.starts[over[0]], tokens.stops[over.at(-1)]] : [byte, byte + 1]
  }

  onFocus() {
    if (this.current < 0 && this.rows.count) this.walkTo(Math.ceil(this.grid.scrollTop / this.rowHeight))
  }

  onClick(event) {
    const range = this.rangeAt(event.target)
    if (!range) return
    this.setCurrent(Number(event.target.closest("[data-row]").dataset.row))
    this.keep(range)
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const page = Math.max(1, Math.floor((this.grid.clientHeight - this.head.offsetHeight) / this.rowHeight) - 1)
    const last = this.rows.count - 1
    const targets = {
      ArrowUp: this.current - 1,
      ArrowDown: this.current + 1,
      PageUp: this.current - page,
      PageDown: this.current + page,
      Home: 0,
      End: last,
    }
    if (event.key in targets) this.walkTo(targets[event.key])
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.walkToken(event.key === "ArrowRight")
    else if ((event.key === "Enter" || event.key === " ") && this.hot) this.keep(this.hot)
    else if (event.key === "Escape") this.share("select", null)
    else return
    event.preventDefault()
  }

  /** Select bytes, or free them where they are selected. */
  keep(range) {
    this.share("select", String(range) === String(this.pinned) ? null : range)
  }

  /** Make a row the current one, bring it into view and point at its bytes. */
  walkTo(row) {
    if (!this.rows.count) return
    this.setCurrent(Math.max(0, Math.min(row, this.rows.count - 1)))
    this.reveal(this.current)
    this.share("hover", this.rowRange(this.current))
  }

  /** Point at the token after or before the bytes pointed at. */
  walkToken(forward) {
    if (this.current < 0) return
    const [start, stop] = this.hot ?? this.rowRange(this.current)
    const whole = this.tokenRange(start)
    const inside = forward && (whole[0] !== start || whole[1] !== stop)
    const byte = inside ? start : forward ? stop : start - 1
    if (byte < 0 || byte >= this.rows.bytes.length) return
    const range = this.tokenRange(byte)
    this.setCurrent(rowOfByte(this.rows, range[0]))
    this.reveal(this.current)
    this.share("hover", range)
  }

  setCurrent(row) {
    this.mounted.get(this.current)?.classList.remove("current")
    this.current = row
    this.mounted.get(row)?.classList.add("current")
    if (row < 0) this.grid.removeAttribute("aria-activedescendant")
    else this.grid.setAttribute("aria-activedescendant", `row-${row}`)
  }

  /** Scroll as little as shows the row below the head. */
  reveal(row) {
    const top = row * this.rowHeight
    const room = this.grid.clientHeight - this.head.offsetHeight
    if (top < this.grid.scrollTop) this.grid.scrollTop = top
    else if (top + this.rowHeight > this.grid.scrollTop + room) this.grid.scrollTop = top + this.rowHeight - room
    this.draw()
  }

  /** Tell the group, this table included, which bytes are pointed at ("hover") or kept ("select"). */
  share(kind, range) {
    const now = kind === "hover" ? this.hot : this.pinned
    if (String(now) === String(range)) return
    const [start, stop] = range ?? [null, null]
    document.dispatchEvent(new CustomEvent(TABLE_EVENT, { detail: { group: this.group, kind, start, stop, from: this.root } }))
  }

  hear({ group, kind, start, stop, from }) {
    if (group !== this.group) return
    const range = start === null ? null : [start, stop]
    if (kind === "hover") this.hot = range
    else this.pinned = range
    if (kind === "select" && range && from !== this.root && this.rows.count) {
      this.setCurrent(rowOfByte(this.rows, start))
      this.reveal(this.current)
    }
    for (const line of this.mounted.values()) this.ring(line)
  }
}
