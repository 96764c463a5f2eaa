// The sweep's points: lines, map, trade-off and table of whatever is chosen.
const sweep = JSON.parse(document.getElementById("sweep-data").textContent);
const at = (id) => document.getElementById(id);
const column = Object.fromEntries(sweep.columns.map((c, i) => [c.path, i]));
const info = Object.fromEntries(sweep.columns.map((c) => [c.path, c]));
const points = sweep.rows.map((values, index) => ({ values, index, ok: values[column.status] !== "failed" }));
const get = (point, path) => point.values[column[path]];
const named = (path) => path + (info[path] && info[path].unit ? `, ${info[path].unit}` : "");
const grouped = (digits) => digits.replace(/^(-?\d+)(?=\.|$)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, "\u202f"));
const text = (value) => value === null || value === undefined ? "" : typeof value === "number"
  ? grouped(Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(+value.toPrecision(6))) : String(value);
const palette = ["$blue", "$red", "$green", "$purple", "$orange", "$sky", "$grey"];
const symbols = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x"];
const wide = (values) => { const some = values.filter((v) => v > 0); return some.length && Math.max(...some) / Math.min(...some) >= 30; };

// A logarithmic axis that keeps zero, one step below the least that is not: values to places, places to labels.
function scale(values) {
  if (values.some((v) => v < 0) || !wide(values)) return { place: (v) => v, axis: {} };
  const some = values.filter((v) => v > 0);
  const low = Math.floor(Math.log10(Math.min(...some))), high = Math.ceil(Math.log10(Math.max(...some)));
  const zero = low - 1, marks = [], names = [];
  if (values.includes(0)) { marks.push(zero); names.push("0"); }
  for (let p = low; p <= high; p++) { marks.push(p); names.push(p < 6 && p > -4 ? text(+`1e${p}`) : `10<sup>${p}</sup>`); }
  return { place: (v) => (v > 0 ? Math.log10(v) : zero), axis: { tickvals: marks, ticktext: names, zeroline: false, rangemode: "normal" } };
}
const xAxis = (path, values) => {
  const numbers = values.every((v) => typeof v === "number");
  const axis = { title: { text: named(path) } };
  if (!numbers) return { ...axis, type: "category" };
  if (!wide(values) || values.some((v) => v <= 0)) return axis;
  const kept = values.filter((_, i) => i % Math.ceil(values.length / (narrow() ? 5 : 12)) === 0);
  return { ...axis, type: "log", tickvals: kept, ticktext: kept.map(text) };
};
const chosen = () => points.filter((p) => p.ok && get(p, at("metric").value) !== null &&
  [...document.querySelectorAll("[data-only]")].every((s) => s.value === "" || get(p, s.dataset.only) === info[s.dataset.only].choices[+s.value]));
const choices = (path) => info[path].choices;
const groupOf = (list, of) => { const map = new Map(); for (const p of list) { const key = of(p); if (!map.has(key)) map.set(key, []); map.get(key).push(p); } return map; };
const groupBy = (list, path) => groupOf(list, (p) => get(p, path));
const evenly = (list, most) => list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.round(i * (list.length - 1) / Math.max(1, most - 1))]);
// Parameters in which designs differ that share a mark or a cell: these are never taken together, only repeats are.
const apart = (places) => sweep.parameters.filter((path) => places.some((list) => new Set(list.map((p) => get(p, path))).size > 1));
const mostLines = 60;
// A point's repeats taken together, as the page's maker computed them; undefined where there are none.
const repeated = new Map();
if (sweep.together) for (const row of sweep.together.rows) repeated.set(JSON.stringify(row.slice(0, sweep.parameters.length)), Object.fromEntries(sweep.together.columns.map((c, i) => [c, row[i]])));
const placeOf = (p) => JSON.stringify(sweep.parameters.map((path) => get(p, path)));
const ofRepeats = (p) => repeated.get(placeOf(p));
// Points with the means of their repeats: the luckiest repeat is not the best point.
const taken = (list) => repeated.size === 0 ? list : leaders(list).map((p) => {
  const found = ofRepeats(p), values = [...p.values];
  if (found) for (const path of sweep.metrics) values[column[path]] = found[path];
  return { ...p, values };
});
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

