// Streamlit itself writes every change of a query into the history, one entry a keystroke; so the page does it here.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tg-address")
  const first = root.query === undefined
  // What was written already is not written again: after "back", one run still has the view that was left.
  if (data.query !== root.query) {
    const search = data.query ? `?${data.query}` : ""
    if (location.search !== search) {
      const push = !first && data.lasting !== root.lasting
      history[push ? "pushState" : "replaceState"](history.state, "", location.pathname + search + location.hash)
    }
    root.query = data.query
    root.lasting = data.lasting
  }
  const path = location.pathname
  const popped = () => location.pathname === path && setTriggerValue("popped", location.search)
  window.addEventListener("popstate", popped)
  return () => window.removeEventListener("popstate", popped)
}
