// Moves fragments and gestures. What is true is the server's: this keeps no list, and draws nothing of its own.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const at = (target, what) => target?.closest?.(what);
  const on = (name, listen) => document.addEventListener(name, listen);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.cookie = `bothy-zone=${zone}; path=/; samesite=strict; max-age=31536000${location.protocol === "https:" ? "; secure" : ""}`;
  // ---- Fragments: each says where it belongs.
  // Whether this computer shows what a person is told: as the browser lets it, and as the person chose here.
  const notices = {
    isOff: false, // where the browser keeps nothing, for this page
    key: "bothy-notices-off",
    state() {
      if (!globalThis.Notification || !globalThis.isSecureContext) return "missing";
      if (Notification.permission !== "granted") return Notification.permission;
      try { return localStorage.getItem(this.key) ? "off" : "on"; } catch { return this.isOff ? "off" : "on"; }
    },
    turn(isOn) {
      this.isOff = !isOn;
      try { if (isOn) localStorage.removeItem(this.key); else localStorage.setItem(this.key, "1"); } catch { /* a browser that keeps nothing */ }
    },
    show() {
      const [state, hadFocus] = [this.state(), document.activeElement?.matches("[data-notices]")];
      for (const part of document.querySelectorAll("[data-notices]")) part.hidden = !part.dataset.notices.split(" ").includes(state);
      if (hadFocus) (document.querySelector("button[data-notices]:not([hidden])") ?? $("main")).focus({ preventScroll: true });
    },
  };
  const places = {
    toast: (tone, piece) => tell(piece.content.firstElementChild, tone === "failure" ? 9000 : 6000),
    put: (id, piece) => {
      if (hand.isIn($(id))) later.set(id, piece.outerHTML);
      else if ($(id)?.innerHTML !== piece.innerHTML) $(id)?.replaceChildren(piece.content);
    },
    window: (_, piece) => list?.show(piece.dataset, [...piece.content.children]),
    remove: (id) => list?.remove(id),
    before: (id, piece) => list?.place(piece.content.firstElementChild, id),
    total: (_, piece) => list?.count(piece.dataset),
    heard: (of) => document.dispatchEvent(new CustomEvent("bothy-heard", { detail: of })),
    // The same, told to several pages, shows once.
    told: (title, { dataset: { text } }) => {
      if (notices.state() === "on") new Notification(title, { body: text, tag: title + text });
    },
  };
  // It stays while somebody reads it, or is on what it offers. What a dialog was refused is said in the dialog.
  function tell(toast, patience) {
    const note = toast.matches(".failure") && document.querySelector("dialog[open] .notice[role=alert]");
    if (note) {
      note.replaceChildren(...toast.childNodes);
      return void (note.hidden = false);
    }
    $("toasts").append(toast);
    const leave = () => toast.matches(":hover, :focus-within") ? setTimeout(leave, 2000) : toast.remove();
    setTimeout(leave, patience);
  }
  // What was to be done was not, because nobody answers.
  function refuse() {
    const toast = Object.assign(document.createElement("div"), { className: "toast failure", role: "alert" });
    toast.append(Object.assign(document.createElement("p"), { textContent: $("toasts").dataset.needed }));
    tell(toast, 9000);
    if (!about()) return; // nobody would hear that there is one again
    standing(true);
    rest();
    listen(); // what is heard next takes that away
  }
  // - of: the list that it tells of: another one may be shown by now.
  function apply(html, of = list) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    // Keyboard focus stays where it is when the element that has it is drawn again.
    const [focus, row, around] = [document.activeElement, at(document.activeElement, ".row")?.dataset.id, []];
    for (let part = focus; part; part = part.parentElement) if (part.id) around.push(part.id);
    for (const piece of holder.content.children) {
      const place = Object.keys(places).find((name) => name in piece.dataset);
      if (of === list || !ofList.includes(place)) places[place]?.(piece.dataset[place], piece);
    }
    const again = row && list?.find(row)?.querySelector("." + focus.classList[0]);
    const near = again ?? list?.find(list.current)?.querySelector(".open") ?? list?.rows;
    if (row && document.activeElement !== focus) near?.focus({ preventScroll: true });
    else if (!focus?.isConnected) around.map($).find((part) => part)?.focus({ preventScroll: true });
  }
  let isCut = false; // what happens elsewhere is not heard
  const standing = (isLost) => {
    $("standing").hidden = !isLost;
    document.body.classList.toggle("lost", isLost); // what is told of a device is not known then
  };
  let list;
  const [most, later] = [10000, new Map()]; // things that one request acts on; what comes to a part that a hand is on
  const ofList = ["window", "remove", "before", "total"];
  const hand = bothyHand({
    list: () => list, move: (folder) => act("move", { to: folder }),
    free: () => { const missed = [...later.values()].join(""); later.clear(); if (missed) apply(missed); },
  });
  addEventListener("scroll", () => list?.look(), { passive: true });
  addEventListener("resize", () => { list?.measure(); list?.look(); }, { passive: true });
  on("bothy-answered", () => { if (!isCut && !$("standing").hidden) standing(false); });
  // Keyboard focus goes on to the list when the element that was used is gone.
  const home = () => list ? list.home() : $("main").focus({ preventScroll: true });
  document.addEventListener("close", ({ target }) => {
    const { activeElement: focus, body } = document;
    if (target.matches("#choose, #new-folder, #details") && (focus === body || !focus?.checkVisibility())) home();
  }, { capture: true });
  // ---- Acting: a form goes out as it is, and what comes back says where it belongs.
  // What was done, of what was not done altogether: it can be taken back.
  function doneOf(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const undo = holder.content.querySelector("[data-toast=failure]")?.content.querySelector("form");
    return undo ? [...undo.querySelectorAll("[name=id]")].map(({ value }) => value) : [];
  }
  // - done: takes what was done, where not all was.
  async function post(form, data, rows, done = new Set()) {
    let [isDone, own] = [false, list];
    rows.forEach((row) => row.classList.add("busy"));
    try {
      const answer = await bothyAsk(form.action, { method: "POST", body: data });
      if (answer.redirected) return location.assign(answer.url);
      const text = await answer.text();
      doneOf(text).forEach((id) => done.add(id));
      apply(text, own);
      isDone = answer.ok;
    } catch { refuse(); }
    rows.forEach((row) => row.classList.remove("busy"));
    list?.again();
    return isDone;
  }
  // What other scripts want sent.
  on("bothy-post", ({ detail: { form, data, done } }) => post(form, data, []).then(done));
  // On what is chosen, or on the row where the person is.
  async function act(name, more, row) {
    const [own, form, isOfChosen] = [list, $("acts"), list.picked.size > 0];
    if (!(await own.whole)) { refuse(); return false; } // not of some, where all were chosen
    const ids = isOfChosen ? [...own.picked] : row ? [row.dataset.id] : []; // none, where they were let go of meanwhile
    const goes = isOfChosen && ["trash", "move"].includes(name);
    if (goes) own.clear(); // what is chosen from here on is for what comes next
    while (ids.length) {
      const [data, some, done] = [new URLSearchParams({ token: form.elements.token.value, act: name, ...more }), new Set(ids.splice(0, most)), new Set()];
      if (name === "trash") data.set("seen", own.mark); // what others have changed since then is not thrown away unseen
      some.forEach((id) => data.append("id", id));
      if (await post(form, data, [...own.rows.children].filter((row) => some.has(row.dataset.id)), done)) continue;
      if (goes && !own.picked.size) own.pickThese([...some, ...ids].filter((id) => !done.has(id)));
      return false;
    }
    return true;
  }
  // - typed: what the person wanted it to be called, where that was refused.
  function rename(row, typed) {
    if (!row || row.matches(".renaming")) return;
    const form = row.appendChild($("rename").content.firstElementChild.cloneNode(true));
    const [name, field, id, own] = [row.querySelector(".name"), form.querySelector(".new-name"), row.dataset.id, list];
    [form.elements.id.value, field.value] = [id, typed ?? name.textContent];
    row.classList.add("renaming");
    field.focus();
    const dot = row.querySelector(".kind.folder") ? -1 : field.value.lastIndexOf(".");
    field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
    const end = async (isMeant) => {
      if (!row.classList.replace("renaming", "renamed")) return;
      const [data, wanted, isNew] = [new URLSearchParams(new FormData(form)), field.value, isMeant && field.value && field.value !== name.textContent];
      const [hadFocus, was] = [form.contains(document.activeElement), { name: name.textContent, isAway: row.matches(".away") }];
      if (isNew) name.textContent = wanted;
      form.remove();
      if (hadFocus) row.querySelector(".open").focus();
      if (!isNew) return (row.isOld || row.matches(".away")) && list.again();
      if (await post($("acts"), data, [row]) || row.isGone || list !== own || document.querySelector(".renaming")) return;
      await list.again();
      rename(list.bring(row, was), wanted); // what was typed is not lost
    };
    // A person who goes on elsewhere has said what it is to be called.
    field.onblur = () => { if (document.activeElement !== field && form.isConnected) end(true); };
    field.onkeydown = (event) => { if (event.key === "Escape") end(false); };
    form.addEventListener("submit", (event) => { event.preventDefault(); end(true); });
  }
  // ---- Dialogs. One that cannot be filled does not open; one whose wish was refused stays.
  async function fetched(link, isWanted = () => true) {
    try {
      const answer = await bothyAsk(link);
      if (answer.status === 204) return location.reload();
      const text = await answer.text();
      if (!isWanted()) return false;
      apply(text);
      return answer.ok;
    } catch { refuse(); }
  }
  // The folder that was chosen last, under way: what is done then is done there.
  let choosing = null;
  async function choose(folder, isSeen = false) {
    if (!list.picked.size) return $("choose").close(); // what was chosen went meanwhile
    const moving = [...list.picked].slice(0, 100).join("%20");
    const link = `/folder/${folder}/choose?moving=${moving}&count=${list.picked.size}&act=${$("choose").dataset.act}`;
    const mine = (choosing = fetched(link, () => mine === choosing));
    if (await mine) isSeen || $("choices").querySelector("h3")?.focus();
    else if (mine === choosing) choosing = true; // from then on, what is shown
  }
  const chosenFolder = () => $("choices").querySelector("[name=to]").value;
  const hush = (dialog) => dialog.querySelectorAll(".notice[role=alert]").forEach((note) => (note.hidden = true));
  function open(dialog) {
    hush(dialog);
    dialog.showModal();
  }
  async function chooseFor(act) {
    const dialog = $("choose");
    if (!(await list.whole)) return refuse();
    dialog.dataset.act = act;
    for (const button of dialog.querySelectorAll("[name=act]")) button.hidden = button.value !== act;
    $("choices").replaceChildren();
    await choose(list.rows.dataset.folder);
    if (!$("choices").childElementCount) return;
    open(dialog);
    $("choices").querySelector("h3").focus();
  }
  const details = async () => (await fetched(`${list.url}/details?id=${[...list.picked][0]}`)) && open($("details"));
  // A folder that is missing where something is to go.
  async function makeInside() {
    const [field, folder, dialog] = [$("inside"), chosenFolder(), $("choose")];
    if (dialog.isDoing) return; // pressed twice
    if (!field.value.trim()) return field.focus();
    hush(dialog);
    const data = { token: $("acts").elements.token.value, act: "create", name: field.value };
    dialog.isDoing = true;
    const isMade = await post({ action: `/folder/${folder}/act` }, new URLSearchParams(data), []);
    dialog.isDoing = false;
    if (isMade) choose(folder);
  }
  const gestures = {
    "new-folder": () => { open($("new-folder")); $("new-folder").querySelector(".name").select(); },
    notify: async () => { await Notification.requestPermission(); notices.turn(true); notices.show(); },
    "notify-not": () => { notices.turn(false); notices.show(); },
    clear: () => list.clear(), close: (button) => at(button, "dialog").close(),
    rename: () => rename(list.find([...list.picked][0])), inside: makeInside, details, select: () => list.choose(true),
    move: () => chooseFor("move"), copy: () => chooseFor("copy"), more: (button) => unfold(button.getBoundingClientRect()),
  };
  on("click", (event) => {
    const [button, row] = [at(event.target, "[data-gesture], [data-choose]"), at(event.target, ".row")];
    if (button?.dataset.gesture !== "more") fold();
    if (button) return button.dataset.choose ? choose(button.dataset.choose) : gestures[button.dataset.gesture](button);
    if (!list || !row || !at(event.target, ".open")) return;
    const { touch } = hand;
    const isMeant = list.isPicking && event.detail > 0; // by a pointer, which keys have not
    const isTap = isMeant || (touch && (touch.isLong || list.isPicking || list.picked.size > 0));
    if (!isTap && !event.shiftKey && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (touch?.isLong) return;
    event.shiftKey ? list.pickTo(row.dataset.id) : list.toggle(row);
  });
  on("change", (event) => {
    if (!event.target.matches(".pick")) return;
    $("chosen") ? count($("chosen")) : list?.toggle(at(event.target, ".row"));
  });
  // In the trash, where nothing is done before a form goes out.
  function count(output) {
    const many = document.querySelectorAll(".entry .pick:checked").length + Number(output.dataset.beyond ?? 0); // and those that are not shown
    output.textContent = (many === 1 ? output.dataset.one : output.dataset.many.replace("#", many.toLocaleString())) + " · ";
  }
  on("submit", async (event) => {
    const [form, { submitter }, dialog] = [event.target, event, at(event.target, "dialog")];
    if (event.defaultPrevented) return;
    if (!form.action.endsWith("/act")) return form.method === "post" && leave(event);
    event.preventDefault();
    if (dialog?.isDoing) return; // pressed twice
    const [toast, note] = [at(form, ".toast"), at(form, ".notice")];
    if (toast?.contains(document.activeElement)) home();
    toast?.remove();
    fold();
    if (note) return takeBack(form, note);
    if (dialog) dialog.isDoing = true;
    if (dialog) hush(dialog);
    // Read here: what was chosen last may have been under way.
    const [isThere, was] = [!at(form, "#choose") || (await choosing), list?.picked.size];
    const data = new URLSearchParams(new FormData(form, submitter));
    const isDone = isThere && (at(form, "#acts, #choose") ? await act(data.get("act"), dialog ? { to: data.get("to") } : {}) : await post(form, data, [at(form, ".entry")].filter(Boolean)));
    if (dialog) dialog.isDoing = false;
    if (dialog && isDone) dialog.close();
    else if (at(form, "#choose") && list.picked.size !== was) choose(chosenFolder(), true); // some went: it is asked of the rest
  });
  // What a dialog did in part: what went comes back, and is chosen with the rest as before.
  async function takeBack(form, note) {
    const [data, own, dialog] = [new URLSearchParams(new FormData(form)), list, at(note, "dialog")];
    note.hidden = dialog.isDoing = true;
    $("choices").querySelector("h3")?.focus();
    const isBack = await post(form, data, []);
    dialog.isDoing = false;
    if (!isBack || own !== list) return;
    own.pickThese([...own.picked, ...data.getAll("id")]);
    if (dialog.open) choose(chosenFolder(), true);
  }
  // What was written and not saved (drafts.js) belongs to the person who is signed in. A form that leaves comes twice, the second time
  // for good.
  on("submit", ({ target: form }) => {
    if (!form.isLeaving || !form.action.endsWith("/sign-out")) return;
    try { ["bothy-drafts", "bothy-drafts-of"].forEach((key) => localStorage.removeItem(key)); } catch { /* a browser that keeps nothing */ }
  });
  // To another page: not while nobody answers, which would lose this one and what is typed in it.
  async function leave(event) {
    const [form, { submitter }] = [event.target, event];
    if (form.isLeaving) return;
    event.preventDefault();
    if (form.isAsking) return; // pressed twice
    form.isAsking = true;
    const meant = [...new FormData(form, submitter)];
    // What the worker takes is kept by it, and sent later. One of an older release says nothing to this.
    const size = new URLSearchParams(meant).toString().length;
    const isTaken = "keeps" in form.dataset && await Promise.race([globalThis.bothyKept?.({ ask: "takes", person: form.elements.person?.value, size }), new Promise((done) => setTimeout(done, 3000))]);
    const isThere = isTaken || await fetch($("toasts").dataset.streams, { cache: "no-store" }).catch(() => null);
    form.isAsking = false;
    if (!isThere) return refuse();
    if (!form.isConnected || submitter?.isConnected === false) return send(form.action, meant);
    form.isLeaving = true;
    form.requestSubmit(submitter);
    form.isLeaving = false;
  }
  // What was pressed goes out, though the page has drawn that part again meanwhile.
  function send(action, meant) {
    const form = Object.assign(document.createElement("form"), { method: "post", action, hidden: true });
    for (const [name, value] of meant) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    document.body.append(form);
    form.submit();
  }
  on("keydown", (event) => {
    if (event.key === "Enter" && event.target.id === "inside" && !event.isComposing) {
      event.preventDefault(); // or it would move what is chosen
      return event.repeat || makeInside();
    }
    if (!list || at(event.target, "input:not(.pick), textarea, select, dialog, .tray")) return;
    if (at(event.target, "#acts.menu")) return walk(event);
    if (event.repeat && ["Delete", "F2"].includes(event.key)) return event.preventDefault(); // once for each press
    if (list.wanted && ["Delete", "F2", "Enter", " "].includes(event.key)) {
      event.preventDefault();
      return list.meantFor(event.key); // of the row that comes
    }
    const [row, command] = [at(event.target, ".row"), event.ctrlKey || event.metaKey];
    const chosen = row ?? list.find([...list.picked][0]);
    if (command && event.key === "a") list.pickAll();
    else if (event.key === "Escape") { fold(); list.clear(); }
    else if (event.key === "Delete" && (chosen || list.picked.size)) act("trash", {}, chosen); // what is chosen may be out of the window
    else if (event.key === "F2" && chosen) rename(chosen);
    else if (row && !command && !event.altKey && !at(event.target, ".get, .pick")) { if (!list.key(event, row)) return; }
    else if (!row && event.key.startsWith("Arrow") && list.held && [document.body, list.rows].includes(event.target)) list.rows.querySelector(".open[tabindex='0']").focus();
    else return;
    event.preventDefault();
  });
  // ---- The menu of what is chosen: the same buttons, where the person is.
  function unfold({ left, bottom }) {
    const menu = $("acts");
    menu.classList.add("menu");
    menu.style.setProperty("--x", Math.max(8, Math.min(left, innerWidth - menu.offsetWidth - 8)) + "px");
    menu.style.setProperty("--y", Math.max(8, Math.min(bottom, innerHeight - menu.offsetHeight - 8)) + "px");
    offered()[0]?.focus();
  }
  function fold() {
    const [menu, row] = [$("acts"), list?.find(list.current)];
    const hadFocus = menu?.matches(".menu") && menu.contains(document.activeElement);
    menu?.classList.remove("menu");
    if (hadFocus) row?.querySelector(".open").focus({ preventScroll: true });
  }
  const offered = () => [...$("acts").querySelectorAll("button")].filter((button) => button.checkVisibility());
  function walk(event) {
    const [all, by] = [offered(), { ArrowDown: 1, ArrowUp: -1 }[event.key]];
    if (event.key === "Escape" || event.key === "Tab") fold();
    else if (by) all.at((all.indexOf(document.activeElement) + by) % all.length).focus();
    else return;
    event.preventDefault();
  }
  on("focusin", ({ target }) => { if (list && at(target, ".row")) { list.isEntered = true; list.goIn(at(target, ".row")); } });
  on("contextmenu", (event) => {
    const row = at(event.target, ".row");
    if (!list || !row || at(event.target, "input:not(.pick)")) return;
    event.preventDefault();
    if (hand.touch || event.pointerType === "touch") return;
    list.goIn(row);
    list.pickOnly(row.dataset.id);
    // By key there is no place of a pointer.
    const { left, bottom } = row.getBoundingClientRect();
    unfold(event.button === 2 ? { left: event.clientX, bottom: event.clientY } : { left: left + 48, bottom });
  });
  // What cannot be shown says so, or shows what kind of thing it is.
  function lose(shown) {
    if (shown.matches?.(".row .picture")) shown.remove();
    else if (shown.matches?.(".shown") && $("no-preview")) (shown.closest("a.looked") ?? shown).replaceWith($("no-preview").content.cloneNode(true));
  }
  document.addEventListener("error", ({ target }) => lose(target), { capture: true });
  // What failed before this ran.
  function loseFailed() {
    for (const shown of document.querySelectorAll(".shown, .row .picture")) if (shown.error || (shown.complete && !shown.naturalWidth)) lose(shown);
  }
  on("pointerover", ({ target }) => {
    const name = at(target, ".name, .more, .crumbs a, .room, .who");
    if (name && name.scrollWidth > name.clientWidth) name.title = name.textContent;
  });
  // ---- What happens elsewhere, pushed.
  // What the page that is shown hears, and how far it has heard.
  function about() {
    const own = document.querySelector("#main [data-events]") ?? $("line");
    if (list) return { of: `${list.url}/events?order=${list.rows.dataset.order}`, mark: list.mark };
    return own && { of: own.dataset.events };
  }
  const { listen, rest } = bothyHearing({
    about,
    open: () => standing((isCut = false)), lost: () => standing((isCut = true)), piece: (html) => apply(html),
    fragment: (html, mark) => { list.mark = mark; apply(html); },
    again: (_, mark) => { list.mark = mark; list.again(); callAnew(list); },
    // What is not sent yet resumes once the person has signed in elsewhere: the tray says so, and keeps the page.
    out: () => isUploading() || location.reload(),
  });
  // A folder that is looked at anew may be called otherwise by now, or lie elsewhere.
  let callings = 0;
  async function callAnew(own) {
    const mine = ++callings;
    const text = await fetch(own.url).then((answer) => answer.ok && answer.text()).catch(() => null);
    const page = text && new DOMParser().parseFromString(text, "text/html");
    const [now, then] = [document, page].map((one) => one && one.querySelector("#content:has(#rows) .where"));
    if (mine !== callings || own !== list || !now || !then) return; // it was asked once more, another is shown by now, or none
    const look = (where) => [...where.querySelectorAll("a, h1")].map((part) => part.outerHTML).join("");
    if (look(now) === look(then)) return;
    const hadFocus = now.contains(document.activeElement);
    then.querySelector("#count").replaceWith($("count"));
    now.replaceWith(then);
    if (hadFocus) home();
    document.title = page.title;
  }
  const isUploading = () => globalThis.bothyUploads?.all.some((one) => !["done", "failed"].includes(one.state));
  addEventListener("pageshow", (event) => {
    list?.said(); // browsers check again what was checked before
    if (event.persisted) { rest(); listen(); list?.again(); }
  });
  // Coming back to a page puts the focus on the link by which it was left. A row that has moved by now is found by its old place.
  document.addEventListener("click", ({ target }) => {
    const link = at(target, "#main a[href]:not([download], [target])");
    if (!link) return;
    const row = list && at(link, ".row");
    history.replaceState({ ...history.state, from: link.getAttribute("href"), place: row ? list.at(row.dataset.id) : null }, "");
  }, { capture: true });
  function comeBack() {
    const { from, place } = history.state ?? {};
    const link = from && $("main").querySelector(`a[href="${CSS.escape(from)}"]`);
    if (link) link.focus();
    else if (list && Number.isInteger(place)) list.go(place);
  }
  // A page, or another one that came into its place.
  function begin() {
    rest();
    list = $("rows") && new BothyList($("rows"), apply);
    comeBack();
    notices.show();
    if ($("chosen")) count($("chosen")); // browsers tick again what was ticked before
    loseFailed();
    listen();
  }
  on("bothy-page", begin);
  on("bothy-unanswered", refuse);
  // The page has come to something else to hear of.
  on("bothy-hear", () => { rest(); listen(); });
  begin();
})();
