// The page's beginning: the picture first, what one asks of an operation after it.
const ui = { in: () => zoom(0.5), out: () => zoom(2), all: showAll, undo, previous: () => next(-1), next: () => next(1), "help-open": () => help.showModal(), "help-close": () => help.close() };
for (const [id, act_] of Object.entries(ui)) byDoc(id).addEventListener("click", act_);
byDoc("skip").addEventListener("click", (event) => { event.preventDefault(); document.querySelector("[role=treeitem]")?.focus(); });
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (systemDark.matches ? "dark" : "light")) === "dark";
function themed() { byDoc("theme").textContent = isDark() ? "Light theme" : "Dark theme"; colour(); update(); }
byDoc("theme").addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; themed(); });
systemDark.addEventListener("change", themed);
byDoc("size").addEventListener("change", (event) => { size = event.target.value; relayout(); });
byDoc("align")?.addEventListener("change", (event) => {
  aligned = event.target.checked;
  measureBounds(); measureHome(); before.length = 0; choose(null); lastZoom = -1e9;
  show(home.from, home.to); fillOperation();
});
byDoc("side-toggle").addEventListener("click", () => { const open = document.body.classList.toggle("with-side"); byDoc("side-toggle").setAttribute("aria-expanded", open); fitRoom(); });
scroller.addEventListener("scroll", update);
function fitRoom() {
  room.width = Math.max(50, scroller.clientWidth - tree.offsetWidth);
  room.height = Math.max(50, scroller.clientHeight);
  update();
}
new ResizeObserver(fitRoom).observe(scroller);
function applyHash() {
  readHash();
  byDoc("size").value = size;
  if (byDoc("align")) byDoc("align").checked = aligned;
  relayout(); fillInterval(); select(selected); search();
}
addEventListener("hashchange", applyHash);

async function open_() {
  readPicture(await bytesOf("picture-data"));
  plant();
  colour(); readHash(); layout(); fitRoom();
  applyHash();
  cancelAnimationFrame(frame); frame = 0;
  drawAll(); themed();
  document.body.dataset.picture = Math.round(performance.now()); // ms since the page was opened
  const rest = await bytesOf("details-data");
  await new Promise((done) => setTimeout(done)); // the picture is seen meanwhile
  readDetails(rest); relate();
  select(selected); search();
  document.body.dataset.ready = Math.round(performance.now());
}
open_().catch((error) => { document.body.dataset.failed = error.message; byDoc("operation").textContent = `The data of this page cannot be read: ${error.message}`; throw error; });