function drawLines() {
  const metric = at("metric").value, x = at("x").value, by = at("by").value === x ? "" : at("by").value;
  const list = chosen();
  const s = scale(list.map((p) => +get(p, metric)));
  const keys = by ? choices(by) : [null];
  // As many colours as there are, evenly from the first to the last.
  const shownKeys = evenly(keys, palette.length);
  const data = [], others = new Set();
  let most = 1, intervals = repeated.size > 0, left = 0;
  shownKeys.forEach((key, i) => {
    const own = by ? list.filter((p) => get(p, by) === key) : list;
    const rest = apart([...groupBy(own, x).values()]);
    rest.forEach((path) => others.add(path));
    const designs = [...groupOf(own, (p) => JSON.stringify(rest.map((path) => get(p, path)))).values()];
    const drawn = evenly(designs, Math.max(1, Math.floor(mostLines / shownKeys.length)));
    left += designs.length - drawn.length;
    drawn.forEach((design, d) => {
      const places = groupBy(design, x);
      const xs = choices(x).filter((v) => places.has(v));
      const values = xs.map((v) => places.get(v).map((p) => +get(p, metric)));
      if (!xs.length) return;
      // Of repeats the mean's interval; where some are missing, the least and the most.
      const one = xs.map((v) => { const at = places.get(v); const found = ofRepeats(at[0]); return found && at.length === found.repeats ? found : null; });
      const ends = values.map((v, i) => { const half = one[i] && one[i][`${metric} ±`]; return one[i] ? [mean(v) - (half || 0), mean(v) + (half || 0)] : [Math.min(...v), Math.max(...v)]; });
      intervals = intervals && one.every((found, i) => found || values[i].length === 1);
      most = Math.max(most, ...values.map((v) => v.length));
      const tone = palette[i % palette.length];
      const which = [...(by ? [by] : []), ...rest].map((path) => `${path} = ${text(get(design[0], path))}`).join("<br>");
      data.push({
        type: "scatter", mode: "lines+markers", name: by ? text(key) : metric, x: xs, y: values.map((v) => s.place(mean(v))), legendgroup: String(i), showlegend: d === 0,
        customdata: values.map((v, i) => [text(mean(v)), one[i] && one[i][`${metric} ±`] ? ` ± ${text(one[i][`${metric} ±`])} (${v.length} repeats)` : ""]), line: { color: tone, width: drawn.length > 1 ? 1 : 2 }, marker: { symbol: symbols[i % symbols.length], size: xs.length > 60 || drawn.length > 1 ? 3 : 7 + 2 * Math.min(shownKeys.length - 1 - i, 5) },
        error_y: values.some((v) => v.length > 1) ? { type: "data", symmetric: false, thickness: 1, width: 2, color: tone,
          array: values.map((v, i) => s.place(ends[i][1]) - s.place(mean(v))), arrayminus: values.map((v, i) => s.place(mean(v)) - s.place(ends[i][0])) } : undefined,
        hovertemplate: `${x} = %{x}<br>${metric} = %{customdata[0]}%{customdata[1]}<extra>${which}</extra>`,
      });
    });
  });
  draw("lines", { data, layout: { xaxis: xAxis(x, choices(x)), yaxis: { title: { text: named(metric) }, rangemode: "tozero", ...s.axis }, showlegend: Boolean(by),
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, title: { text: by ? named(by) + "  " : "" } } } });
  at("lines-title").textContent = `${metric} against ${x}`;
  at("lines-caption").textContent = (most > 1 ? `Means of up to ${most} repeats, with bars ${intervals ? "over their 95 % confidence intervals" : "from the least to the most"}. ` : "One mark for each point. ")
    + (others.size ? `Lines of one colour differ in ${[...others].join(" and ")}. ` : "")
    + (shownKeys.length < keys.length ? `Only ${shownKeys.length} of ${keys.length} colours are drawn. ` : "") + (left ? `${text(left)} further lines are left out. ` : "") + bestText(list, metric);
}
function bestText(all, metric) {
  const list = taken(all);
  if (!list.length) return "No point is left.";
  const way = +at("gain-way").value;
  const best = list.reduce((a, b) => (way * get(b, metric) < way * get(a, metric) ? b : a));
  const same = list.filter((p) => get(p, metric) === get(best, metric)).length;
  return `Best: ${text(get(best, metric))}, at ${same === 1 ? sweep.parameters.map((p) => `${p} = ${text(get(best, p))}`).join(", ") : `${text(same)} points`}.`;
}
function drawMap() {
  const metric = at("metric").value, x = at("x").value, y = at("by").value;
  const usable = y && y !== x;
  at("figure-map").hidden = !usable;
  if (!usable) { delete drawn.map; return; }
  const all = chosen(), cellOf = (p) => JSON.stringify([get(p, x), get(p, y)]);
  // A cell has one design: of the parameters in which designs of a cell differ, the first point's values.
  const fixed = apart([...groupOf(all, cellOf).values()]).map((path) => [path, get(all[0], path)]);
  const list = all.filter((p) => fixed.every(([path, value]) => get(p, path) === value));
  const s = scale(list.map((p) => +get(p, metric)));
  const cells = groupOf(list, cellOf);
  const grid = choices(y).map((b) => choices(x).map((a) => { const found = cells.get(JSON.stringify([a, b])); return found ? mean(found.map((p) => +get(p, metric))) : null; }));
  draw("map", { data: [{ type: "heatmap", x: choices(x).map(text), y: choices(y).map(text), z: grid.map((row) => row.map((v) => (v === null ? null : s.place(v)))),
    customdata: grid.map((row) => row.map(text)), colorscale: isDark() ? [[0, "#1d252e"], [0.3, "#5c2d16"], [0.65, "#c2602c"], [1, "#ffd9bd"]] : [[0, "#eef2f6"], [0.3, "#fbc9a8"], [0.65, "#d8692a"], [1, "#5c1c00"]],
    xgap: choices(x).length > 40 ? 0 : 2, ygap: choices(y).length > 40 ? 0 : 2, colorbar: { thickness: 12, outlinewidth: 0, tickvals: s.axis.tickvals, ticktext: s.axis.ticktext },
    hovertemplate: `${x} = %{x}<br>${y} = %{y}<br>${metric} = %{customdata}<extra></extra>` }],
    layout: { xaxis: { title: { text: named(x) }, type: "category" }, yaxis: { title: { text: named(y) }, type: "category" } } });
  at("map-caption").textContent = metric + (fixed.length ? ` for ${fixed.map(([path, value]) => `${path} = ${text(value)}`).join(" and ")}; choose other values above. Empty` : "; empty") + ` where there is no point.` + (list.length > cells.size ? " Means of repeats." : "");
}
function front(list, cost, metric) {
  const a = +at("cost-way").value, b = +at("gain-way").value;
  const sorted = [...list].sort((p, q) => a * (get(p, cost) - get(q, cost)) || b * (get(p, metric) - get(q, metric)));
  const found = [];
  let best = Infinity;
  for (const p of sorted) if (b * get(p, metric) < best) { best = b * get(p, metric); found.push(p); }
  return found;
}
function drawTradeoff() {
  const metric = at("metric").value, cost = at("cost").value;
  const list = taken(chosen().filter((p) => typeof get(p, cost) === "number"));
  const on = front(list, cost, metric), best = new Set(on.map((p) => p.index));
  const fronts = repeated.size ? new Set(on.map(placeOf)) : null;
  for (const p of points) p.front = fronts ? p.ok && fronts.has(placeOf(p)) : best.has(p.index);
  const s = scale(list.map((p) => +get(p, metric)));
  const label = (p) => sweep.parameters.map((path) => `${path} = ${text(get(p, path))}`).join("<br>") + `<br>${metric} = ${text(get(p, metric))}`;
  const trace = (some, more) => ({ type: "scatter", x: some.map((p) => get(p, cost)), y: some.map((p) => s.place(+get(p, metric))), text: some.map(label), hovertemplate: "%{text}<extra></extra>", ...more });
  draw("tradeoff", { data: [
    trace(list, { mode: "markers", name: "points", marker: { color: "$grey", size: 6, opacity: 0.55 } }),
    trace(on, { mode: "lines+markers", name: "Pareto front", line: { color: "$green", shape: +at("cost-way").value > 0 ? "hv" : "vh", width: 2 }, marker: { size: 9, symbol: "star" } })],
    layout: { xaxis: xAxis(cost, [...new Set(list.map((p) => get(p, cost)))].sort((u, v) => u - v)), yaxis: { title: { text: named(metric) }, rangemode: "tozero", ...s.axis },
      legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 } } });
  at("tradeoff-caption").textContent = `On the front, ${text(on.length)} of ${text(list.length)} points: no other is better in both ${cost} and ${metric}.${repeated.size ? " Means of repeats." : ""}`;
}

