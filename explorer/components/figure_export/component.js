const SVG_NS = "http://www.w3.org/2000/svg"
const PNG_SCALE = 2
const KINDS = ["PNG", "SVG", "CSV"]

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".tg-figure-export")
  if (!root.children.length) {
    root.setAttribute("role", "group")
    const said = document.createElement("span")
    said.className = "said"
    said.setAttribute("role", "status")
    root.append(said)
    KINDS.forEach((kind, place) => {
      if (place) root.append(" · ")
      const button = root.appendChild(document.createElement("button"))
      button.type = "button"
      button.textContent = kind
    })
  }
  root.setAttribute("aria-label", `Download ${data.title}`)
  const said = root.querySelector(".said")
  for (const button of root.querySelectorAll("button")) {
    button.hidden = false
    button.setAttribute("aria-label", `${button.textContent} of ${data.title}`)
    button.onclick = async () => {
      said.textContent = ""
      try {
        save(await made[button.textContent](data), `${data.filename}.${button.textContent.toLowerCase()}`)
      } catch (error) {
        said.textContent = error.message
      }
    }
  }
}

const made = {
  CSV: async (data) => new Blob([data.csv], { type: "text/csv;charset=utf-8" }),
  SVG: async (data) => {
    const svg = figure(data)
    return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml;charset=utf-8" })
  },
  PNG: async (data) => {
    const svg = figure(data)
    svg.prepend(await fontsOfPage(svg))
    const picture = new Image()
    const url = URL.createObjectURL(
      new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml;charset=utf-8" }),
    )
    try {
      picture.src = url
      await picture.decode()
      const canvas = document.createElement("canvas")
      canvas.width = PNG_SCALE * Number(svg.getAttribute("width"))
      canvas.height = PNG_SCALE * Number(svg.getAttribute("height"))
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
      return await new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The figure is too large for a PNG."))), "image/png"),
      )
    } finally {
      URL.revokeObjectURL(url)
    }
  },
}

// One SVG of all the layers that plotly stacks, as wide and high as on the page, on the color of the page.
function figure(data) {
  const name = data.chart_key.trim().replaceAll(/[^a-zA-Z0-9_-]/g, "-") // as Streamlit writes the key into a class
  const chart = document.querySelector(`.st-key-${CSS.escape(name)} .js-plotly-plot`)
  const layers = [...(chart?.querySelectorAll(".main-svg") ?? [])]
  if (!layers.length) throw new Error("The chart is not drawn yet.")
  const { width, height } = layers[0].getBoundingClientRect()
  const size = { width: Math.round(width), height: Math.round(height) }
  const svg = element("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "img" })
  svg.append(element("title", {}, data.title), element("rect", { ...size, fill: pageColor(chart) }))
  for (const layer of layers) {
    const group = svg.appendChild(element("g", {}))
    for (const child of layer.children) group.append(child.cloneNode(true))
  }
  // What answers the pointer is no part of the picture.
  for (const part of svg.querySelectorAll(".draglayer, .hoverlayer, .zoomlayer")) part.remove()
  // On the page a line keeps its width while it is zoomed; in a file it grows with the rest.
  for (const part of svg.querySelectorAll("[style*=vector-effect]")) part.style.vectorEffect = ""
  // The page's style sheet says this to plotly's lines; the file has none.
  for (const part of svg.querySelectorAll(".crisp")) part.setAttribute("shape-rendering", "crispEdges")
  return svg
}

function element(name, attributes, text = "") {
  const made = document.createElementNS(SVG_NS, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}

// The first ground under the chart that is not transparent.
function pageColor(chart) {
  for (let box = chart; box; box = box.parentElement) {
    const color = getComputedStyle(box).backgroundColor
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(color)) return color
  }
  return "#FFFFFF"
}

// A <style> with the page's own font files: an SVG that is drawn as a picture may not look outside itself.
// They lie on the server that sent the page and, as the chart shows them, in the browser's cache.
async function fontsOfPage(svg) {
  const wanted = new XMLSerializer().serializeToString(svg)
  const rules = [...document.styleSheets].flatMap(rulesOf).filter((rule) => rule instanceof CSSFontFaceRule)
  const used = rules.filter((rule) => wanted.includes(rule.style.getPropertyValue("font-family").replaceAll('"', "")))
  const faces = await Promise.all(used.map(inlined))
  return element("style", {}, faces.join("\n"))
}

function rulesOf(sheet) {
  try {
    return [...sheet.cssRules]
  } catch {
    return [] // a sheet of another origin
  }
}

async function inlined(rule) {
  const address = /url\(["']?([^"')]+)["']?\)/.exec(rule.style.getPropertyValue("src"))?.[1]
  if (!address) return ""
  const url = new URL(address, rule.parentStyleSheet.href ?? document.baseURI)
  if (url.origin !== location.origin) return "" // nothing is fetched from the net
  try {
    const bytes = await (await fetch(url)).blob()
    const text = await new Promise((resolve, reject) => {
      const reader = new FileReader()
      reader.onload = () => resolve(reader.result)
      reader.onerror = reject
      reader.readAsDataURL(bytes)
    })
    return rule.cssText.replace(address, text)
  } catch {
    return "" // the picture then takes the next font of the list
  }
}

function save(blob, filename) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000) // some browsers read it after the click
}
