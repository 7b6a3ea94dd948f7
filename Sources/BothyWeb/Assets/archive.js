// What is chosen goes out as one download: the form itself is sent, so that the browser keeps what comes.
"use strict";
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.matches("[data-archive]")) return;
  event.stopImmediatePropagation(); // no gesture of the list's
  const [form, chosen] = [event.target, BothyList.current.picked];
  form.querySelectorAll("[name=id]").forEach((field) => field.remove());
  if (chosen.size > Number(button.dataset.most)) {
    event.preventDefault();
    const toast = document.getElementById("toasts").appendChild(document.createElement("div"));
    toast.className = "toast said failure";
    toast.textContent = button.dataset.archive;
    return;
  }
  for (const id of chosen) {
    const field = form.appendChild(document.createElement("input"));
    Object.assign(field, { type: "hidden", name: "id", value: id });
  }
}, { capture: true });
