// Names for what Django's scripts make without one: lists that are searched, and hints behind a question mark.
"use strict";

function named() {
  for (const hint of document.querySelectorAll(".help-tooltip[aria-label]:not([role])")) hint.setAttribute("role", "img");
  for (const select of document.querySelectorAll("select.select2-hidden-accessible")) {
    const label = document.querySelector(`label[for="${select.id}"]`);
    const shown = document.getElementById(`select2-${select.id}-container`);
    if (!label || !shown) continue;
    label.id ||= `label-${select.id}`;
    for (const part of [shown, shown.closest("[role=combobox]")]) part.setAttribute("aria-labelledby", `${label.id} ${shown.id}`);
  }
}

// Deferred, and so behind Django's in the line of what jQuery calls once the page is read. Its filters wait for `load`.
if (window.django?.jQuery) django.jQuery(named);
addEventListener("load", named);
