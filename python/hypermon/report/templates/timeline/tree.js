// The tree at the left: fold, order, hide; by mouse, and by the keys of a tree.
const tree = document.getElementById("tree"), inner = document.getElementById("inner");
let current = null, dragged = null; // the node with the focus

function made(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) if (key.startsWith("on")) element.addEventListener(key.slice(2), value); else if (value !== null) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function relayout() { // after any change of the tree
  layout();
  inner.style.height = total + "px";
  tree.replaceChildren(...lines.map(item));
  const count = nodes.filter((one) => one.hidden).length, list = document.getElementById("hidden");
  list.replaceChildren(new Option(`Hidden: ${count}`, ""), ...nodes.filter((one) => one.hidden).map((one) => new Option(pathText(one), one.number)), ...(count > 1 ? [new Option("Show all", "all")] : []));
  list.disabled = !count;
  update();
}
const laneName = ({ node, lane }) => `${node.name}, ${lane + 1} of ${node.track.lanes}`;
const pathText = (node) => (node === root ? "" : node.parent === root ? node.name : pathText(node.parent) + " / " + node.name);
function item(line) {
  const { node } = line, laned = line.kind === "lane";
  const attributes = { role: "treeitem", class: `line ${line.kind}`, style: `top:${line.top}px;height:${line.height}px;padding-left:${6 + 12 * line.level}px`, "aria-level": line.level + 1, tabindex: node === (current ?? root.children[0]) && !laned ? 0 : -1, title: pathText(node) };
  if (laned) return made("div", { ...attributes, "aria-label": laneName(line) }, made("span", { class: "muted name" }, laneName(line)));
  if (foldable(node)) attributes["aria-expanded"] = !node.folded;
  const button = (text, name, act) => made("button", { type: "button", tabindex: -1, class: "mini", "aria-label": `${name} ${pathText(node)}`, title: name, onclick: (event) => { event.stopPropagation(); act(); } }, text);
  const about = line.kind === "statistic" ? scaleText(node.statistic) : aboutTracks(line);
  const element = made("div", { ...attributes, draggable: "true", "data-node": node.number },
    foldable(node) ? made("span", { class: "fold", "aria-hidden": "true" }, node.folded ? "▸" : "▾") : made("span", { class: "fold", "aria-hidden": "true" }),
    made("span", { class: "name" }, node.name), made("span", { class: "about" }, about),
    made("span", { class: "minis" }, button("↑", "Move up", () => act("up", node)), button("↓", "Move down", () => act("down", node)), button("✕", "Hide", () => act("hide", node))));
  element.addEventListener("click", () => { current = node; if (foldable(node)) act("fold", node); });
  element.addEventListener("focus", () => { current = node; });
  element.addEventListener("dragstart", (event) => { dragged = node; event.dataTransfer.effectAllowed = "move"; });
  element.addEventListener("dragover", (event) => { if (dragged && dragged !== node && dragged.parent === node.parent) { event.preventDefault(); element.classList.add("over"); } });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    const among = node.parent.children, to = among.indexOf(node);
    among.splice(among.indexOf(dragged), 1);
    among.splice(to, 0, dragged);
    dragged = null;
    relayout();
  });
  return element;
}
function aboutTracks(line) { // of a folded node the only track's name; how many lines a track has
  const track = trackAlone(line), own = tracksOf(line), strips = line.node.folded && !own.length ? below(line.node).filter((one) => one.statistic).length : 0;
  if (strips) return strips === 1 ? "1 statistic" : `${strips} statistics`;
  return [track && track.node !== line.node ? track.node.name : "", track?.lanes > 1 ? `× ${track.lanes}` : ""].join(" ").trim();
}
function scaleText(one) {
  curveOfStatistic(one);
  const [low, high] = one.scale;
  if (one.limit !== null) return `full at ${valueText(one.limit, one.unit)}`; // the dashed line
  return `${low < 0 ? valueText(low, one.unit) : "0"} to ${valueText(high, one.unit)}`;
}
function act(what, node) {
  if (what === "fold") node.folded = !node.folded;
  if (what === "up") move(node, -1);
  if (what === "down") move(node, 1);
  if (what === "hide") { const next = neighbour(node, 1) ?? neighbour(node, -1); node.hidden = true; current = next; }
  relayout();
  focus(current);
}
const shownNodes = () => lines.filter((line) => line.kind !== "lane").map((line) => line.node);
const neighbour = (node, by) => { const all = shownNodes(); return all[all.indexOf(node) + by]; };
function focus(node) { if (node && document.activeElement !== query) tree.querySelector(`[data-node="${node.number}"]`)?.focus({ preventScroll: false }); }
tree.addEventListener("keydown", (event) => {
  const node = current ?? root.children[0];
  if (!node) return;
  const to = (one) => { if (one && one !== root) { current = one; focus(one); for (const each of tree.children) each.tabIndex = each.dataset.node === String(one.number) ? 0 : -1; } };
  const keys = {
    ArrowDown: () => (event.altKey ? act("down", node) : to(neighbour(node, 1))),
    ArrowUp: () => (event.altKey ? act("up", node) : to(neighbour(node, -1))),
    ArrowRight: () => (foldable(node) && node.folded ? act("fold", node) : to(node.children.find((one) => !one.hidden))),
    ArrowLeft: () => (foldable(node) && !node.folded ? act("fold", node) : to(node.parent)),
    Enter: () => foldable(node) && act("fold", node),
    " ": () => foldable(node) && act("fold", node),
    Delete: () => act("hide", node),
  };
  if (event.target.tagName === "BUTTON" || !keys[event.key] || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  keys[event.key]();
});
document.getElementById("hidden").addEventListener("change", (event) => {
  for (const one of nodes) if (event.target.value === "all" || one.number === Number(event.target.value)) one.hidden = false;
  relayout();
});
