// A page that waits for a worker is asked for again, and only what has come in is put in its place.
"use strict";

const parts = ["waited", "found"];

async function look() {
  try {
    const reply = await fetch(location.href);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const found = page.getElementById("found");
    if (reply.ok && found && !found.hasAttribute("data-waits")) {
      for (const id of parts) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
      return;
    }
  } catch {
    // The server is away for a moment.
  }
  setTimeout(look, 1000);
}

setTimeout(look, 1000);
