// What is written is saved as one types, as a draft of the account. What cannot be saved now is kept in this browser, under one key and for the person
// who is signed in, until it can be; signing out empties it (bothy.js), and what stands open in another tab keeps nothing there from then on. On a device's own web app that is all there is without a connection, and it is
// enough: the draft goes to the account as soon as the device reaches the server. Until then the list of drafts
// names it, too. Without this script there is a button that saves.
"use strict";
(() => {
  const [key, ownerKey] = ["bothy-drafts", "bothy-drafts-of"]; // the drafts, and who opened a page last and has not signed out
  // Milliseconds: after the last letter, after the first, between two tries, for what waits for a save, and for an answer to one.
  const [pause, patience, again, slow, longest] = [1500, 10000, 5000, 4000, 20000];
  const mostKept = 20;
  const person = () => document.getElementById("toasts")?.dataset.person ?? "";

  // ---- What this browser keeps
  function own() {
    try { localStorage.setItem(ownerKey, person()); } catch { /* a browser that keeps nothing */ }
  }
  function isOwn() {
    try { return localStorage.getItem(ownerKey) === person(); } catch { return true; }
  }
  function kept() {
    if (!isOwn()) return {};
    try {
      const all = JSON.parse(localStorage.getItem(key));
      if (all && all.person === person()) return Object.fromEntries(Object.entries(all.drafts).filter(([, one]) => typeof one?.html === "string" && Array.isArray(one.attached)));
      localStorage.removeItem(key); // somebody else's
    } catch { /* a browser that keeps nothing, or something else under this name */ }
    return {};
  }
  function keep(drafts) {
    const newest = Object.entries(drafts).sort(([, one], [, other]) => other.at - one.at).slice(0, mostKept);
    try {
      if (newest.length) localStorage.setItem(key, JSON.stringify({ person: person(), drafts: Object.fromEntries(newest) }));
      else localStorage.removeItem(key);
    } catch { /* it is full, or keeps nothing: the page has it still */ }
  }
  // - Returns: whether it may be kept here.
  function remember(one) {
    if (!isOwn()) return false;
    keep({ ...kept(), [one.id]: { ...one, at: Date.now() } });
    return true;
  }
  // - at: only as it was then.
  function forget(id, at = null) {
    const { [id]: one, ...others } = kept();
    if (one && (at === null || one.at === at)) keep(others);
  }

  // ---- Saving
  const token = () => document.querySelector("#main [name=token], [name=token]")?.value ?? "";
  // - Returns: null where nobody answers, or not as we do.
  async function send(one, more = {}) {
    const fields = [["act", "draft"], ["person", person()], ["request", one.id], ["version", one.version], ["editor", one.editor], ["html", one.html]];
    for (const { id, caption } of one.attached) fields.push(["file", id], ["caption", caption]);
    if (typeof one.warning === "string") fields.push(["warning", one.warning]);
    if (one.time) fields.push(["later", "true"], ["at", one.time]);
    if (one.audience) fields.push(["audience", one.audience], ...(one.to ?? []).map((id) => ["to", id]));
    if (one.isPosting) fields.push(["posting", "true"]);
    const ask = (mark) => fetch("/feed/new", {
      method: "POST", headers: { Accept: "application/json" }, redirect: "error", body: new URLSearchParams([["token", mark], ...fields]), ...more,
    }).catch(() => null);
    let answer = await ask(token());
    if (answer?.status === 403) { // the mark of this page is of another visit by now; whether it is of the same person the server looks at
      const fresh = await fetch("/uploads", { headers: { Accept: "application/json" } }).then((it) => it.json()).catch(() => null);
      if (fresh?.token) answer = await ask(fresh.token);
    }
    const said = await answer?.json().catch(() => null);
    return said ? { ...said, isDone: answer.ok && said.isDone === true, isRefused: [400, 413, 422].includes(answer.status), isOfAnother: answer.status === 409 } : null;
  }
  // What was kept before, of which nobody knows whether it has come through.
  async function settle(drafts) {
    let isNew = false;
    for (const [id, one] of Object.entries(drafts)) {
      if (one.isPosting && await isSent(id)) { forget(id, one.at); continue; }
      const outcome = await send({ ...one, id });
      if (!outcome) break;
      if (outcome.isDone) { forget(id, one.at); isNew = true; }
    }
    if (isNew && location.pathname === "/feed/drafts") location.reload();
  }
  // What was to be posted, and this page says that it is, or the worker has it.
  async function isSent(id) {
    if (document.querySelector(`#toasts .said[data-posted="${CSS.escape(id)}"]`)) return true;
    const waiting = await globalThis.bothyKept?.({ ask: "list" }) ?? [];
    return waiting.some(({ body }) => new URLSearchParams(body).get("request") === id);
  }

  // ---- Among the drafts: what this browser keeps of those that the account has not
  function list() {
    const [entries, template] = [document.querySelector("ul[data-kept-drafts]"), document.getElementById("kept-draft")];
    if (!entries || !template) return;
    entries.querySelectorAll(".entry.kept").forEach((entry) => entry.remove());
    const drafts = Object.entries(kept()).filter(([, one]) => !one.isPosting && !(one.version > 0)).sort(([, one], [, other]) => one.at - other.at);
    for (const [id, { html }] of drafts) {
      const entry = template.content.firstElementChild.cloneNode(true);
      const text = new DOMParser().parseFromString(html, "text/html").body.textContent.trim();
      if (text) entry.querySelector(".name").textContent = text.slice(0, 100);
      entry.querySelector("a").href = `/feed/new?kept=${encodeURIComponent(id)}`;
      entries.prepend(entry);
    }
    const nothing = document.getElementById("no-drafts");
    if (nothing) nothing.hidden = drafts.length > 0;
  }

  // ---- A page on which somebody writes
  function Composer(form) {
    const { request, version, editor, at: time, later, audience, warning } = form.elements;
    const people = () => [...form.querySelectorAll(".to-people [name=to]")];
    const [line, list, rich] = [form.querySelector(".draft-line"), form.querySelector("#attached"), form.querySelector(".rich-text")];
    let [timer, since, saving, holding, stop] = [null, null, null, null, null];
    let [isUnsaved, isReady, isGone] = [false, false, false]; // what reached nobody; a form that may go; one that has gone

    function look() {
      const attached = [...list.children].map((row) => ({
        id: row.querySelector("[name=file]").value, caption: row.querySelector("[name=caption]").value, name: row.querySelector(".name").textContent,
        kind: row.matches(".video") ? "video" : "image",
      })).filter(({ id }) => id); // what has not come yet has no id
      const chosen = audience.value === "people" ? people().filter(({ checked }) => checked) : [];
      const [to, names] = [chosen.map(({ value }) => value), Object.fromEntries(chosen.map(({ value, dataset }) => [value, dataset.name]))];
      return { html: rich.bothy.html(), warning: warning.value, attached, time: later.checked ? time.value : "", audience: audience.value, to, names };
    }
    const spelled = ({ html, warning, attached, time, audience, to }) => JSON.stringify([html, warning ?? "", attached.map(({ id, caption }) => [id, caption]), time ?? "", audience, to ?? []]);
    const isNothing = ({ html, attached }) => !html && !attached.length && version.value === "0";
    const entry = (now) => ({ ...now, id: request.value, version: version.value, editor: editor.value });
    const tell = (words) => { if (line.textContent !== words) line.textContent = words; };

    let saved = "dirty" in form.dataset ? null : spelled(look());
    const isOpen = () => { const now = look(); return spelled(now) !== saved && !(isNothing(now)); };

    function touch() {
      if (isGone || !form.isConnected) return;
      since ??= Date.now();
      clearTimeout(timer);
      timer = setTimeout(save, Math.max(0, Math.min(pause, since + patience - Date.now())));
    }
    const save = () => saving ??= saveNow().finally(() => { saving = null; });
    async function saveNow() {
      clearTimeout(timer);
      since = null;
      if (!isOpen()) return;
      // What is about to go is in the form that goes: saved beside it, it would be a draft of what is posted.
      if (form.isAsking || form.isLeaving) return touch();
      const now = look();
      const was = entry(now);
      stop = new AbortController();
      const overdue = setTimeout(() => stop.abort(), longest);
      const outcome = await send(was, { signal: stop.signal }).finally(() => clearTimeout(overdue));
      if (!outcome?.isDone) {
        isUnsaved = !outcome?.isRefused; // what is refused is refused again until it is changed
        const isKept = !outcome?.isOfAnother && remember({ ...was, isPosting: isGone });
        const unsaved = isKept ? form.dataset.unsaved : form.dataset.unkept;
        // Reloading the page resumes it.
        if (isKept && !isGone && version.value === "0" && location.pathname === "/feed/new") history.replaceState(history.state, "", `/feed/new?kept=${was.id}`);
        return tell(outcome?.words ? `${outcome.words} ${unsaved}` : unsaved);
      }
      isUnsaved = false;
      forget(was.id);
      [request.value, version.value, saved] = [outcome.id, outcome.version, spelled(now)];
      // Reloading the page, or coming back to it, resumes the same draft.
      if (!isGone && location.pathname === "/feed/new") history.replaceState(history.state, "", `/feed/new?draft=${outcome.id}`);
      tell(outcome.words ?? "");
      if (spelled(look()) !== saved) touch();
    }
    // Whom it was to. Who was found by name is not among those whom the page offers; what was kept by an older release has no names.
    function address(one) {
      audience.value = one.audience;
      form.bothyPeople.add((one.to ?? []).map((id) => ({ id, more: one.names?.[id] ?? id })));
      for (const box of people()) box.checked = one.to?.includes(box.value) ?? false;
      form.querySelector(".to-people").dispatchEvent(new Event("change"));
    }
    // What was kept here comes back.
    function restore(one) {
      [request.value, version.value, editor.value, saved] = [one.id, one.version, one.editor, null];
      rich.bothy.fill(bothyEncode.pasted(one.html));
      [time.value, later.checked] = [one.time ?? "", !!one.time];
      warning.value = one.warning ?? "";
      warning.closest("details").open = !!warning.value;
      if (one.audience) address(one);
      form.bothyRows.replace(one.attached.map((row) => ({ ...row, kind: row.kind === "video" ? "video" : "image" })));
      tell(form.dataset.back);
      touch();
    }
    function begin() {
      const drafts = kept();
      const isFresh = version.value === "0";
      const ids = Object.keys(drafts).filter((id) => !drafts[id].isPosting).sort((one, other) => drafts[other].at - drafts[one].at);
      // A new post begins empty, unless one is opened that this browser keeps.
      const asked = isFresh && saved !== null && isNothing(look()) ? new URLSearchParams(location.search).get("kept") : null;
      const id = ids.find((id) => id === (isFresh ? asked : request.value));
      const { [id]: one, ...others } = drafts;
      if (one) restore({ ...one, id });
      else if (saved === null) touch();
      settle(others);
    }

    for (const name of ["input", "bothy-text"]) form.addEventListener(name, touch);
    new MutationObserver(touch).observe(list, { childList: true });
    document.addEventListener("bothy-uploads", touch); // what has come has an id now
    // Whatever goes, goes once the latest is saved: a post takes its draft with it, and signing out leaves nothing behind here.
    function hold(event, isMeant) {
      const { target, submitter } = event;
      if (target.isLeaving || isReady) { isGone ||= isMeant(); return; }
      event.preventDefault();
      event.stopImmediatePropagation();
      const rest = (time) => new Promise((done) => setTimeout(done, time));
      // Where nothing is left to save that ends at once, while the form is told of this very submission: it takes no other then.
      // A save that fails holds up nothing: the form that goes has it all.
      holding ??= Promise.race([save().catch(() => {}), rest(slow)]).then(() => {
        // A save that is waited for no longer does not come after the post.
        if (saving && target === form) stop.abort();
        return rest(0);
      }).then(() => {
        if (!form.isConnected) return;
        isReady = true;
        target.requestSubmit(submitter?.isConnected ? submitter : null);
      }).finally(() => { [holding, isReady] = [null, false]; });
    }
    form.addEventListener("submit", (event) => {
      hold(event, () => {
        if (!form.isLeaving) return false; // it has gone when `leave` lets it go
        clearTimeout(timer);
        const one = kept()[request.value];
        if (one) remember({ ...one, id: request.value, isPosting: true });
        return true;
      });
    });
    function leaving(event) {
      if (!form.isConnected) return document.removeEventListener("submit", leaving, { capture: true });
      if (event.target.action.endsWith("/sign-out")) hold(event, () => event.target.isLeaving === true);
    }
    document.addEventListener("submit", leaving, { capture: true });
    // A page that goes says the last of it, and does not hear whether that came through.
    function last() {
      if (isGone || !form.isConnected || !isOpen()) return;
      const one = entry(look());
      remember(one);
      send(one, { keepalive: true });
    }
    addEventListener("pagehide", last);
    document.addEventListener("bothy-unanswered", () => { if (isGone && form.isConnected) { isGone = false; touch(); } }); // it has not gone after all
    addEventListener("pageshow", ({ persisted }) => { if (persisted) { isGone = false; touch(); } });
    document.addEventListener("visibilitychange", () => { if (document.hidden && form.isConnected && !isGone) save(); });
    const retry = () => { if (isUnsaved && form.isConnected && !isGone) save(); };
    addEventListener("online", retry);
    const beat = setInterval(() => { if (form.isConnected) retry(); else clearInterval(beat); }, again);
    begin();
  }

  function begin() {
    if (!person()) return;
    const form = document.querySelector("form.composer[data-keeps]");
    if (form?.querySelector(".rich-text")?.bothy && form.bothyRows) {
      if (!form.isKept) { form.isKept = true; Composer(form); }
    } else if (!form) {
      list();
      settle(kept());
    }
  }
  document.addEventListener("bothy-page", begin);
  if (person()) own();
  begin();
})();
