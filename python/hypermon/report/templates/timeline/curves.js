// What a column of pixels shows of a row, exactly, in a time that does not depend on how many operations lie in it.
//
// For each name a curve: how long operations of that name have been going on in all until a time. It is linear between
// their begins and ends; what lies in a column is the difference of two of its values.

// The first index from `k` on whose value is above t.
function after(points, t, k = 0) {
  let step = 1, low = k;
  while (low + step <= points.length && points[low + step - 1] <= t) { low += step; step *= 2; }
  let high = Math.min(points.length, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle] <= t) low = middle + 1; else high = middle;
  }
  return low;
}
// Of operations: their begins and their ends, each ascending.
function curveOf(begins, ends) {
  const n = begins.length, at = new Float64Array(2 * n), area = new Float64Array(2 * n), slope = new Float64Array(2 * n);
  let open = 0, sum = 0, last = 0;
  for (let i = 0, j = 0, k = 0; j < n; k++) {
    const begins_ = i < n && begins[i] <= ends[j], t = begins_ ? begins[i++] : ends[j++];
    sum += open * (t - last);
    open += begins_ ? 1 : -1;
    last = t;
    at[k] = t; area[k] = sum; slope[k] = open;
  }
  return { at, area, slope };
}
// Of a value that holds from each time to the next one.
function curveOfSteps(at, slope) {
  const area = new Float64Array(at.length);
  for (let k = 1; k < at.length; k++) area[k] = area[k - 1] + slope[k - 1] * (at[k] - at[k - 1]);
  return { at, area, slope };
}
const until = ({ at, area, slope }, t, k) => (k ? area[k - 1] + slope[k - 1] * (t - at[k - 1]) : 0);

// The mean of the curve's slope in each of the columns of this width from a time on.
function means(curve, from, width, out) {
  let k = after(curve.at, from), before = until(curve, from, k);
  for (let x = 0; x < out.length; x++) {
    const t = from + (x + 1) * width;
    if (k < curve.at.length && curve.at[k] <= t) k = after(curve.at, t, k);
    const now = until(curve, t, k);
    out[x] = (now - before) / width;
    before = now;
  }
  return out;
}

// A row: the states of a lane in a depth, which do not overlap; lane -1: the outermost of all lanes.
function rowOf(track, lane, depth) {
  const key = lane * 256 + depth;
  if (!track.rows.has(key)) track.rows.set(key, madeRow(track, lane, depth));
  return track.rows.get(key);
}
function madeRow(track, lane, depth) {
  const { n, begin, end, name } = track, mine = new Uint8Array(n), counts = new Map();
  let size = 0;
  for (let i = 0; i < n; i++)
    if (track.depth[i] === depth && (lane < 0 || track.lane[i] === lane)) { mine[i] = 1; size++; counts.set(name[i], (counts.get(name[i]) ?? 0) + 1); }
  const indices = new Uint32Array(size), begins = new Float64Array(size), of = new Map();
  for (const [one, count] of counts) of.set(one, { name: one, at: new Float64Array(count), to: new Float64Array(count), n: 0, instants: 0 });
  for (let i = 0, k = 0; i < n; i++) {
    if (!mine[i]) continue;
    const one = of.get(name[i]);
    one.at[one.n] = begin[i]; one.to[one.n++] = end[i];
    if (begin[i] === end[i]) one.instants++;
    indices[k] = i; begins[k++] = begin[i];
  }
  const names = [...of.values()].sort((a, b) => a.name - b.name);
  return {
    indices, begins,
    names: names.map((one) => ({
      name: one.name,
      instants: one.instants ? one.at.filter((t, i) => t === one.to[i]) : null,
      curve: curveOf(one.at, lane < 0 && track.lanes > 1 ? one.to.sort() : one.to),
    })),
  };
}
// The operation of a lane's row in [from, to], the last one of several; -1: none.
function eventIn(track, row, from, to) {
  const k = after(row.begins, to) - 1;
  return k >= 0 && track.end[row.indices[k]] >= from ? row.indices[k] : -1;
}

// Statistics: their curve, and the extremes of any stretch of their values, from those of stretches of 2, 4, 8, ...
function curveOfStatistic(one) {
  if (one.curve) return one.curve;
  const { times, values, exact } = one, end = head.runs[one.run].end;
  const n = times.length, at = new Float64Array(n + (exact ? 1 : 0)), value = new Float64Array(at.length);
  at.set(times);
  if (exact) { value.set(values); at[n] = Math.max(end, n ? times[n - 1] : 0); } else value.set(values.subarray(1));
  one.curve = curveOfSteps(at, value);
  one.high = [value];
  one.low = [value];
  for (let size = value.length; size > 1; size = one.high.at(-1).length)
    for (const [levels, pick] of [[one.high, Math.max], [one.low, Math.min]]) {
      const below = levels.at(-1), level = new Float64Array((size + 1) >> 1);
      for (let i = 0; i < level.length; i++) level[i] = 2 * i + 1 < size ? pick(below[2 * i], below[2 * i + 1]) : below[2 * i];
      levels.push(level);
    }
  const known = exact ? values : values.subarray(1);
  one.scale = [known.reduce((a, b) => Math.min(a, b), 0), known.reduce((a, b) => Math.max(a, b), one.limit ?? 0)];
  return one.curve;
}
// Of the steps a to b - 1.
function extreme(levels, pick, a, b) {
  let found = levels[0][a];
  for (let level = 0; a < b; level++, a >>= 1, b >>= 1) {
    if (a & 1) found = pick(found, levels[level][a++]);
    if (b & 1) found = pick(found, levels[level][--b]);
  }
  return found;
}
// The value at a time: [value, of the time from, to]; null: none is known.
function valueAt(one, t) {
  const { at, slope } = curveOfStatistic(one), k = after(at, t) - 1;
  return k < 0 || k >= at.length - 1 ? null : [slope[k], at[k], at[k + 1]];
}
