const PHONE = "(max-width: 640px)"
const WHITE = "rgb(255, 255, 255)"

export default function ({ data, parentElement, setStateValue }) {
  const query = matchMedia(PHONE)
  let told = data.known
  const tell = () => {
    if (query.matches === told) return
    told = query.matches
    setStateValue("narrow", told)
  }
  tell()
  query.addEventListener("change", tell)
  const root = parentElement.querySelector(".tg")
  const turned = () => setStateValue("dark", getComputedStyle(root).color === WHITE)
  root.addEventListener("transitionend", turned)
  return () => {
    query.removeEventListener("change", tell)
    root.removeEventListener("transitionend", turned)
  }
}
