// Under the pointer: what is there. Wheel, drag, click, keys.
const tip = document.getElementById("tip"), hair = document.getElementById("hair");
const timeAt = (x) => view.from + (x / room.width) * (view.to - view.from);

// What is drawn there: the line, the time, the operations (the innermost first), a statistic's value.
function under(x, y) {
  const line = lineAt(y + scroller.scrollTop), t = timeAt(x), near = (2 * (view.to - view.from)) / room.width;
  if (!line) return { t, line: null, found: [] };
  const { node, lane } = line;
  if (line.kind === "statistic") return { t, line, found: [], value: valueAt(node.statistic, start(node.statistic.run, t)) };
  const found = [];
  for (const track of tracksOf(line)) {
    const at = start(track.run, t);
    for (let one = track.lanes > 1 && lane < 0 ? 0 : Math.max(lane, 0); one < (lane < 0 ? track.lanes : lane + 1); one++)
      for (let depth = track.depths - 1; depth >= 0; depth--) {
        const row = rowOf(track, one, depth), exact = eventIn(track, row, at, at), i = exact >= 0 ? exact : eventIn(track, row, at - near, at + near);
        if (i >= 0) found.push({ event: track.first + i, depth, distance: Math.max(0, track.begin[i] - at, at - track.end[i]) });
      }
  }
  found.sort((a, b) => a.distance - b.distance || b.depth - a.depth);
  return { t, line, found: found.map((one) => one.event) };
}
const SHOWN = 4;
function describe({ t, line, found, value }) {
  const parts = [made("p", { class: "muted" }, timeText(t, (view.to - view.from) / room.width), line ? ` · ${pathText(line.node)}` : "")];
  if (line?.kind === "statistic") {
    const unit = line.node.statistic.unit, fine = resolution(), by = offset(line.node.statistic.run);
    parts.push(made("p", {}, value ? made("b", {}, valueText(value[0], unit)) : "no value", value ? made("span", { class: "muted" }, ` ${line.node.statistic.exact ? "from" : "mean from"} ${timeText(value[1] + by, fine)} to ${timeText(value[2] + by, fine)}`) : ""));
  }
  found.slice(0, SHOWN).forEach((event, k) => {
    const track = trackOf(event), i = event - track.first, [first, ...rest] = timesOf(track, i);
    parts.push(made("p", {}, swatch(track.name[i]), made("b", {}, head.names[track.name[i]]), ` ${rest.length ? rest.at(-1)[1] : ""}`));
    if (k === 0) parts.push(rowsOf([[first[0], first[1]], ...rest.slice(0, 1), ...detailsOf(track, i).map(([key, one]) => [key, detailText(key, one)])]));
  });
  if (found.length > SHOWN) parts.push(made("p", { class: "muted" }, `and ${found.length - SHOWN} more here`));
  return parts;
}
function hover(event) {
  const box = picture.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  hair.hidden = tip.hidden = x < 0 || x > room.width || y < 0 || y > room.height || !!drag;
  hair.style.left = event.clientX + "px";
  if (tip.hidden) return;
  tip.replaceChildren(...describe(under(x, y)));
  const wide = tip.offsetWidth, high = tip.offsetHeight;
  tip.style.left = (event.clientX + 16 + wide > innerWidth ? event.clientX - 16 - wide : event.clientX + 16) + "px";
  tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - high - 4)) + "px";
}

let drag = null; // {kind: pan, select, overview; where it began}
function pointerDown(event, kind) {
  if (event.button !== 0) return;
  event.target.setPointerCapture(event.pointerId);
  const x = event.clientX - picture.getBoundingClientRect().left;
  drag = { kind, x, y: event.clientY, from: view.from, to: view.to, scroll: scroller.scrollTop, t: timeAt(x), moved: false };
}
function pointerMove(event) {
  if (!drag) { hover(event); return; }
  const x = event.clientX - picture.getBoundingClientRect().left;
  drag.moved ||= Math.abs(x - drag.x) + Math.abs(event.clientY - drag.y) > 4;
  if (!drag.moved) return;
  hair.hidden = tip.hidden = true;
  if (drag.kind === "pan") {
    const by = ((drag.x - x) / room.width) * (drag.to - drag.from);
    show(drag.from + by, drag.to + by);
    scroller.scrollTop = drag.scroll + drag.y - event.clientY;
  } else if (drag.kind === "select") { interval = [drag.t, timeAt(x)].sort((a, b) => a - b); update(); } else middle(x);
}
function middle(x) { // of the overview
  const t = bounds.from + (x / room.width) * (bounds.to - bounds.from), half = (view.to - view.from) / 2;
  show(t - half, t + half);
}
function pointerUp(event) {
  if (!drag) return;
  const { kind, moved, x } = drag;
  drag = null;
  if (kind === "select" && moved) choose(interval);
  if (kind === "overview" && !moved) middle(x);
  if (kind === "pan" && !moved) select(under(x, event.clientY - picture.getBoundingClientRect().top).found[0] ?? -1);
}
for (const [element, kind] of [[picture, "pan"], [axis, "select"], [overview, "overview"]]) {
  element.addEventListener("pointerdown", (event) => pointerDown(event, kind === "pan" && event.shiftKey ? "select" : kind));
  element.addEventListener("pointermove", pointerMove);
  element.addEventListener("pointerup", pointerUp);
  element.addEventListener("pointercancel", () => { drag = null; });
  element.addEventListener("wheel", wheel, { passive: false });
}
picture.addEventListener("pointerleave", () => { hair.hidden = tip.hidden = true; });
picture.addEventListener("dblclick", () => { if (selected >= 0) { const track = trackOf(selected), i = selected - track.first, by = offset(track.run), long = Math.max(track.end[i] - track.begin[i], LEAST / 4); lastZoom = -1e9; show(track.begin[i] + by - long * 0.2, track.end[i] + by + long * 0.2); } });
function wheel(event) {
  event.preventDefault();
  const step = event.deltaMode === 1 ? 30 : 1;
  if (event.altKey) scroller.scrollTop += event.deltaY * step;
  else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(((event.deltaX || event.deltaY) * step) / 1000);
  else zoom(Math.exp((Math.min(200, Math.max(-200, event.deltaY * step)) / 1000) * 2), timeAt(event.clientX - picture.getBoundingClientRect().left));
}

const help = document.getElementById("help");
const KEYS = {
  "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), w: () => zoom(0.5), s: () => zoom(2), a: () => pan(-0.25), d: () => pan(0.25),
  ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1), ArrowUp: () => { scroller.scrollTop -= 60; }, ArrowDown: () => { scroller.scrollTop += 60; },
  PageUp: () => { scroller.scrollTop -= room.height * 0.8; }, PageDown: () => { scroller.scrollTop += room.height * 0.8; },
  Home: showAll, 0: showAll, Backspace: undo, u: undo, Enter: zoomToInterval, n: () => next(1), N: () => next(-1),
  f: () => selected >= 0 && select(selected, { go: true }), "/": () => query.focus(), "?": () => (help.open ? help.close() : help.showModal()),
  Escape: () => { if (help.open) help.close(); else if (interval) choose(null); else select(-1); },
};
document.addEventListener("keydown", (event) => {
  if (["INPUT", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
  const act_ = KEYS[event.key];
  if (act_) { event.preventDefault(); act_(); }
});
