// What HTML and htmx do not do: keep words whole, copy an answer, save a chart as PNG, open a dialog before everything, open a folded part that
// a link leads to, guard a form against a second press, say that the connection is lost.
"use strict";

// What no line may break: 10-K, BRK-B, non-GAAP, 0000320193-24-000123; $31,370 million; 28 Sep 2024. No rule of CSS says
// so, and a character that forbids a break would be copied with the text.
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}";
const WHOLE = new RegExp([
  "(?<![\\w.-])(?:\\d[\\w.]{0,11}(?:[-/][\\w.]{0,7}\\w){1,2}|[A-Z]{1,5}-[A-Z]{1,2}|[a-z]{2,5}-[A-Z]{2,6})(?![\\w-])",
  "[\u2212-]?[$€£]?\\d[\\d,.]{0,20}\\s(?:thousand|million|billion|trillion)\\b",
  `\\b\\d{1,2}\\s${MONTH}\\s\\d{4}\\b`,
].join("|"), "g");

function keepWhole(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest("script, style, textarea, option, time, .nowrap")) nodes.push(node);
  }
  for (const node of nodes) {
    // From the last to the first: what stands before a cut keeps its place.
    for (const match of [...node.data.matchAll(WHOLE)].reverse()) {
      const span = document.createElement("span");
      span.className = "nowrap";
      const word = node.splitText(match.index);
      word.splitText(match[0].length);
      word.replaceWith(span);
      span.append(word);
    }
  }
}
keepWhole(document.body);
document.addEventListener("htmx:load", (event) => keepWhole(event.target));

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-copy-row]");
  if (!button) return;
  const text = "copyRow" in button.dataset ? row(button) : document.querySelector(button.dataset.copy).textContent.trim();
  navigator.clipboard.writeText(text).then(
    () => say(button, "Copied"),
    () => say(button, "Not copied: your browser did not allow it"),
  );
});

// A row of figures below its years, as a spreadsheet takes it: tabs between cells, a hyphen for a minus.
function row(button) {
  const own = button.closest("tr");
  const text = (cell) => (cell.dataset.full || (cell.querySelector("a") || cell).textContent).trim().replace(/\s+/g, " ").replace("\u2212", "-");
  const cells = (of) => [...of.cells].slice(0, -1).map(text).join("\t");
  return `${cells(own.closest("table").tHead.rows[0])}\n${cells(own)}`;
}

function say(button, text) {
  const status = document.getElementById(button.getAttribute("aria-describedby") || "said");
  status.textContent = text;
}

// navigator.clipboard exists on https and localhost only; elsewhere the control stays hidden.
function reveal(root) {
  if (!navigator.clipboard) return;
  for (const item of root.querySelectorAll("[data-needs-clipboard]")) item.hidden = false;
}
reveal(document);
document.addEventListener("htmx:load", (event) => reveal(event.target));

// A chart as PNG: its SVG file, drawn at twice its size. Without a script the SVG alone is offered.
function offerImages(root) {
  for (const item of root.querySelectorAll("[data-needs-canvas]")) item.hidden = false;
}
offerImages(document);
document.addEventListener("htmx:load", (event) => offerImages(event.target));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-png]");
  if (!button) return;
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.href = canvas.toDataURL("image/png");
    link.download = button.dataset.png;
    link.click();
  };
  image.src = button.closest("p").querySelector("a[download]").href;
});

// The band of a group stands right below the headings, however many lines these have.
function measure(table) {
  table.style.setProperty("--head", `${table.querySelector("thead").offsetHeight}px`);
}
window.addEventListener("resize", () => document.querySelectorAll(".years").forEach(measure));

// Where a table of years is wider than its place, the figure asked or the newest is in view, and no figure is cut by the first column.
function turn(root) {
  for (const table of root.querySelectorAll(".years")) {
    table.style.scrollPaddingLeft = `${table.querySelector("thead th").offsetWidth}px`;
    measure(table);
    const asked = [...table.querySelectorAll(".is-asked")].pop() || [...table.querySelectorAll("tr:has(.num a):not(tr:has(.num a) ~ tr) .num:has(a)")].pop();
    if (!asked || table.scrollWidth <= table.clientWidth) continue;
    const [head, ...cells] = asked.parentElement.cells;
    const end = asked.offsetLeft + asked.offsetWidth - table.clientWidth + head.offsetWidth;
    const first = cells.find((cell) => cell.offsetLeft >= end) || asked;
    table.scrollLeft = first.offsetLeft - head.offsetWidth;
  }
}
turn(document);
// A figure half under the first column would be read as another one: it is covered until all of it is there.
document.addEventListener("scroll", ({ target }) => {
  if (!target.classList?.contains("years")) return;
  target.classList.toggle("is-turned", target.scrollLeft > 0);
  const [head, ...cells] = target.querySelector("thead tr").cells;
  const edge = target.scrollLeft + head.offsetWidth;
  const cut = cells.find((cell) => cell.offsetLeft < edge - 1 && cell.offsetLeft + cell.offsetWidth > edge);
  target.style.setProperty("--cut", `${cut ? cut.offsetLeft + cut.offsetWidth - edge : 0}px`);
}, true);
document.addEventListener("htmx:load", (event) => turn(event.target));

// A dialog that the page comes with is open without a script; with one, nothing behind it can be reached.
for (const dialog of document.querySelectorAll("dialog.dialog[open]")) {
  dialog.removeAttribute("open");
  dialog.showModal();
}

// A link to a folded part, or into one, opens it.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  const folds = [];
  for (let fold = target && target.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) folds.push(fold);
  for (const fold of folds) fold.open = true;
  if (folds.length) target.scrollIntoView();
}
unfold();
window.addEventListener("hashchange", unfold);

// A second press while the first is under way would ask twice.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "1";
});
// A page that comes back from the history is unsent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

function connection(lost) {
  const line = document.getElementById("connection");
  if (line && line.hidden === lost) line.hidden = !lost;
}
document.addEventListener("htmx:sendError", () => connection(true));
document.addEventListener("htmx:responseError", () => connection(true));
document.addEventListener("htmx:afterOnLoad", (event) => { if (event.detail.successful) connection(false); });
