// Long content is drawn where it is looked at: a block is an empty box of about the right height until it comes near.

/** The nearest box that scrolls `el`, across shadow roots, or null for the window. */
function scrollingBox(el) {
  for (let node = el; node instanceof Element; node = node.assignedSlot ?? node.parentElement ?? node.getRootNode().host) {
    if (/auto|scroll/.test(getComputedStyle(node).overflowY)) return node
  }
  return null
}

/**
 * Fill `box` with blocks.
 *
 * @param {object} how
 *   draw(i, block): fill the block, which may hold what it drew before; height(i): its estimated height in px; keeps(): true while drawn blocks may not be emptied;
 *   margin: how near, in px, a block comes to the view before it is drawn
 * @returns show(count): (re)draw with so many blocks; need(i): draw block i now; dispose()
 */
function virtualBlocks(box, { draw, height, keeps = () => false, margin }) {
  const blocks = []
  const drawn = new Set()
  let heights = [] // estimated
  let observer = null
  let watched = null

  const fill = (i) => {
    drawn.add(i)
    blocks[i].style.height = ""
    draw(i, blocks[i])
  }
  const empty = (i) => {
    blocks[i].style.height = `${blocks[i].offsetHeight}px`
    blocks[i].replaceChildren()
    drawn.delete(i)
  }
  const watch = () => {
    const root = scrollingBox(box)
    if (observer && root === watched) return
    observer?.disconnect()
    watched = root
    observer = new IntersectionObserver(
      (entries) => {
        const changed = entries.filter(({ target, isIntersecting }) => {
          return blocks[target.tgIndex] === target && isIntersecting !== drawn.has(target.tgIndex)
        })
        const keep = changed.length > 0 && keeps()
        for (const { target, isIntersecting } of changed) {
          if (isIntersecting) fill(target.tgIndex)
          else if (!keep) empty(target.tgIndex)
        }
      },
      { root, rootMargin: `${margin}px 0px` },
    )
    blocks.forEach((block) => observer.observe(block))
  }

  /** Draw at once what the first frame shows, by estimate; the observer brings the rest. */
  const fillView = () => {
    const frame = watched?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight }
    let top = box.getBoundingClientRect().top - (box === watched ? box.scrollTop : 0)
    for (let i = 0; i < blocks.length && top < frame.bottom; i++) {
      if (!drawn.has(i) && top + heights[i] > frame.top) fill(i)
      top += heights[i]
    }
  }

  return {
    show(count) {
      watch()
      // All measuring comes before all drawing: each look at the page after a change would lay it out again.
      heights = Array.from({ length: count }, (_, i) => height(i))
      for (const block of blocks.splice(count)) {
        observer.unobserve(block)
        drawn.delete(block.tgIndex)
        block.remove()
      }
      const added = document.createDocumentFragment()
      while (blocks.length < count) {
        const block = document.createElement("div")
        block.tgIndex = blocks.length
        block.style.height = `${heights[blocks.length]}px`
        blocks.push(block)
        added.append(block)
        observer.observe(block)
      }
      box.append(added)
      for (const i of drawn) fill(i)
      if (drawn.size < count && box.checkVisibility()) fillView()
    },
    need(i) {
      if (i < blocks.length && !drawn.has(i)) fill(i)
    },
    dispose: () => observer?.disconnect(),
  }
}
