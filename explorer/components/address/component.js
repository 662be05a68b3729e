// Streamlit itself writes every change of a query into the history, one entry a keystroke; so the page does it here.

const PATIENCE = 300 // ms of rest before the address follows typing: browsers stop pages that write too often

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tg-address")
  const first = root.query === undefined
  const path = location.pathname
  // What was written already is not written again: after "back", one run still has the view that was left.
  if (data.query !== root.query) {
    const decided = !first && data.lasting !== root.lasting
    if (decided) root.flush?.() // what was typed before a decision stays where "back" leads
    clearTimeout(root.timer)
    root.flush = () => {
      clearTimeout(root.timer)
      root.flush = null
      const search = data.query ? `?${data.query}` : ""
      if (location.search === search || location.pathname !== path) return // the reader went to another page meanwhile
      history[decided ? "pushState" : "replaceState"](history.state, "", location.pathname + search + location.hash)
    }
    if (decided || first) root.flush()
    else root.timer = setTimeout(root.flush, PATIENCE)
    root.query = data.query
    root.lasting = data.lasting
  }
  const popped = () => {
    clearTimeout(root.timer)
    root.flush = null
    if (location.pathname === path) setTriggerValue("popped", location.search)
  }
  window.addEventListener("popstate", popped)
  return () => window.removeEventListener("popstate", popped)
}
