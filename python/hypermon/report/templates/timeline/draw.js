// Lines drawn as pixels: each column of a line shows by height what share of its time which names had.
const picture = document.getElementById("picture"), pen = picture.getContext("2d", { alpha: false });
const INSET = 3; // a nested state's, above and below, in CSS pixels
let pixels = null, image = null, share = new Float64Array(0), level = new Float64Array(0), height = new Int32Array(0);
let palette = new Uint32Array(0), inks = [];

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const rgb = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
const packed = ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r;
const mixed = (a, b, part) => a.map((v, i) => Math.round(v * (1 - part) + b[i] * part));
const luminance = (c) => c.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const inkOn = (c) => (luminance(c) > 0.179 ? "#000000" : "#ffffff"); // at least 4.58 : 1 either way
let ground = [255, 255, 255], lit = null; // lit: the names that stay bright; null: all

function colour() { // after a change of the theme or of what is lit
  ground = rgb(css("--surface"));
  const all = head.colours.map((one, i) => (lit && !lit.has(i) ? mixed(rgb(one), ground, 0.82) : rgb(one)));
  palette = Uint32Array.from(all, packed);
  inks = all.map(inkOn);
}
function resize(width, high) {
  const scale = devicePixelRatio || 1, w = Math.max(1, Math.round(width * scale)), h = Math.max(1, Math.round(high * scale));
  if (picture.width === w && picture.height === h && image) return;
  picture.width = w; picture.height = h;
  picture.style.width = width + "px"; picture.style.height = high + "px";
  image = pen.createImageData(w, h);
  pixels = new Uint32Array(image.data.buffer);
  share = new Float64Array(w); level = new Float64Array(w); height = new Int32Array(w);
}

// Adds rows of names to the stack of each column; a share of 1 of `parts` is 1/parts of the height h above `bottom`.
function stack(target, row, from, width, parts, bottom, h) {
  const wide = target.width, out = target.pixels;
  for (const { name, curve, instants } of row.names) {
    const of = palette[name];
    means(curve, from, width, share);
    for (let x = 0; x < wide; x++) {
      if (share[x] <= 0) continue;
      level[x] += share[x] / parts;
      const to = Math.min(h, Math.max(height[x] + 1, Math.round(level[x] * h + 1e-6))); // whatever there is shows
      for (let y = height[x]; y < to; y++) if (bottom - y >= 0 && bottom - y < target.height) out[(bottom - y) * wide + x] = of;
      height[x] = to;
    }
    if (instants)
      for (let k = after(instants, from - width / 2); k < instants.length; ) {
        const x = Math.floor((instants[k] - from) / width);
        if (x >= wide) break;
        if (x >= 0) for (let y = 0; y < h; y++) if (bottom - y >= 0 && bottom - y < target.height) out[(bottom - y) * wide + x] = of;
        k = after(instants, from + (x + 1) * width - width * 1e-9, k);
        if (k < instants.length && Math.floor((instants[k] - from) / width) === x) k++;
      }
  }
}
function startStack() { level.fill(0); height.fill(0); }

function drawStates(target, track, lane, from, width, top, h, scale) {
  const folded = lane < 0 && !track.main;
  for (let depth = 0; depth < (folded ? 1 : track.depths); depth++) {
    const inset = Math.min(depth * INSET * scale, h / 2 - 2 * scale) | 0;
    startStack();
    stack(target, rowOf(track, folded ? -1 : Math.max(0, lane), depth), from, width, folded ? track.lanes : 1, top + h - 1 - inset, h - 2 * inset);
  }
}
function drawGroup(target, node, from, width, top, h) { // all tracks below it: how many of their lanes are busy, with what
  const all = below(node).filter((one) => one.track).map((one) => one.track), lanes = all.reduce((sum, one) => sum + one.lanes, 0);
  startStack();
  for (const track of all) stack(target, rowOf(track, track.lanes > 1 ? -1 : 0, 0), start(track.run, from), width, lanes, top + h - 1, h);
}
// The mean of each column as an area, what lies between its extremes fainter.
function drawStatistic(target, one, from, width, top, h) {
  const curve = curveOfStatistic(one), [low, high] = one.scale, wide = target.width;
  const base = rgb(one.lost ? head.loss_colour : css("--accent")), full = packed(base), faint = packed(mixed(base, ground, 0.55));
  const y = (value) => top + h - 1 - Math.round(((value - low) / (high - low || 1)) * (h - 1));
  means(curve, from, width, share);
  const zero = y(0), last = curve.at.length - 1;
  for (let x = 0, k = Math.max(0, after(curve.at, from) - 1); x < wide; x++) {
    const end = from + (x + 1) * width;
    let until_ = after(curve.at, end, k);
    if (until_ > k && last > 0 && end > curve.at[0] && from + x * width < curve.at[last]) {
      const most = extreme(one.high, Math.max, k, Math.min(until_, last)), least = extreme(one.low, Math.min, k, Math.min(until_, last));
      fill(target, x, zero, y(share[x]), full);
      fill(target, x, y(Math.max(share[x], least)), y(Math.max(share[x], most)), faint);
      if (most < 0 || least < 0) fill(target, x, y(Math.min(share[x], most)), y(Math.min(share[x], least)), faint);
      fill(target, x, y(share[x]), y(share[x]), full);
    }
    k = Math.max(0, until_ - 1);
  }
  if (one.limit !== null) for (let x = 0; x < wide; x++) if (x % 9 < 6) fill(target, x, y(one.limit), y(one.limit) + 1, packed(rgb(css("--ink"))));
}
// A folded node with statistics only: its only curve, or a strip for each, the darker the higher the value is on its own scale.
function drawFolded(target, all, from, width, top, h) {
  if (all.length === 1) return drawStatistic(target, all[0], start(all[0].run, from), width, top, h);
  const base = rgb(css("--accent"));
  all.slice(0, h).forEach((one, k, { length: n }) => {
    const curve = curveOfStatistic(one), [low, high] = one.scale, last = curve.at.at(-1), first = curve.at[0];
    const a = top + Math.floor((k * h) / n), b = Math.max(a, top + Math.floor(((k + 1) * h) / n) - (h >= 3 * n ? 2 : 1));
    const own = start(one.run, from);
    means(curve, own, width, share);
    for (let x = 0; x < target.width; x++) {
      const t = own + x * width;
      if (t + width > first && t < last) fill(target, x, a, b, packed(mixed(ground, base, 0.12 + 0.88 * Math.max(0, (share[x] - low) / (high - low || 1)))));
    }
  });
}
function fill(target, x, a, b, of) {
  const from = Math.max(0, Math.min(a, b)), to = Math.min(target.height - 1, Math.max(a, b));
  for (let y = from; y <= to; y++) target.pixels[y * target.width + x] = of;
}
const start = (run, t) => t - offset(run); // a time of the view as the run counts it

