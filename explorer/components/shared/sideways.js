// A table that is wider than its place: how many columns lie out of view at either side, and the way to them.

/** Return what stands above a table that scrolls in `scroll`; its first column stays where it is. */
function sidewaysSign(scroll) {
  const sign = document.createElement("div")
  sign.className = "tg-sideways"
  const ways = [-1, 1].map((way) => {
    const button = document.createElement("button")
    button.type = "button"
    button.onclick = () => scroll.scrollBy({ left: way * 0.8 * room() })
    sign.append(button)
    return button
  })
  const heads = () => Array.from(scroll.querySelectorAll("thead th"), (head) => head.getBoundingClientRect())
  const room = () => scroll.clientWidth - (heads()[0]?.width ?? 0)
  const tell = () => {
    const [first, ...others] = heads()
    const end = scroll.getBoundingClientRect().left + scroll.clientWidth
    const before = first ? others.filter(({ left }) => left < first.right - 8).length : 0
    const after = others.filter(({ right }) => right > end + 8).length
    const named = (count) => `${count} more ${count === 1 ? "column" : "columns"}`
    ways[0].textContent = `\u2190 ${named(before)}`
    ways[1].textContent = `${named(after)} \u2192`
    ways[0].hidden = !before
    ways[1].hidden = !after
  }
  scroll.addEventListener("scroll", tell, { passive: true })
  new ResizeObserver(tell).observe(scroll)
  return sign
}
