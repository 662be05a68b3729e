// Small makers of elements. Text goes in as text nodes only.

/** An element with a class and children (nodes or strings). */
function makeElement(tag, className = "", ...children) {
  const el = document.createElement(tag)
  if (className) el.className = className
  el.append(...children)
  return el
}

/** An SVG element with attributes. */
function makeSvg(tag, attributes = {}, ...children) {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag)
  setAttributes(el, attributes)
  el.append(...children)
  return el
}

function setAttributes(el, attributes) {
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value)
}

const NUMBER = new Intl.NumberFormat("en-US")

/** A number as people read it: "2,000". */
function grouped(number) {
  return NUMBER.format(number)
}

/** A count with its noun: "1 token", "2,000 tokens". */
function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`
}
