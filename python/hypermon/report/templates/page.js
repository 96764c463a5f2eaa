"use strict";
// Charts, their theme, and what every page has: choices, sortable tables, copying.
const page = document.documentElement;
const narrow = () => window.innerWidth < 720;
const touch = window.matchMedia("(pointer: coarse)").matches;
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (page.dataset.theme || (systemDark.matches ? "dark" : "light")) === "dark";
const charts = JSON.parse(document.getElementById("charts").textContent);

const colour = (name) => {
  const [base, strength] = name.slice(1).split("-");
  const value = getComputedStyle(page).getPropertyValue("--" + base).trim();
  const alpha = { soft: 0.4, faint: 0.15 }[strength];
  if (!alpha) return value;
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(value.slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${alpha})`;
};
const themed = (value) => {
  if (typeof value === "string") return value.startsWith("$") ? colour(value) : value;
  if (Array.isArray(value)) return value.map(themed);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, themed(inner)]));
  return value;
};
const drawn = {};
function draw(id, chart) {
  drawn[id] = chart;
  const box = document.getElementById("chart-" + id);
  const axis = { gridcolor: "$line", zerolinecolor: "$line", linecolor: "$line", automargin: true, tickfont: { color: "$muted" }, separatethousands: true };
  const layout = {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.body).fontFamily, size: narrow() ? 11 : 13, color: "$ink" },
    margin: { l: 8, r: 12, t: 8, b: 8 }, separators: ".\u202f", dragmode: touch ? false : "zoom", hovermode: "closest",
    hoverlabel: { bgcolor: "$raised", bordercolor: "$line", font: { color: "$ink" } }, autosize: true,
    ...chart.layout,
  };
  for (const key of ["xaxis", "yaxis", "xaxis2", "yaxis2"]) if (layout[key]) layout[key] = { ...axis, ...layout[key] };
  if (layout.legend) layout.margin = { ...layout.margin, t: 36 };
  return Plotly.react(box, themed(chart.data), themed(layout), { displayModeBar: false, responsive: true });
}
const redraw = () => Object.entries(drawn).forEach(([id, chart]) => draw(id, chart));

for (const [id, variants] of Object.entries(charts)) draw(id, variants[Object.keys(variants)[0]]);
for (const choice of document.querySelectorAll("select[data-chart]"))
  choice.addEventListener("change", () => draw(choice.dataset.chart, charts[choice.dataset.chart][choice.value]));

// Theme: the system's until the button is pressed.
const themeButton = document.getElementById("theme");
const nameTheme = () => { themeButton.textContent = isDark() ? "Light theme" : "Dark theme"; };
const showTheme = () => { nameTheme(); redraw(); };
themeButton.addEventListener("click", () => { page.dataset.theme = isDark() ? "light" : "dark"; showTheme(); });
systemDark.addEventListener("change", showTheme);
nameTheme();

// Paper is white, and shows what is folded away unless it is long.
let before;
window.addEventListener("beforeprint", () => {
  before = page.dataset.theme;
  page.dataset.theme = "light";
  for (const details of document.querySelectorAll("details")) {
    details.dataset.was = details.open;
    if (details.open || details.querySelectorAll("tr").length <= 40) { details.open = true; details.classList.add("print-open"); }
  }
  redraw();
});
window.addEventListener("afterprint", () => {
  if (before) page.dataset.theme = before; else delete page.dataset.theme;
  for (const details of document.querySelectorAll("details")) { details.open = details.dataset.was === "true"; details.classList.remove("print-open"); }
  redraw();
});

// Tables: long ones show their first rows and say how many there are; each is copied as CSV, whole, with plain digits.
const firstRows = 12, foldFrom = 20;
const csvOf = {};
const plainText = (text) => text.trim().replace(/(\d)\u202f(?=\d{3}(?!\d))/g, "$1").replaceAll("\u202f", " ").replaceAll("\u2212", "-");
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const asCsv = (rows) => rows.map((row) => row.map((cell) => quoted(cell)).join(",") + "\n").join("");
const cellsOf = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => plainText(cell.textContent)));
function equip(table) {
  const name = table.closest(".scroll").getAttribute("aria-label");
  const bar = document.createElement("p");
  bar.className = "table-actions";
  const button = (text, label, act) => {
    const made = document.createElement("button");
    made.type = "button"; made.textContent = text; made.setAttribute("aria-label", label);
    made.addEventListener("click", () => act(made));
    bar.append(made);
  };
  const rows = [...table.tBodies[0].rows];
  if (!csvOf[table.id] && rows.length > foldFrom) {
    const shownRows = document.createElement("span");
    let open = true;
    const fold = (toggle) => {
      open = !open;
      rows.slice(firstRows).forEach((row) => row.classList.toggle("folded", !open));
      shownRows.textContent = open ? `${rows.length} rows` : `Rows 1 to ${firstRows} of ${rows.length}`;
      if (toggle) { toggle.textContent = open ? "Show fewer rows" : `Show all ${rows.length} rows`; toggle.setAttribute("aria-label", `${toggle.textContent}: ${name}`); }
    };
    bar.append(shownRows);
    button("", "", fold);
    fold(bar.querySelector("button"));
  }
  button("Copy as CSV", `Copy as CSV: ${name}`, (made) => {
    const source = document.createElement("pre");
    source.className = "hidden";
    source.textContent = asCsv((csvOf[table.id] || (() => cellsOf(table)))());
    document.body.append(source);
    copy(made, source).finally(() => source.remove());
  });
  table.closest(".scroll").after(bar);
}

async function copy(button, source) {
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch { // a page from a file may not: select it, so that one can
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    if (!document.execCommand("copy")) { button.textContent = "Selected"; return; }
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = name; }, 2000);
}
for (const button of document.querySelectorAll("button[data-copy]"))
  button.addEventListener("click", () => copy(button, document.getElementById(button.dataset.copy)));
addEventListener("DOMContentLoaded", () => document.querySelectorAll(".scroll > table").forEach(equip)); // after the sweep's own script