// What is wide enough gets an edge and its name.
function label(track, lane, from, width, top, h, scale) {
  if (lane < 0 && !track.main) return;
  lane = Math.max(0, lane);
  const edge = 4 * width, wide = picture.width;
  pen.textBaseline = "middle";
  for (let depth = 0; depth < track.depths; depth++) {
    const row = rowOf(track, lane, depth), inset = Math.min(depth * INSET * scale, h / 2 - 2 * scale) | 0;
    for (let k = Math.max(0, after(row.begins, from) - 1); k < row.begins.length; ) {
      const i = row.indices[k], begin = track.begin[i], long = track.end[i] - begin;
      if (begin > from + wide * width) break;
      if (long < edge) { k = Math.max(k + 1, after(row.begins, begin + width, k) - 1); continue; } // the pixel's last one may be long
      const x = (begin - from) / width, left = Math.max(0, x), right = Math.min(wide, x + long / width);
      pen.fillStyle = lit && !lit.has(track.name[i]) ? "rgba(0,0,0,.1)" : "rgba(0,0,0,.35)";
      if (x >= 0) pen.fillRect(Math.round(x), top + inset, Math.max(1, scale | 0), h - 2 * inset);
      const room = covered(track, lane, i, depth, right, from, width) - left, text = head.names[track.name[i]];
      if (room > 26 * scale && h - 2 * inset >= 10 * scale) {
        pen.font = `${Math.min(12, (h - 2 * inset) / scale - 2) * scale}px system-ui, sans-serif`;
        const letters = Math.floor((room / scale - 8) / 6.7);
        pen.fillStyle = inks[track.name[i]];
        pen.fillText(text.length <= letters ? text : text.slice(0, Math.max(1, letters - 1)) + "…", left + 4 * scale, top + h / 2);
      }
      k++;
    }
  }
}
// Up to where the name of a state can be read: to its end, or to the first state within it.
function covered(track, lane, i, depth, right, from, width) {
  if (depth + 1 >= track.depths) return right;
  const inner = rowOf(track, lane, depth + 1);
  const k = after(inner.begins, Math.max(from, track.begin[i]) - width);
  const first = Math.max(0, k - 1);
  for (const at of [first, k])
    if (at < inner.begins.length && track.end[inner.indices[at]] > from && inner.begins[at] < track.end[i] && track.end[inner.indices[at]] > track.begin[i])
      return Math.min(right, Math.max(0, (inner.begins[at] - from) / width));
  return right;
}

// All lines in the window; returns how long it took, in ms.
function draw() {
  const began = performance.now(), scale = devicePixelRatio || 1, scroll = scroller.scrollTop;
  resize(room.width, room.height);
  const target = { pixels, width: picture.width, height: picture.height }, width = (view.to - view.from) / picture.width;
  pixels.fill(packed(ground));
  const shown = lines.filter((line) => line.top + line.height > scroll && line.top < scroll + room.height);
  const box = (line) => [Math.round((line.top - scroll) * scale) + 1, Math.round(line.height * scale) - 2];
  for (const line of shown) {
    const [top, h] = box(line), node = line.node;
    if (line.kind === "statistic") drawStatistic(target, node.statistic, start(node.statistic.run, view.from), width, top, h);
    else if (trackAlone(line)) drawStates(target, trackAlone(line), line.lane, start(trackAlone(line).run, view.from), width, top, h, scale);
    else if (node.folded && below(node).some((one) => one.track)) drawGroup(target, node, view.from, width, top, h);
    else if (node.folded) drawFolded(target, below(node).flatMap((one) => one.statistic ?? []), view.from, width, top, h);
  }
  pen.putImageData(image, 0, 0);
  pen.fillStyle = css("--line");
  for (const line of shown) pen.fillRect(0, Math.round((line.top + line.height - scroll) * scale) - 1, picture.width, 1);
  for (const line of shown) {
    const [top, h] = box(line), track = trackAlone(line);
    if (track) label(track, line.lane, start(track.run, view.from), width, top, h, scale);
  }
  drawSelection(width, scale, scroll);
  return performance.now() - began;
}
