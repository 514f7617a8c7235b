// The keys of a comparison: j to the next change, k to the one before.
"use strict";

document.addEventListener("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const changes = [...document.querySelectorAll("[data-change]")];
  const here = changes.indexOf(document.activeElement.closest("[data-change]") || document.querySelector("[data-change]:target"));
  const next = changes[here + step] || (here < 0 && changes[0]);
  if (!next) return;
  location.replace(`#${next.id}`);
  next.focus();
});
