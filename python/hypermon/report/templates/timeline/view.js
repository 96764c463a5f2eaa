// What is seen: a stretch of time of all lines, those before it (undo), and all of it in the page's address.
const scroller = document.getElementById("lines");
const room = { width: 800, height: 400 }; // of the picture, in CSS pixels
const bounds = { from: 0, to: 1 }, home = { from: 0, to: 1 }, view = { from: 0, to: 1 }, before = [];
let aligned = head.align, interval = null, selected = -1, chain = null, frame = 0, drawn = 0;

const offset = (run) => (aligned ? 0 : head.runs[run].begin);
function measureBounds() {
  bounds.from = Math.min(...head.runs.map((_, i) => offset(i)));
  bounds.to = Math.max(...head.runs.map((one, i) => offset(i) + one.end));
}
// The first view: all states. Statistics may go on for long after them.
function measureHome() {
  let from = Infinity, to = -Infinity;
  for (const track of tracks) {
    if (!track.n) continue;
    from = Math.min(from, track.begin[0] + offset(track.run));
    for (let i = 0; i < track.n; i++) if (track.end[i] + offset(track.run) > to) to = track.end[i] + offset(track.run);
  }
  const span = to - from;
  home.from = bounds.from; home.to = bounds.to;
  if (!(span > 0) || span > 0.9 * (bounds.to - bounds.from)) return;
  home.from = Math.max(bounds.from, from - 0.02 * span); home.to = Math.min(bounds.to, to + 0.02 * span);
}
const LEAST = 8; // units in the whole width
let lastZoom = -1e9;
function show(from, to, { keep = true } = {}) {
  const span = Math.min(Math.max(to - from, LEAST), (bounds.to - bounds.from) * 1.02);
  if (to - from !== span) { const middle = (from + to) / 2; from = middle - span / 2; }
  from = Math.min(Math.max(from, bounds.from - span * 0.01), bounds.to + span * 0.01 - span);
  if (from === view.from && from + span === view.to) return;
  const now = performance.now();
  if (keep && now - lastZoom > 400) { before.push([view.from, view.to]); if (before.length > 200) before.shift(); }
  if (keep) lastZoom = now;
  view.from = from; view.to = from + span;
  update();
}
const zoom = (factor, at = (view.from + view.to) / 2) => show(at - (at - view.from) * factor, at + (view.to - at) * factor);
const pan = (part) => { const by = (view.to - view.from) * part; show(view.from + by, view.to + by); };
const showAll = () => { lastZoom = -1e9; show(bounds.from, bounds.to); };
function undo() { const last = before.pop(); if (last) { show(...last, { keep: false }); lastZoom = -1e9; } }

function update() { // draws once before the next frame, whatever has changed since the last one
  if (frame) return;
  frame = requestAnimationFrame(() => { frame = 0; drawAll(); });
}
function drawAll() {
  drawn = draw();
  drawAxis();
  drawOverview();
  hashLater();
}

// The address: #v=from,to&fold=...&hide=...&order=...&op=...; what is as it was first is not in it.
let hashTimer = 0;
function hashLater() { clearTimeout(hashTimer); hashTimer = setTimeout(writeHash, 150); }
function writeHash() {
  const parts = [], list = (key, found) => found.length && parts.push(`${key}=${found.join(".")}`);
  if (view.from !== home.from || view.to !== home.to) parts.push(`v=${+view.from.toFixed(2)},${+view.to.toFixed(2)}`);
  list("fold", nodes.filter((one) => one.folded !== one.foldedFirst).map((one) => one.number));
  list("hide", nodes.filter((one) => one.hidden).map((one) => one.number));
  const moved = [root, ...nodes].filter((one) => one.first && one.children.some((child, i) => child !== one.first[i]));
  if (moved.length) parts.push("order=" + moved.map((one) => one.children.map((child) => child.number).join(".")).join(","));
  if (selected >= 0) parts.push(`op=${selected}`);
  if (interval) parts.push(`i=${interval.map((t) => +t.toFixed(2)).join(",")}`);
  if (size !== "normal") parts.push(`size=${size}`);
  if (aligned !== head.align) parts.push(`align=${aligned ? 1 : 0}`);
  if (query.value) parts.push(`q=${encodeURIComponent(query.value)}`);
  const hash = parts.length ? "#" + parts.join("&") : location.pathname.split("/").at(-1);
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
function readHash() {
  const given = new URLSearchParams(location.hash.slice(1)), numbers = (key, by = ".") => (given.get(key) ?? "").split(by).filter((one) => one !== "").map(Number).filter(Number.isFinite);
  aligned = given.has("align") ? given.get("align") === "1" : head.align;
  size = given.get("size") in SIZES ? given.get("size") : "normal";
  for (const one of nodes) { one.folded = one.foldedFirst; one.hidden = false; one.children = [...one.first]; }
  root.children = [...root.first];
  for (const n of numbers("fold")) if (nodes[n]) nodes[n].folded = !nodes[n].foldedFirst;
  for (const n of numbers("hide")) if (nodes[n]) nodes[n].hidden = true;
  for (const order of (given.get("order") ?? "").split(",")) {
    const children = order.split(".").map((n) => nodes[Number(n)]).filter(Boolean), parent = children[0]?.parent;
    if (parent && children.length === parent.first.length && new Set(children).size === children.length && children.every((one) => one.parent === parent)) parent.children = children;
  }
  measureBounds();
  measureHome();
  const [from, to] = numbers("v", ","), [a, b] = numbers("i", ",");
  view.from = home.from; view.to = home.to;
  if (to > from) show(from, to, { keep: false });
  interval = b > a ? [a, b] : null;
  query.value = given.get("q") ?? "";
  const [op] = numbers("op");
  selected = Number.isInteger(op) && op >= 0 && op < events ? op : -1;
}
