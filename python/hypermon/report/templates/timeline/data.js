"use strict";
// The time lines as typed arrays. Times count from the begin of their run, in head.unit_ps.
const head = JSON.parse(document.getElementById("head").textContent);

async function bytesOf(id) {
  const element = document.getElementById(id), text = element.textContent;
  element.remove(); // its memory is of use elsewhere
  const letters = atob(text), packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A column of whole numbers: differences, each with its sign in the last bit, bytes of the same weight together.
function whole(bytes, { at, n, width, first }) {
  const out = new Float64Array(n), lower = Math.min(width, 4);
  let value = first;
  for (let i = 0; i < n; i++) {
    let low = 0, high = 0;
    for (let b = lower - 1; b >= 0; b--) low = low * 256 + bytes[at + b * n + i];
    for (let b = width - 1; b >= 4; b--) high = high * 256 + bytes[at + b * n + i];
    const half = high * 2147483648 + Math.floor(low / 2);
    value += low % 2 ? -half - 1 : half;
    out[i] = value;
  }
  return out;
}
function doubles(bytes, { at, n }) {
  const out = new Uint8Array(8 * n);
  for (let b = 0; b < 8; b++) for (let i = 0; i < n; i++) out[8 * i + b] = bytes[at + b * n + i];
  return new Float64Array(out.buffer);
}
const column = (bytes, one) => (one.form === "double" ? doubles(bytes, one) : whole(bytes, one));

const tracks = [], statistics = [];
let events = 0;

function readPicture(bytes) {
  for (const one of head.tracks) {
    const begin = column(bytes, one.begin), end = column(bytes, one.length);
    for (let i = 0; i < end.length; i++) end[i] += begin[i];
    tracks.push({
      path: one.path, run: one.run, lanes: one.lanes, main: one.lanes === 1 || one.calls, n: begin.length, first: events, begin, end, rows: new Map(),
      name: Uint32Array.from(column(bytes, one.name)), lane: Uint16Array.from(column(bytes, one.lane)),
      depth: Uint8Array.from(column(bytes, one.depth)), about: one, columns: {},
    });
    tracks.at(-1).depths = tracks.at(-1).depth.reduce((most, depth) => Math.max(most, depth), 0) + 1;
    events += begin.length;
  }
  for (const one of head.statistics)
    statistics.push({ ...one, times: column(bytes, one.times), values: column(bytes, one.values) });
}

// What is asked of single operations: ids, causes, details. It comes after the first picture.
let details = null, ids = [[], []]; // of operations: the upper and the lower 32 bits, from 1 on
function readDetails(bytes) {
  details = bytes;
  ids = [0, 1].map((half) => {
    const parts = head.ids.map((one) => whole(bytes, one[half])), all = new Float64Array(1 + parts.reduce((sum, one) => sum + one.length, 0));
    let at = 1;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
  });
  for (const track of tracks) {
    track.id = Uint32Array.from(whole(bytes, track.about.id));
    track.cause = Uint32Array.from(whole(bytes, track.about.cause));
  }
}
const idText = (k) => String((BigInt(ids[0][k]) << 32n) | BigInt(ids[1][k]));
// Which ids are this number: one of each run, at most.
function idsOf(text) {
  const wanted = BigInt(text), high = Number(wanted >> 32n), low = Number(wanted & 0xffffffffn), found = new Set();
  for (let k = 1; k < ids[0].length; k++) if (ids[1][k] === low && ids[0][k] === high) found.add(k);
  return found;
}
// The details of an operation that it has: [name, value].
function detailsOf(track, i) {
  if (!details) return [];
  const found = [];
  for (const [key, about] of Object.entries(track.about.details)) {
    const values = (track.columns[key] ??= column(details, about));
    const value = about.form === "text" ? about.texts[values[i]] : values[i];
    if (value !== "" && !Number.isNaN(value) && value !== -1) found.push([key, value]);
  }
  return found;
}
function trackOf(event) { // of an event's number over all tracks
  let low = 0, high = tracks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tracks[middle].first <= event) low = middle; else high = middle - 1;
  }
  return tracks[low];
}
