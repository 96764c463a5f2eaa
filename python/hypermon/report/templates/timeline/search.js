// Finds operations by name, by the words of their details (a file's name), by #id; and lines by name.
const query = document.getElementById("query");
let hits = null; // of the query: a test of an operation, how many there are; null: there is none

function search() {
  const text = query.value.trim().toLowerCase();
  hits = null;
  if (text) {
    const names = new Set(head.names.flatMap((name, i) => (name.toLowerCase().includes(text) ? [i] : []))), id = /^#\d{1,20}$/.test(text) ? idsOf(text.slice(1)) : null;
    const tests = tracks.map((track) => testOf(track, text, names, id));
    let count = 0;
    tracks.forEach((track, k) => { if (tests[k] && !track.node.hidden) for (let i = 0; i < track.n; i++) if (tests[k](i)) count++; });
    hits = { tests, count, lines: nodes.filter((one) => pathText(one).toLowerCase().includes(text)) };
    brighten(names.size ? names : null);
  } else brighten(null);
  fillFound();
  hashLater();
}
function testOf(track, text, names, id) {
  if (id) return track.id ? (i) => id.has(track.id[i]) : null;
  const words = !details ? [] : Object.entries(track.about.details).filter(([, about]) => about.form === "text").map(([key, about]) => {
    const wanted = new Set(about.texts.flatMap((one, k) => (one.toLowerCase().includes(text) ? [k] : [])));
    return [track.columns[key] ??= column(details, about), wanted];
  }).filter(([, wanted]) => wanted.size);
  return names.size || words.length ? (i) => names.has(track.name[i]) || words.some(([values, wanted]) => wanted.has(values[i])) : null;
}
function fillFound() {
  byDoc("count").textContent = hits ? `${grouped(String(hits.count))} found` : "";
  const shown = hits?.lines.slice(0, 20) ?? [];
  byDoc("found").replaceChildren(...(shown.length ? [made("h2", {}, "Lines of that name")] : []), ...shown.map((node) => made("button", { type: "button", class: "jump", onclick: () => goTo(node) }, pathText(node))));
}
function goTo(node) {
  for (let one = node; one !== root; one = one.parent) { one.hidden = false; if (one !== node) one.folded = false; }
  current = node;
  relayout();
  scroller.scrollTop = lines.find((line) => line.node === node).top - room.height / 3;
  focus(node);
}
// The next one in time after what is selected, or after the view's begin; by -1 the one before.
function next(by) {
  if (!hits) return;
  const from = selected >= 0 ? timeOf(selected) : by > 0 ? view.from : view.to;
  let best = -1, bestTime = by * Infinity;
  const better = (t, event) => (by > 0 ? t < bestTime || (t === bestTime && event < best) : t > bestTime || (t === bestTime && event > best));
  const beyond = (t, event) => (selected < 0 ? (by > 0 ? t >= from : t <= from) : by > 0 ? t > from || (t === from && event > selected) : t < from || (t === from && event < selected));
  for (let around = 0; around < 2 && best < 0; around++) // from the other end, if there is none
    tracks.forEach((track, k) => {
      if (!hits.tests[k] || track.node.hidden) return;
      for (let i = by > 0 ? 0 : track.n - 1; i >= 0 && i < track.n; i += by) {
        const t = track.begin[i] + offset(track.run), event = track.first + i;
        if ((by > 0 ? t > bestTime : t < bestTime)) break;
        if ((around || beyond(t, event)) && hits.tests[k](i) && better(t, event)) { best = event; bestTime = t; }
      }
    });
  if (best >= 0) select(best, { go: true });
}
query.addEventListener("input", search);
query.addEventListener("keydown", (event) => {
  if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
  if (event.key === "Escape") { query.value = ""; search(); query.blur(); }
});
