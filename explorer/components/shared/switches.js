// A switch: a button with a track, as wide as its words.

/** Make a switch; its state is the attribute aria-checked, which `flip` leaves to whoever knows better. */
function makeSwitch(label, help, flip) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "tg-switch"
  button.title = help
  button.setAttribute("role", "switch")
  button.onclick = flip
  const track = document.createElement("span")
  track.append(document.createElement("span"))
  button.append(track, label)
  return button
}
