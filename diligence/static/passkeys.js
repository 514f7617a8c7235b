// Around allauth's passkey scripts: says why a passkey was not used, and lets Enter do what the button does.
"use strict";

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const status = document.getElementById("passkey-status");
  const cancelled = ["NotAllowedError", "AbortError"].includes(event.detail.exception.name);
  status.textContent = cancelled ? "No passkey was used." : "This browser could not use a passkey here.";
});

// The form is sent by the script once the passkey has answered, and never without it.
document.addEventListener("submit", (event) => {
  const credential = event.target.querySelector("input[name=credential]");
  // Empty, or "null" as the form writes it.
  if (!credential || credential.value.startsWith("{")) return;
  event.preventDefault();
  event.target.querySelector("button[type=button]").click();
}, true);
