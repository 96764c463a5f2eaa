// The panel at the right: the selected operation with its relations, the selected interval, what is found, the legend.
const byDoc = (id) => document.getElementById(id);
const rowsOf = (pairs) => made("dl", {}, ...pairs.map(([key, value]) => made("div", {}, made("dt", {}, key), made("dd", {}, value))));
const swatch = (name) => made("span", { class: "swatch", style: `background:${head.colours[name]}`, "aria-hidden": "true" });
const resolution = () => Math.max(1, (view.to - view.from) / 1e5);

function timesOf(track, i) {
  const by = offset(track.run), begin = track.begin[i] + by, end = track.end[i] + by, fine = Math.max(1, (end - begin) / 1e4);
  return begin === end ? [["at", timeText(begin, fine)]] : [["begin", timeText(begin, fine)], ["end", timeText(end, fine)], ["duration", durationText(end - begin)]];
}
const detailText = (key, value) => (typeof value === "number" ? grouped(String(value)) + (key === "bytes" ? "\u202fB" : "") : value);

function jump({ event, steps }) {
  const track = trackOf(event), i = event - track.first;
  return made("li", { style: `margin-left:${Math.min(steps - 1, 8) * 10}px` }, made("button", { type: "button", class: "jump", onclick: () => select(event, { go: true }) },
    swatch(track.name[i]), made("b", {}, head.names[track.name[i]]), ` ${pathText(track.node)} `, made("span", { class: "muted" }, timeText(track.begin[i] + offset(track.run), resolution()), ", ", durationText(track.end[i] - track.begin[i]))));
}
function listed_(title, found, more) {
  return found.length ? [made("h3", {}, `${title} (${found.length + more})`), made("ol", { class: "jumps" }, ...found.map(jump)), ...(more ? [made("p", { class: "muted" }, `and ${more} more`)] : [])] : [];
}
function fillOperation() {
  const box = byDoc("operation");
  if (selected < 0) { box.replaceChildren(made("p", { class: "muted" }, "Click an operation: its details, what caused it, and what came of it.")); return; }
  const track = trackOf(selected), i = selected - track.first, own = idOf(selected), inorder = (list) => list.toSorted((a, b) => a.steps - b.steps || timeOf(a.event) - timeOf(b.event));
  const pairs = [...timesOf(track, i), ...(own ? [["id", idText(own)]] : []), ...detailsOf(track, i).map(([key, value]) => [key, detailText(key, value)])];
  box.replaceChildren(
    made("p", { class: "title" }, swatch(track.name[i]), made("b", {}, head.names[track.name[i]])), made("p", { class: "muted" }, pathText(track.node)), rowsOf(pairs),
    ...(chain ? [...listed_("Caused by", inorder(chain.causes.found), chain.causes.more), ...listed_("Came of it", inorder(chain.effects.found), chain.effects.more), ...listed_("The same operation elsewhere", chain.same.map((event) => ({ event, steps: 1 })), 0)] : []),
    ...(own && !chain?.causes.found.length && !chain?.effects.found.length && details ? [made("p", { class: "muted" }, "Nothing is recorded of causes or effects.")] : []),
    made("button", { type: "button", onclick: () => select(selected, { go: true }) }, "Show it"), " ", made("button", { type: "button", onclick: () => select(-1) }, "Clear"));
}
const timeOf = (event) => { const track = trackOf(event); return track.begin[event - track.first] + offset(track.run); };

