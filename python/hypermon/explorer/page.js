"use strict";
// The part of the explorer that runs in the browser: sliders and their fields, the address, and the chart's colours.
(() => {
  const REST_MS = 150; // (chosen) time without a change after which the whole answer is requested
  const tab = crypto.randomUUID();
  let number = 0;
  let shown = {}; // the controls' values, by path
  const same = () => window.dash_clientside.no_update;
  const nearest = (steps, value) => {
    const wanted = Number(value);
    if (!Number.isFinite(wanted)) return null;
    return steps.reduce((best, step, i) => (Math.abs(Number(step) - wanted) < Math.abs(Number(steps[best]) - wanted) ? i : best), 0);
  };
  const colour = (name) => {
    const [base, strength] = name.slice(1).split("-");
    const value = getComputedStyle(document.documentElement).getPropertyValue("--" + base).trim();
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(value.slice(i, i + 2), 16));
    return strength ? `rgba(${r},${g},${b},0.15)` : value;
  };
  const themed = (value) => {
    if (typeof value === "string") return value.startsWith("$") ? colour(value) : value;
    if (Array.isArray(value)) return value.map(themed);
    return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, themed(of)])) : value;
  };
  const control = (path) => document.getElementById("control-" + path.replace(".", "-"));
  // Names each slider's handle and each group of choices for screen readers. Dash gives them the number of the step alone.
  const nameControls = () => {
    for (const [path, value] of Object.entries(shown)) {
      const label = control(path).querySelector(".head > label").textContent;
      const unit = control(path).querySelector(".unit")?.textContent;
      const group = control(path).querySelector(".choices");
      group?.setAttribute("role", "radiogroup");
      group?.setAttribute("aria-label", label);
      const handle = control(path).querySelector("[role=slider]");
      handle?.setAttribute("aria-label", unit ? `${label}, ${unit}` : label);
      handle?.setAttribute("aria-valuetext", unit ? `${value} ${unit}` : value);
    }
  };
  new MutationObserver(nameControls).observe(document, { childList: true, subtree: true }); // Dash adds sliders late
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (now) => window.dash_clientside.set_props("theme", { data: now.matches }));

  window.dash_clientside = Object.assign(window.dash_clientside || {}, {
    explorer: {
      // A slider and its field. A typed value between two steps stays as it is.
      together: (value, at, steps) => {
        const now = nearest(steps, value);
        if (now === at) return [same(), same()];
        const fromSlider = window.dash_clientside.callback_context.triggered.some(({ prop_id: id }) => id.includes('"slider"'));
        return fromSlider ? [steps[at], same()] : [same(), now ?? at];
      },
      move: (numbers, choices, compare, numberIds, choiceIds, recorded, reference) => {
        const values = [...numbers, ...choices];
        const now = Object.fromEntries([...numberIds, ...choiceIds].map((id, i) => [id.path, String(values[i] ?? "")]));
        const changed = Object.entries(now).filter(([path, value]) => value !== recorded[path]);
        if (compare.length) changed.push(["compare", reference]);
        const query = new URLSearchParams(changed).toString();
        history.replaceState(history.state, "", location.pathname + (query ? "?" + query : ""));
        for (const [path, value] of Object.entries(now)) control(path).classList.toggle("changed", value !== recorded[path]);
        shown = now;
        nameControls();
        return { values: now, compare: compare.length > 0, tab, number: ++number };
      },
      rest: (state) => new Promise((done) => setTimeout(() => done(state.number === number ? state : same()), REST_MS)),
      draw: (chart) => {
        if (!chart) return [{ data: [], layout: {} }, { display: "none" }];
        const axis = { gridcolor: "$line", zerolinecolor: "$line", linecolor: "$line", automargin: true, tickfont: { color: "$muted" }, fixedrange: innerWidth < 720 };
        const layout = {
          paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", margin: { l: 8, r: 12, t: 36, b: 8 }, separators: ".\u202f",
          font: { family: getComputedStyle(document.body).fontFamily, size: innerWidth < 720 ? 11 : 13, color: "$ink" },
          hoverlabel: { bgcolor: "$raised", bordercolor: "$line", font: { color: "$ink" } }, ...chart.layout,
        };
        for (const key of ["xaxis", "yaxis", "yaxis2"]) if (layout[key]) layout[key] = { ...axis, ...layout[key] };
        return [{ data: themed(chart.data), layout: themed(layout) }, { height: "340px" }];
      },
      copy: async (_clicks, command) => {
        const button = document.getElementById("copy");
        await navigator.clipboard.writeText(command);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy as command"; }, 2000);
        return command;
      },
    },
  });
})();
