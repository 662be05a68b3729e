// Where the lattice meets Streamlit, which calls this again with the same parent whenever data or theme change.

const PICTURES = new WeakMap()

export default function ({ data, parentElement }) {
  const host = parentElement.querySelector(".tg-lattice")
  if (!PICTURES.has(host)) PICTURES.set(host, createLattice(host))
  PICTURES.get(host)(data)
}
