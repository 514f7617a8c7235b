// Names for what Django's scripts make without one: lists that are searched, and hints behind a question mark.
"use strict";

// Deferred, and so after theirs, which wait for the same event.
addEventListener("load", () => {
  for (const hint of document.querySelectorAll(".help-tooltip[aria-label]:not([role])")) hint.setAttribute("role", "img");
  for (const select of document.querySelectorAll("select.select2-hidden-accessible")) {
    const label = document.querySelector(`label[for="${select.id}"]`);
    const shown = document.getElementById(`select2-${select.id}-container`);
    if (!label || !shown) continue;
    label.id ||= `label-${select.id}`;
    for (const part of [shown, shown.closest("[role=combobox]")]) part.setAttribute("aria-labelledby", `${label.id} ${shown.id}`);
  }
});