// Of each line that is shown: how long it was in which states within [from, to), how often they began; statistics' means.
function within(from, to) {
  const found = [];
  for (const line of lines) {
    if (line.kind === "lane" || (line.kind === "group" && !line.node.folded)) continue;
    if (line.kind === "statistic") { found.push({ node: line.node, statistic: statisticWithin(line.node.statistic, start(line.node.statistic.run, from), start(line.node.statistic.run, to)) }); continue; }
    const names = new Map();
    for (const track of tracksOf(line)) {
      const a = start(track.run, from), b = start(track.run, to);
      for (let i = 0; i < track.n && track.begin[i] < b; i++) {
        if (track.end[i] < a || (track.end[i] === a && track.begin[i] < a)) continue;
        const one = names.get(track.name[i]) ?? { name: track.name[i], time: 0, began: 0 };
        one.time += Math.min(track.end[i], b) - Math.max(track.begin[i], a);
        if (track.begin[i] >= a) one.began++;
        names.set(track.name[i], one);
      }
    }
    if (names.size) found.push({ node: line.node, names: [...names.values()].sort((x, y) => y.time - x.time) });
  }
  return found;
}
function statisticWithin(one, from, to) {
  const curve = curveOfStatistic(one), last = curve.at.length - 1, a = Math.max(from, curve.at[0]), b = Math.min(to, curve.at[last]);
  if (!(b > a)) return null;
  const k = Math.max(0, after(curve.at, a) - 1), end = Math.min(last, Math.max(k + 1, after(curve.at, b - 1e-9)));
  return { mean: means(curve, a, b - a, new Float64Array(1))[0], least: extreme(one.low, Math.min, k, end), most: extreme(one.high, Math.max, k, end), unit: one.unit };
}
function fillInterval() {
  const box = byDoc("interval");
  if (!interval) { box.replaceChildren(made("p", { class: "muted" }, "Drag on the axis, or with Shift on the lines: how long each line was in which state.")); return; }
  const [from, to] = interval, long = to - from, cell = (text, number = true) => made("td", number ? { class: "num" } : {}, text), body = [];
  for (const { node, names, statistic } of within(from, to)) {
    if (names || statistic) body.push(made("tr", { class: "of" }, made("th", { scope: "rowgroup", colspan: 4 }, pathText(node))));
    if (names) for (const one of names) body.push(made("tr", {}, made("td", {}, swatch(one.name), head.names[one.name]), cell(durationText(one.time)), cell(`${((100 * one.time) / long).toFixed(1)} %`), cell(grouped(String(one.began)))));
    else if (statistic) body.push(made("tr", {}, made("td", { colspan: 4 }, `mean ${valueText(statistic.mean, statistic.unit)}, ${valueText(statistic.least, statistic.unit)} to ${valueText(statistic.most, statistic.unit)}`)));
  }
  const most = 400, headings = ["state", "time", "share", "begun"].map((text, i) => made("th", { scope: "col", ...(i > 0 ? { class: "num" } : {}) }, text));
  box.replaceChildren(rowsOf([["from", timeText(from, long / 1e4)], ["to", timeText(to, long / 1e4)], ["duration", durationText(long)]]),
    made("p", {}, made("button", { type: "button", onclick: zoomToInterval }, "Zoom to it"), " ", made("button", { type: "button", onclick: () => choose(null) }, "Clear")),
    made("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Times in the interval" }, made("table", {}, made("thead", {}, made("tr", {}, ...headings)), made("tbody", {}, ...body.slice(0, most)))),
    ...(body.length > most ? [made("p", { class: "muted" }, `and ${body.length - most} more; hide or fold lines`)] : []));
}
function choose(stretch) { interval = stretch; fillInterval(); update(); }
function zoomToInterval() { if (interval) { lastZoom = -1e9; show(...interval); } }

function fillLegend() {
  const times = new Float64Array(head.names.length), counts = new Float64Array(head.names.length);
  for (const track of tracks) for (let i = 0; i < track.n; i++) { times[track.name[i]] += track.end[i] - track.begin[i]; counts[track.name[i]]++; }
  const order = [...head.names.keys()].filter((i) => counts[i]).sort((a, b) => head.names[a].localeCompare(head.names[b]));
  byDoc("legend").replaceChildren(...order.map((name) => made("li", {}, made("button", { type: "button", "aria-pressed": String(!!lit?.has(name)), onclick: () => light(name) }, swatch(name), head.names[name], made("span", { class: "muted" }, ` ${grouped(String(counts[name]))}`)))));
}
function light(name) { // this one and those that are bright already
  const next = new Set(lit ?? []);
  if (!next.delete(name)) next.add(name);
  brighten(next.size ? next : null);
}
function brighten(names) { lit = names; colour(); fillLegend(); update(); }
