// Where the player meets Streamlit, which calls this again with the same parent whenever data or theme change.

const PLAYERS = new WeakMap()

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const host = parentElement.querySelector(".tg-merge-player")
  if (!PLAYERS.has(host)) PLAYERS.set(host, { player: createPlayer(host), calls: 0 })
  const mine = PLAYERS.get(host)
  mine.player.update(data, { state: setStateValue, trigger: setTriggerValue })
  const call = ++mine.calls
  // The cleanup of an overtaken call runs beside the next call: only the last call may end the player.
  return () => setTimeout(() => {
    if (mine.calls !== call) return
    mine.player.end()
    PLAYERS.delete(host)
  })
}
