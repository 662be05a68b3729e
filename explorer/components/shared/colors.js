// Color: neighbors on a line never share a lightness tier (slot & 3).

/**
 * Shift the slots of a line's tokens until no two neighbors share a tier.
 *
 * From the longest token to the shortest (ties: left first) each takes its own slot, or the next one whose tier no placed
 * neighbor holds. A slot of -1 (special, unknown) stays and holds no tier.
 */
function assignSlots(pieceSlots, lengths) {
  const order = pieceSlots.map((_, i) => i).sort((a, b) => lengths[b] - lengths[a] || a - b)
  const slots = pieceSlots.map(() => -1)
  const holds = (i, tier) => slots[i] >= 0 && (slots[i] & 3) === tier
  for (const i of order) {
    let slot = pieceSlots[i]
    if (slot < 0) continue
    while (holds(i - 1, slot & 3) || holds(i + 1, slot & 3)) slot = (slot + 1) & 7
    slots[i] = slot
  }
  return slots
}
