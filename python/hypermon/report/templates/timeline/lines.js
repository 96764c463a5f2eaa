// The tree of nodes, and which of them are lines now: folded, ordered, hidden.
const root = { name: "", children: [], parent: null, level: -1, folded: false, hidden: false };
const nodes = []; // by number, as they were first

function nodeOf(path) {
  let node = root;
  for (const name of path) {
    let child = node.children.find((one) => one.name === name);
    if (!child) {
      child = { name, children: [], parent: node, level: node.level + 1, folded: false, hidden: false, number: 0 };
      node.children.push(child);
    }
    node = child;
  }
  return node;
}
function placed(path, run) { // a free node of that path
  const own = head.runs.length > 1 ? [head.runs[run].name, ...path] : [...path];
  let node = nodeOf(own);
  for (let n = 2; node.track || node.statistic; n++) node = nodeOf([...own.slice(0, -1), `${own.at(-1)} (${n})`]);
  return node;
}
const MOST_LINES = 80; // at first
const hasLoss = (node) => !!(node.statistic?.lost && node.statistic.values.at(-1) > 0) || node.children.some(hasLoss);
function plant() {
  for (const track of tracks) (track.node = placed(track.path, track.run)).track = track;
  for (const one of statistics) (one.node = placed(one.path, one.run)).statistic = one;
  const walk = (node) => { node.number = nodes.push(node) - 1; node.first = [...node.children]; node.children.forEach(walk); };
  root.children.sort((a, b) => hasLoss(b) - hasLoss(a)); // hardware that lost data explains the losses below it
  root.first = [...root.children];
  root.children.forEach(walk);
  for (const node of nodes) node.folded = !node.children.length && node.track?.lanes > 1;
  for (const node of nodes) if (node.children.length === 1 && !node.children[0].children.length && node.children[0].track && !node.track) node.folded = true;
  const fold = (which) => { if (flat().length > MOST_LINES) for (const node of nodes) if (node.children.length && which(node)) node.folded = true; };
  fold((node) => !node.track && node.children.every((one) => one.statistic));
  fold((node) => node.track);
  for (let level = Math.max(...nodes.map((node) => node.level)); level >= 0; level--) fold((node) => node.level === level);
  for (const node of nodes) node.foldedFirst = node.folded;
}
const foldable = (node) => node.children.length > 0 || node.track?.lanes > 1;
function below(node, found = []) { // itself and what is below it, without what is hidden
  if (!node.hidden) { found.push(node); for (const child of node.children) below(child, found); }
  return found;
}
function flat(node = root, found = []) {
  for (const child of node.children) {
    if (child.hidden) continue;
    const kind = child.statistic ? "statistic" : child.track ? "states" : "group";
    found.push({ node: child, kind, lane: -1, level: child.level });
    if (child.folded) continue;
    if (child.track?.lanes > 1)
      for (let lane = 0; lane < child.track.lanes; lane++) found.push({ node: child, kind: "lane", lane, level: child.level + 1 });
    flat(child, found);
  }
  return found;
}
// What the line shows: its node's own track, of a folded node without one those below it.
function tracksOf({ node, kind }) {
  if (kind === "statistic") return [];
  if (node.track) return [node.track];
  return node.folded ? below(node).flatMap((one) => one.track ?? []) : [];
}
function trackAlone(line) { // the only one; null: it shows several, or none
  const own = tracksOf(line);
  return own.length === 1 ? own[0] : null;
}
const SIZES = { small: 14, normal: 20, tall: 34 };
let size = "normal", lines = [], total = 0;
function layout() {
  lines = flat();
  total = 0;
  for (const line of lines) {
    line.top = total;
    line.height = Math.round((line.kind === "statistic" ? 1.7 : 1) * SIZES[size]);
    total += line.height;
  }
}
function lineAt(y) {
  let low = 0, high = lines.length - 1;
  if (y < 0 || y >= total) return null;
  while (low < high) { const middle = (low + high + 1) >> 1; if (lines[middle].top <= y) low = middle; else high = middle - 1; }
  return lines[low];
}
// The line that shows a state: its lane's, its track's, or that of a folded node around it; null: hidden.
function lineOf(track, i) {
  let node = track.node, shown = node;
  for (let one = node; one !== root; one = one.parent) {
    if (one.hidden) return null;
    if (one !== node && one.folded) shown = one;
  }
  const lane = shown === node && !node.folded && track.lanes > 1 ? track.lane[i] : -1;
  return lines.find((line) => line.node === shown && (lane < 0 || line.lane === lane)) ?? null;
}
function reveal(track) { // unfold and show what is around it
  for (let one = track.node; one !== root; one = one.parent) {
    one.hidden = false;
    if (one !== track.node) one.folded = false;
  }
  if (track.lanes > 1) track.node.folded = false;
}
function move(node, steps) {
  const among = node.parent.children, from = among.indexOf(node), shown = among.filter((one) => !one.hidden);
  const beside = shown[shown.indexOf(node) + steps];
  if (!beside) return;
  among.splice(from, 1);
  among.splice(among.indexOf(beside) + (steps > 0 ? 1 : 0), 0, node);
}
