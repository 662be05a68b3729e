const LOOK_MS = 300

// Plotly puts `on` on the element of a chart; Streamlit mounts a new element when the data change.
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".tg-chart-memory")
  const name = CSS.escape(data.chart_key.replaceAll(/[^a-zA-Z0-9_-]/g, "-"))
  const watch = () => {
    const chart = document.querySelector(`.st-key-${name} .js-plotly-plot`)
    if (!chart?.on || chart === root.chart) return
    root.chart = chart
    chart.on("plotly_relayout", (change) => {
      const zoom = ranges(change)
      if (zoom) setStateValue("zoom", { ...root.zoom, ...zoom })
      root.zoom = { ...root.zoom, ...zoom }
    })
    chart.on("plotly_doubleclick", () => {
      root.zoom = {}
      setStateValue("zoom", null)
    })
    chart.on("plotly_click", (event) => {
      const key = event.points[0]?.customdata?.[1]
      if (key) setTriggerValue("picked", key)
    })
  }
  watch()
  const timer = setInterval(watch, LOOK_MS)
  return () => clearInterval(timer)
}

function ranges(change) {
  const zoom = {}
  for (const axis of ["x", "y"]) {
    const low = change[`${axis}axis.range[0]`]
    const high = change[`${axis}axis.range[1]`]
    if (low !== undefined && high !== undefined) zoom[axis] = [Number(low), Number(high)]
  }
  return Object.keys(zoom).length ? zoom : null
}
