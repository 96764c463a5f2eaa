// What caused an operation, and what came of it: ids and causes, over all tracks.
let byId = null, byCause = null;

// Of each id the events that have it in this column: from[id] to from[id + 1] - 1 of list.
function grouped_(of) {
  const from = new Uint32Array(ids[0].length + 1), list = new Uint32Array(events);
  for (const track of tracks) for (let i = 0; i < track.n; i++) if (track[of][i]) from[track[of][i]]++;
  for (let id = 1, sum = 0; id <= ids[0].length; id++) { const count = from[id]; from[id] = sum; sum += count; }
  const next = from.slice();
  for (const track of tracks) for (let i = 0; i < track.n; i++) if (track[of][i]) list[next[track[of][i]]++] = track.first + i;
  return (id) => (id ? list.subarray(from[id], from[id + 1]) : []);
}
function relate() { byId = grouped_("id"); byCause = grouped_("cause"); }

const MOST = 400; // of a chain's operations
const idOf = (event) => { const track = trackOf(event); return track.id?.[event - track.first] ?? 0; };
const causeOf = (event) => { const track = trackOf(event); return track.cause?.[event - track.first] ?? 0; };

// [{event, from: that it is related to, steps: how many between}]: up with `near` = what caused it, down = what it caused.
function walk(event, near) {
  const seen = new Set([event]), found = [];
  let more = 0;
  for (let queue = [[event, 0]]; queue.length; ) {
    const [one, steps] = queue.shift();
    for (const other of near(one)) {
      if (seen.has(other)) continue;
      if (found.length >= MOST) { more++; continue; }
      seen.add(other);
      found.push({ event: other, from: one, steps: steps + 1 });
      queue.push([other, steps + 1]);
    }
  }
  return { found, more };
}
function chainOf(event) {
  if (!byId || event < 0) return null;
  const own = idOf(event);
  return {
    causes: walk(event, (one) => byId(causeOf(one))),
    effects: walk(event, (one) => (idOf(one) ? byCause(idOf(one)) : [])),
    same: [...byId(own)].filter((one) => one !== event).slice(0, MOST),
  };
}

const place = (event) => { // of an event in the picture: line, and its stretch in CSS pixels
  const track = trackOf(event), i = event - track.first, line = lineOf(track, i), by = offset(track.run);
  return line && { line, from: x_(track.begin[i] + by), to: x_(track.end[i] + by), middle: line.top + line.height / 2 - scroller.scrollTop };
};
// Arrows from causes to effects, and a frame around what is selected.
function drawSelection(_, scale) {
  pen.save();
  pen.scale(scale, scale);
  if (interval) {
    pen.fillStyle = css("--accent"); pen.globalAlpha = 0.12;
    pen.fillRect(x_(interval[0]), 0, x_(interval[1]) - x_(interval[0]), room.height);
    pen.globalAlpha = 1;
  }
  if (selected >= 0) {
    const arrows = [...(chain?.causes.found ?? []).map((one) => [one.event, one.from]), ...(chain?.effects.found ?? []).map((one) => [one.from, one.event])];
    pen.lineWidth = 1.5;
    for (const [cause, effect] of arrows) arrow(place(cause), place(effect));
    const own = place(selected);
    if (own) {
      pen.strokeStyle = css("--ink"); pen.lineWidth = 2.5;
      pen.strokeRect(Math.max(-4, own.from - 1), own.line.top - scroller.scrollTop + 1.5, Math.max(4, Math.min(room.width + 4, own.to) - Math.max(-4, own.from) + 2), own.line.height - 4);
    }
  }
  pen.restore();
}
function arrow(a, b) { // leaves the cause where the effect begins, if the cause lasts until then
  if (!a || !b) return;
  const x1 = Math.max(a.from, Math.min(a.to, b.from)), x2 = b.from, y1 = a.middle, y2 = b.middle, up = y2 < y1 ? 1 : -1;
  const bend = Math.min(16, 2 + Math.hypot(x2 - x1, y2 - y1) / 6);
  if (Math.max(x1, x2) < -50 || Math.min(x1, x2) > room.width + 50) return;
  for (const [width, colour_] of [[4, css("--surface")], [1.8, css("--ink")]]) { // readable over any colour
    pen.strokeStyle = pen.fillStyle = colour_; pen.lineWidth = width;
    pen.beginPath(); pen.moveTo(x1, y1); pen.bezierCurveTo(x1 - bend, y1 - (up * bend) / 2, x2 - bend, y2 + up * bend, x2, y2 + up * 3); pen.stroke();
    pen.beginPath(); pen.moveTo(x2 + 1, y2); pen.lineTo(x2 - 6, y2 + up * 5); pen.lineTo(x2 - 1, y2 + up * 8); pen.closePath(); pen.fill();
  }
}
function select(event, { go = false } = {}) {
  selected = event;
  chain = chainOf(event);
  if (go && event >= 0) bring(event);
  fillOperation();
  update();
}
function bring(event) { // into sight
  const track = trackOf(event), i = event - track.first, by = offset(track.run), begin = track.begin[i] + by, end = track.end[i] + by;
  const own = lineOf(track, i);
  if (!own || trackAlone(own) !== track || (own.lane < 0 && track.lanes > 1)) { reveal(track); relayout(); }
  const span = view.to - view.from, wanted = Math.max(end - begin, LEAST / 4);
  lastZoom = -1e9;
  if (wanted < span / 100 || wanted > span) show(begin - wanted * 5, begin + wanted * 6);
  else if (begin < view.from || end > view.to) show((begin + end) / 2 - span / 2, (begin + end) / 2 + span / 2);
  const line = lineOf(track, i);
  if (line && (line.top < scroller.scrollTop || line.top + line.height > scroller.scrollTop + room.height)) scroller.scrollTop = line.top - room.height / 3;
}
