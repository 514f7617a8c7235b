// The box that questions are typed in: an editable combobox with a list, as the ARIA Authoring Practices describe it.
// What is typed is replaced only by an option that was chosen. Without this file, or without an answer of the server,
// the box is a plain one.
"use strict";

const PAUSE = 120; // milliseconds without a key before the server is asked

// The state of each box: its list, which option is marked, where the caret was that they complete, what is under way.
const boxes = new WeakMap();

function makeCombobox(input) {
  if (boxes.has(input)) return;
  const list = document.createElement("ul");
  list.id = `${input.id}-suggestions`;
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  const said = document.createElement("p");
  said.className = "vh";
  said.setAttribute("role", "status");
  input.parentElement.append(list, said);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" })) {
    input.setAttribute(name, value);
  }
  const box = { input, list, said, at: -1, caret: 0, timer: 0, asked: null };
  boxes.set(input, box);
  input.addEventListener("input", (event) => { if (!event.isComposing) askSoon(box); });
  input.addEventListener("compositionend", () => askSoon(box));
  input.addEventListener("keydown", (event) => onKey(box, event));
  input.addEventListener("blur", () => close(box));
  input.addEventListener("click", () => close(box));
  // A press keeps the caret in the box; the click chooses.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(box, option);
  });
}

// --- the list ---

function askSoon(box) {
  clearTimeout(box.timer);
  box.asked?.abort();
  mark(box, -1);
  box.timer = setTimeout(() => ask(box), PAUSE);
}

async function ask(box) {
  const { input } = box;
  const caret = input.selectionStart;
  const before = input.value.slice(0, caret);
  if (!before.trim() || caret !== input.selectionEnd) return close(box);
  box.asked = new AbortController();
  const { signal } = box.asked;
  try {
    // The server counts characters, the browser units of UTF-16.
    const query = new URLSearchParams({ q: input.value, at: [...before].length });
    const answer = await fetch(`${input.dataset.suggest}?${query}`, { signal });
    const options = answer.ok ? await answer.text() : "";
    if (!signal.aborted && document.activeElement === input) show(box, options, caret);
  } catch {
    if (!signal.aborted) close(box);
  }
}

function show(box, options, caret) {
  const { input, list, said } = box;
  box.caret = caret;
  list.innerHTML = options;
  mark(box, -1);
  for (const [place, option] of optionsOf(box).entries()) option.id = `${list.id}-${place}`;
  const found = list.children.length;
  list.hidden = !found;
  input.setAttribute("aria-expanded", String(Boolean(found)));
  said.textContent = found ? `${found} suggestion${found === 1 ? "" : "s"}` : "";
}

function close(box) {
  clearTimeout(box.timer);
  box.asked?.abort();
  if (!box.list.hidden) show(box, "", 0);
}

const optionsOf = (box) => [...box.list.querySelectorAll("[role=option]")];

function mark(box, place) {
  box.at = place;
  box.input.removeAttribute("aria-activedescendant");
  for (const [at, option] of optionsOf(box).entries()) {
    option.setAttribute("aria-selected", String(at === place));
    if (at !== place) continue;
    box.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
}

function choose(box, option) {
  const { input } = box;
  // Letters typed since the list was asked for belong to the same word.
  const end = input.selectionStart;
  const start = Math.min(box.caret - option.dataset.typed.length, end);
  input.setRangeText(option.dataset.text + (end < input.value.length ? "" : " "), start, end, "end");
  close(box);
  input.focus();
}

// --- keys ---

function onKey(box, event) {
  if (event.isComposing || event.ctrlKey || event.metaKey) return;
  const options = optionsOf(box);
  const option = options[box.at];
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (!options.length) return ask(box);
    // One place more than there are options: the text itself, with none of them marked.
    const places = options.length + 1;
    const step = event.key === "ArrowDown" ? 1 : places - 1;
    mark(box, ((box.at + 1 + step) % places) - 1);
  } else if ((event.key === "Enter" || event.key === "Tab") && option && !event.shiftKey) {
    event.preventDefault();
    choose(box, option);
  } else if (event.key === "Escape" && options.length) {
    event.preventDefault();
    close(box);
  } else if (["ArrowLeft", "ArrowRight", "Home", "End", "Enter"].includes(event.key)) {
    close(box);
  }
}

// "/" leads to the box from anywhere that nothing is typed in, unless whoever asks has turned that off in this browser.
const KEPT = "slash-off";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (localStorage.getItem(KEPT) || document.querySelector("dialog:modal")) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const input = document.querySelector("[data-suggest]");
  if (!input) return;
  event.preventDefault();
  input.focus();
});

for (const line of document.querySelectorAll("[data-slash]")) {
  const button = line.querySelector("button");
  const say = () => { button.textContent = localStorage.getItem(KEPT) ? "Turn this on" : "Turn this off"; };
  button.addEventListener("click", () => {
    if (localStorage.getItem(KEPT)) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, "1");
    say();
  });
  say();
  line.hidden = false;
}

// What a question goes on from is let go in place; without a script the link leads to a box without it.
document.addEventListener("click", (event) => {
  const drop = event.target.closest(".chip__drop");
  if (!drop || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const input = drop.closest("form").elements.namedItem("question");
  drop.closest(".chip").remove();
  input.focus();
});

function makeComboboxes(root) {
  for (const input of root.querySelectorAll("[data-suggest]")) makeCombobox(input);
}
makeComboboxes(document);
document.addEventListener("htmx:load", (event) => makeComboboxes(event.target));
