// “/” leads to the search, and what is found changes as a person types. Without this, Enter does the same.
"use strict";
(() => {
  const [wait, patience] = [120, 2000]; // milliseconds: after a key, and after a failure
  const [field, found] = ["query", "found"].map((id) => document.getElementById(id));
  let typed = null; // on the way to the search
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typed !== null && event.key.length === 1) typed += event.key;
    else if (event.key !== "/") return;
    event.preventDefault();
    if (field) return field.select();
    typed ??= "";
    location.assign(typed ? `/search?q=${encodeURIComponent(typed)}` : "/search");
  });
  addEventListener("pageshow", () => { typed = null; });
  if (!field) return;
  if (document.activeElement === field) field.setSelectionRange(field.value.length, field.value.length);
  let [turn, timer, asking] = [0, 0, null];
  // What a device knows itself is there at once; what the server has besides is asked for after it.
  async function look(further = "") {
    const [asked, query] = [++turn, encodeURIComponent(field.value.trim())];
    asking?.abort(); // a server that does not answer holds no connection of the browser's
    asking = new AbortController();
    try {
      const answer = await bothyAsk(`/search/found?q=${query}${further}`, { signal: asking.signal });
      if (answer.status === 204) return location.reload(); // signed out
      if (!answer.ok) throw answer.status;
      const text = await answer.text();
      if (asked !== turn) return; // the person has typed on
      const on = found.contains(document.activeElement) && document.activeElement.getAttribute("href");
      found.innerHTML = text;
      if (on) (found.querySelector(`.what[href="${CSS.escape(on)}"]`) ?? field).focus(); // nobody is put out of where they are
      history.replaceState(null, "", query ? `/search?q=${query}` : "/search");
      document.getElementById("standing").hidden = true;
      goOn();
    } catch {
      if (asked !== turn) return;
      document.getElementById("standing").hidden = false;
      timer = setTimeout(() => look(further), patience);
    }
  }
  const goOn = () => { if (document.getElementById("further")) look("&texts=1"); };
  goOn();
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => look(), wait); });
  field.form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); look(); });
  // Down from the field into what was found, and back.
  document.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [field, ...found.querySelectorAll(".what")];
    const to = by && stops[stops.indexOf(document.activeElement) + by];
    if (!to || !stops.includes(document.activeElement)) return;
    event.preventDefault();
    to.focus();
  });
})();
