// Times in words, the axis, and the whole of the time lines in small above it.
const PS = [["s", 1e12], ["ms", 1e9], ["µs", 1e6], ["ns", 1e3], ["ps", 1]];
const trim = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
const grouped = (text) => text.replace(/^(-?\d+)/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f"));

// A time or a duration with as many digits as tell `step` (both in units) apart.
function timeText(t, step) {
  const ps = t * head.unit_ps, fine = Math.max(1, step * head.unit_ps), [unit, of] = PS.find(([, one]) => Math.abs(ps) >= one) ?? PS.at(-1);
  return grouped(trim((ps / of).toFixed(Math.max(0, Math.ceil(Math.log10(of / fine) - 1e-9))))) + " " + unit;
}
const durationText = (t) => (t === 0 ? "0" : timeText(t, Math.max(t / 1e5, 1)));
function valueText(value, unit) {
  const [prefix, of] = ["B", "B/s", "W", "J"].includes(unit) ? ([["G", 1e9], ["M", 1e6], ["k", 1e3]].find(([, one]) => Math.abs(value) >= one) ?? ["", 1]) : ["", 1];
  const number = value / of, text = Number.isInteger(number) ? String(number) : Math.abs(number) >= 1e-3 && Math.abs(number) < 1e6 ? trim(number.toFixed(Math.max(0, 4 - Math.floor(Math.log10(Math.abs(number)))))) : number.toPrecision(5);
  return grouped(text) + (unit || prefix ? "\u202f" + prefix + unit : "");
}
function tickStep(span, most) {
  const raw = (span * head.unit_ps) / most, ten = 10 ** Math.floor(Math.log10(raw));
  return (([1, 2, 5].find((one) => one * ten >= raw) ?? 10) * ten) / head.unit_ps;
}
const axis = document.getElementById("axis"), overview = document.getElementById("overview");
function fit(canvas, width, high) {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale); canvas.height = Math.round(high * scale);
  canvas.style.width = width + "px"; canvas.style.height = high + "px";
  const own = canvas.getContext("2d");
  own.scale(scale, scale);
  return own;
}
function drawAxis() {
  const own = fit(axis, room.width, 26), span = view.to - view.from, step = tickStep(span, Math.max(2, room.width / 130));
  own.fillStyle = css("--surface"); own.fillRect(0, 0, room.width, 26);
  own.font = "12px system-ui, sans-serif"; own.textBaseline = "middle";
  for (let k = Math.ceil(view.from / step); k * step <= view.to; k++) {
    const x = ((k * step - view.from) / span) * room.width;
    own.fillStyle = css("--grey"); own.fillRect(x, 16, 1, 10);
    const text = k === 0 ? "0" : timeText(k * step, step);
    own.fillStyle = css("--ink");
    if (x + 4 + own.measureText(text).width <= room.width) own.fillText(text, x + 4, 11);
  }
  if (interval) {
    const [a, b] = [x_(interval[0]), x_(interval[1])];
    own.globalAlpha = 0.3; own.fillStyle = css("--accent"); own.fillRect(a, 0, b - a, 26); own.globalAlpha = 1;
  }
}
const x_ = (t) => ((t - view.from) / (view.to - view.from)) * room.width;
let small = null; // the overview without the view's frame, and what it was drawn for
function drawOverview() {
  const scale = devicePixelRatio || 1, high = 30, key = [room.width, scale, head.runs.map((_, i) => offset(i)), nodes.filter((one) => one.hidden).map((one) => one.number), palette.join(), css("--raised")].join("|");
  const own = fit(overview, room.width, high), w = overview.width, h = overview.height;
  if (small?.key !== key) {
    const saved = [share, level, height], made = own.createImageData(w, h), target = { pixels: new Uint32Array(made.data.buffer), width: w, height: h };
    share = new Float64Array(w); level = new Float64Array(w); height = new Int32Array(w);
    target.pixels.fill(packed(rgb(css("--raised"))));
    drawGroup(target, root, bounds.from, (bounds.to - bounds.from) / w, 0, h);
    [share, level, height] = saved;
    small = { key, made };
  }
  own.putImageData(small.made, 0, 0);
  const x = (t) => ((t - bounds.from) / (bounds.to - bounds.from)) * room.width, a = x(view.from), b = Math.max(x(view.to), a + 2);
  own.fillStyle = css("--surface"); own.globalAlpha = 0.65;
  own.fillRect(0, 0, a, high); own.fillRect(b, 0, room.width - b, high);
  own.globalAlpha = 1; own.strokeStyle = css("--accent"); own.lineWidth = 2;
  own.strokeRect(a + 1, 1, Math.max(1, b - a - 2), high - 2);
}
