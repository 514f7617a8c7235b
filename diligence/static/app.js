// What HTML and htmx do not do: copy an answer, open a dialog before everything, open a folded part that a link leads to, guard a form
// against a second press, say that the connection is lost.
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  navigator.clipboard.writeText(source.textContent.trim()).then(
    () => say(button, "Copied"),
    () => say(button, "Not copied: your browser did not allow it"),
  );
});

function say(button, text) {
  const status = document.getElementById(button.getAttribute("aria-describedby"));
  status.textContent = text;
}

// navigator.clipboard exists on https and localhost only; elsewhere the control stays hidden.
function reveal(root) {
  if (!navigator.clipboard) return;
  for (const item of root.querySelectorAll("[data-needs-clipboard]")) item.hidden = false;
}
reveal(document);
document.addEventListener("htmx:load", (event) => reveal(event.target));

// A dialog that the page comes with is open without a script; with one, nothing behind it can be reached.
for (const dialog of document.querySelectorAll("dialog.dialog[open]")) {
  dialog.removeAttribute("open");
  dialog.showModal();
}

// A link to a folded part opens it.
function unfold() {
  const part = document.getElementById(location.hash.slice(1));
  if (!(part instanceof HTMLDetailsElement) || part.open) return;
  part.open = true;
  part.scrollIntoView();
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
