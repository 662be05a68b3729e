// What differs in words between an algorithm that merges pairs and one that prunes in rounds.

const MERGING = {
  step: "Step",
  speed: "30",
  touch: (done, all) => (all ? `${grouped(done)} of ${counted(all, "merge")} that touch${all === 1 ? "es" : ""} it` : "no merge touches it"),
  caption: "step, log scale; each tick is a merge that touches this passage",
  start: (length, unit) => `${grouped(length)} ${unit} before the first merge`,
  first: "To the alphabet (Home)",
  back: "Back to the last merge that touches this passage (Left)",
  forward: "On to the next merge that touches this passage (Right)",
  last: "To the last step (End)",
}

const RANKED = { ...MERGING, speed: "3", caption: "step, log scale: each is a merge that fires in this passage, in order of rank" }

const PRUNING = {
  step: "Round",
  speed: "1",
  touch: (done, all) => (all ? `${grouped(done)} of ${counted(all, "round")} that change${all === 1 ? "s" : ""} it` : "no round changes it"),
  caption: "round; each tick is one that changes this passage",
  start: (length) => `${counted(length, "token")} with the seed pieces`,
  first: "To the seed pieces (Home)",
  back: "Back to the last round that changes this passage (Left)",
  forward: "On to the next round that changes this passage (Right)",
  last: "To the last round (End)",
}

/** The words for a trace; `isPruning` says which kind it is. */
function wordsFor(data) {
  if (isPruning(data)) return PRUNING
  return data.ranks ? RANKED : MERGING
}

function isPruning(data) {
  return data.algorithm === "unigram"
}