// The table, a page of rows at a time.
const rowsPerPage = 50;
let order = { path: "point", way: 1 }, first = 0;
const together = () => repeated.size > 0 && at("repeats").value === "together";
const shownColumns = () => ["point", ...sweep.parameters, ...(at("columns").value === "all" ? sweep.metrics : [at("metric") ? at("metric").value : ""].filter(Boolean)), "how", "status"].filter((c) => c in column);
// A row a point: its first repeat that finished stands for all.
function leaders(list) {
  const found = new Map();
  for (const p of list) { const key = placeOf(p); if (!found.has(key) || (!found.get(key).ok && p.ok)) found.set(key, p); }
  return [...found.values()];
}
function matching() {
  const words = at("filter").value.trim().split(/\s+/).filter(Boolean);
  return points.filter((p) => words.every((word) => {
    const [path, value] = word.split("=");
    if (value !== undefined && path in column) return String(get(p, path)) === value;
    return p.values.some((v) => v !== null && String(v).includes(word)) || (word === "★" && p.front);
  }));
}
const valueOf = (p, path) => { const found = together() && sweep.metrics.includes(path) ? ofRepeats(p) : null; return found ? found[path] : get(p, path); };
function sorted() {
  const list = together() ? leaders(matching()) : matching();
  const key = (p) => valueOf(p, order.path);
  return list.sort((p, q) => order.way * (key(p) === key(q) ? 0 : key(p) === null ? 1 : key(q) === null ? -1 : key(p) < key(q) ? -1 : 1) || p.index - q.index);
}
// All rows that match, not only those of the page that is shown, with all digits.
csvOf["points-table"] = () => [shownColumns().map(named), ...sorted().map((p) => shownColumns().map((path) => { const found = valueOf(p, path); return found === null || found === undefined ? "" : String(found); }))];
function drawTable() {
  const shown = shownColumns(), whole = together(), list = sorted(), value = valueOf;
  first = Math.min(first, Math.max(0, Math.floor((list.length - 1) / rowsPerPage) * rowsPerPage));
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.path : null;
  const head = document.createElement("tr");
  for (const path of shown) {
    const th = document.createElement("th"), button = document.createElement("button");
    th.scope = "col";
    if (order.path === path) th.setAttribute("aria-sort", order.way > 0 ? "ascending" : "descending");
    button.type = "button"; button.className = "sort"; button.dataset.path = path; button.textContent = named(path);
    button.addEventListener("click", () => { order = { path, way: order.path === path ? -order.way : 1 }; first = 0; drawTable(); tell(); });
    th.append(button); head.append(th);
  }
  const table = at("points-table");
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...list.slice(first, first + rowsPerPage).map((p) => {
    const tr = document.createElement("tr");
    if (!p.ok) tr.className = "failed"; else if (p.front) tr.className = "front";
    shown.forEach((path, i) => {
      const cell = document.createElement(i ? "td" : "th");
      if (!i) cell.scope = "row";
      const found = value(p, path), half = whole && ofRepeats(p) ? ofRepeats(p)[`${path} ±`] : null;
      cell.textContent = (i === 0 && p.front ? "★ " : "") + text(found) + (half || half === 0 ? ` ± ${text(half)}` : "") + (path === "status" && !p.ok ? `: ${text(get(p, "error"))}` : "");
      if (typeof found === "number") cell.className = "num"; else if (cell.textContent.length > 24) cell.className = "long";
      tr.append(cell);
    });
    return tr;
  }));
  if (focused) { const again = table.querySelector(`button[data-path="${CSS.escape(focused)}"]`); if (again) again.focus(); }
  at("points-caption").textContent = `${text(list.length)} of ${text(whole ? leaders(points).length : points.length)} points${whole ? ", repeats together" : ""}, sorted by ${order.path}`;
  at("page").textContent = list.length ? `${text(first + 1)} to ${text(Math.min(first + rowsPerPage, list.length))} of ${text(list.length)}` : "no point";
  at("previous").disabled = first === 0;
  at("next").disabled = first + rowsPerPage >= list.length;
}
// What is chosen, in the address: only what is not as the page opens, so that a short address stays short.
const controls = () => [...document.querySelectorAll("#explore select, #tradeoff select, #points select, #filter")];
const nameOf = (control) => (control.dataset.only ? `only.${control.dataset.only}` : control.id);
let opening = {};
function chosenNow() {
  const now = Object.fromEntries(controls().map((c) => [nameOf(c), c.dataset.only && c.value !== "" ? String(info[c.dataset.only].choices[+c.value]) : c.value]));
  return { ...now, sort: `${order.way < 0 ? "-" : ""}${order.path}` };
}
function tell() {
  const now = chosenNow();
  const words = new URLSearchParams(Object.entries(now).filter(([name, value]) => value !== opening[name]));
  const fragment = words.toString();
  try { history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search); } catch { location.replace(`#${fragment || "top"}`); }
}
// From the address; what this page does not have is left as it opens.
function recall() {
  if (location.hash && !location.hash.includes("=")) return false; // a section
  const fromAddress = { ...opening, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) };
  for (const control of controls()) {
    let value = fromAddress[nameOf(control)];
    if (control.dataset.only && value !== "") value = String(info[control.dataset.only].choices.findIndex((v) => String(v) === value));
    const there = control.tagName === "INPUT" || [...control.options].some((o) => o.value === value);
    control.value = there ? value : opening[nameOf(control)];
  }
  const [way, path] = fromAddress.sort.startsWith("-") ? [-1, fromAddress.sort.slice(1)] : [1, fromAddress.sort];
  order = path in column ? { path, way } : { path: "point", way: 1 };
  return true;
}
at("previous").addEventListener("click", () => { first -= rowsPerPage; drawTable(); });
at("next").addEventListener("click", () => { first += rowsPerPage; drawTable(); });
at("filter").addEventListener("input", () => { first = 0; drawTable(); tell(); });
for (const select of document.querySelectorAll("#points select")) select.addEventListener("change", () => { first = 0; drawTable(); tell(); });
const drawAll = () => { if (sweep.metrics.length) { drawLines(); drawMap(); drawTradeoff(); } drawTable(); };
if (sweep.metrics.length) {
  at("x").value = sweep.x; at("by").value = sweep.by; at("metric").value = sweep.metric;
  for (const select of document.querySelectorAll("#explore select, #tradeoff select")) select.addEventListener("change", () => { drawAll(); tell(); });
  themeButton.addEventListener("click", drawMap); // its colours are no names
  systemDark.addEventListener("change", drawMap);
}
opening = chosenNow();
recall();
drawAll();
window.addEventListener("hashchange", () => { if (recall()) { first = 0; drawAll(); } else tell(); }); // a section's link scrolls, and the choices stay
if (at("copy-address")) at("copy-address").addEventListener("click", () => {
  const address = document.createElement("span");
  address.className = "hidden"; address.textContent = location.href;
  document.body.append(address);
  copy(at("copy-address"), address).finally(() => address.remove());
});
