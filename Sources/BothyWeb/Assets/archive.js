// What is chosen goes out as one download: the form itself is sent, so that the browser keeps what comes.
"use strict";
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.matches("[data-archive]")) return;
  event.stopImmediatePropagation(); // no gesture of the list's
  const [form, rows] = [event.target, [...document.querySelectorAll(".row.picked")]];
  form.querySelectorAll("[name=id]").forEach((field) => field.remove());
  // Rows far away are not here: better none than some of what was chosen.
  if (rows.length !== Number(document.getElementById("picked").dataset.count)) {
    event.preventDefault();
    const toast = document.getElementById("toasts").appendChild(document.createElement("div"));
    toast.className = "toast said failure";
    toast.textContent = button.dataset.archive;
    return;
  }
  for (const row of rows) {
    const field = form.appendChild(document.createElement("input"));
    Object.assign(field, { type: "hidden", name: "id", value: row.dataset.id });
  }
}, { capture: true });
