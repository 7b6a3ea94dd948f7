// Moves fragments and gestures. What is true is the server's: this keeps no list, and draws nothing of its own.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const at = (target, what) => target?.closest?.(what);
  const on = (name, listen) => document.addEventListener(name, listen);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.cookie = `bothy-zone=${zone}; path=/; samesite=strict; max-age=31536000`;
  // ---- Fragments: each says where it belongs.
  const places = {
    toast: (tone, piece) => {
      const toast = $("toasts").appendChild(piece.content.firstElementChild);
      setTimeout(() => toast.remove(), tone === "failure" ? 9000 : 6000);
    },
    put: (id, piece) => $(id)?.replaceChildren(piece.content),
    window: (_, piece) => list?.show(piece.dataset, [...piece.content.children]),
    remove: (id) => list?.remove(id),
    before: (id, piece) => list?.place(piece.content.firstElementChild, id),
    total: (_, piece) => list?.count(piece.dataset),
  };
  function apply(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    // Whoever moves by keyboard stays where they are when what they are on is drawn again.
    const [focus, row, around] = [document.activeElement, at(document.activeElement, ".row")?.dataset.id, []];
    for (let part = focus; part; part = part.parentElement) if (part.id) around.push(part.id);
    for (const piece of holder.content.children) {
      const place = Object.keys(places).find((name) => name in piece.dataset);
      places[place]?.(piece.dataset[place], piece);
    }
    const again = row && list?.find(row)?.querySelector("." + focus.classList[0]);
    if (row && document.activeElement !== focus) (again ?? list?.rows)?.focus({ preventScroll: true });
    else if (!focus?.isConnected) around.map($).find((part) => part)?.focus({ preventScroll: true });
  }
  const standing = (isLost) => { $("standing").hidden = !isLost; };
  let list;
  addEventListener("scroll", () => list?.look(), { passive: true });
  addEventListener("resize", () => { list?.measure(); list?.look(); }, { passive: true });
  // ---- Acting: a form goes out as it is, and what comes back says where it belongs.
  async function post(form, data, rows) {
    let isDone = false;
    rows.forEach((row) => row.classList.add("busy"));
    try {
      const answer = await fetch(form.action, { method: "POST", body: data });
      if (answer.redirected) return location.assign(answer.url);
      apply(await answer.text());
      isDone = answer.ok;
      if (isDone && ["trash", "move"].includes(data.get("act"))) list?.clear();
    } catch { standing(true); rest(); listen(); }
    rows.forEach((row) => row.classList.remove("busy"));
    list?.again();
    return isDone;
  }
  // On what is chosen, or on the row where the person is.
  async function act(name, more, row) {
    const ids = list.picked.size ? [...list.picked] : [row.dataset.id];
    while (ids.length) {
      const [data, some] = [new URLSearchParams({ token: $("acts").elements.token.value, act: name, ...more }), ids.splice(0, 1000)];
      some.forEach((id) => data.append("id", id));
      const [those, form] = [new Set(some), $("acts")];
      if (!(await post(form, data, [...list.rows.children].filter((row) => those.has(row.dataset.id))))) return;
    }
  }
  function rename(row) {
    const form = row.appendChild($("rename").content.firstElementChild.cloneNode(true));
    const [name, field] = [row.querySelector(".name"), form.querySelector(".new-name")];
    [form.elements.id.value, field.value] = [row.dataset.id, name.textContent];
    row.classList.add("renaming");
    field.focus();
    const dot = row.querySelector(".kind.folder") ? -1 : field.value.lastIndexOf(".");
    field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
    const end = () => {
      if (!row.classList.replace("renaming", "renamed")) return;
      form.remove();
      row.querySelector(".open").focus();
      if (row.isOld) list.again();
    };
    [field.onblur, field.onkeydown] = [end, (event) => { if (event.key === "Escape") end(); }];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [data, isNew] = [new URLSearchParams(new FormData(form)), field.value !== name.textContent];
      if (isNew) name.textContent = field.value;
      end();
      if (isNew) post(form, data, [row]);
    });
  }
  async function choose(folder) {
    const moving = [...list.picked].slice(0, 100).join("%20");
    apply(await (await fetch(`/folder/${folder}/choose?moving=${moving}`)).text());
    $("choices").querySelector("h3")?.focus();
  }
  function chooseFor(act) {
    for (const button of $("choose").querySelectorAll("[name=act]")) button.hidden = button.value !== act;
    $("choose").showModal();
    choose(list.rows.dataset.folder);
  }
  const gestures = {
    "new-folder": () => { $("new-folder").showModal(); $("new-folder").querySelector(".name").select(); },
    clear: () => list.clear(), close: (button) => at(button, "dialog").close(),
    rename: () => rename(list.find([...list.picked][0])),
    move: () => chooseFor("move"), copy: () => chooseFor("copy"),
  };
  on("click", (event) => {
    if (!at(event.target, "#acts")) $("acts")?.classList.remove("menu");
    const [button, row] = [at(event.target, "[data-gesture], [data-choose]"), at(event.target, ".row")];
    if (button) return button.dataset.choose ? choose(button.dataset.choose) : gestures[button.dataset.gesture](button);
    if (!list || !row || !at(event.target, ".open") || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.shiftKey ? list.pickTo(row.dataset.id) : list.toggle(row);
  });
  on("change", (event) => { if (event.target.matches(".pick")) list?.toggle(at(event.target, ".row")); });
  on("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.action.endsWith("/act")) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form, event.submitter));
    at(form, "dialog")?.close();
    at(form, ".toast")?.remove();
    if (!at(form, "#acts, #choose")) post(form, data, [at(form, ".entry")].filter(Boolean));
    else act(data.get("act"), form === $("acts") ? {} : { to: data.get("to") });
  });
  on("keydown", (event) => {
    if (!list || at(event.target, "input:not(.pick), textarea, select, dialog, .tray")) return;
    const [row, command] = [at(event.target, ".row"), event.ctrlKey || event.metaKey];
    const chosen = row ?? list.find([...list.picked][0]);
    if (command && event.key === "a") list.pickAll();
    else if (event.key === "Escape") list.clear();
    else if (event.key === "Delete" && chosen) act("trash", {}, chosen);
    else if (event.key === "F2" && chosen) rename(chosen);
    else if (row && !command && !event.altKey && !at(event.target, ".get, .pick")) { if (!list.key(event, row)) return; }
    else if (!row && event.key.startsWith("Arrow") && list.held && event.target === document.body) list.step(null, 1);
    else return;
    event.preventDefault();
  });
  on("contextmenu", (event) => {
    const [row, menu] = [at(event.target, ".row"), $("acts")];
    if (!list || !row || at(event.target, "input")) return;
    event.preventDefault();
    list.pickOnly(row.dataset.id);
    menu.classList.add("menu");
    menu.style.setProperty("--x", Math.min(event.clientX, innerWidth - menu.offsetWidth - 8) + "px");
    menu.style.setProperty("--y", Math.min(event.clientY, innerHeight - menu.offsetHeight - 8) + "px");
  });

  // Dragging moves: onto a folder, or onto one above.
  let dragged = null;
  on("dragstart", (event) => { if (list && (dragged = at(event.target, ".row"))) list.pickOnly(dragged.dataset.id); });
  on("dragend", () => { dragged = null; });
  const goal = (event) => {
    document.querySelector(".goal")?.classList.remove("goal");
    const target = dragged && at(event.target, ".row:has(.kind.folder):not(.picked), .crumbs a");
    if (target) event.preventDefault();
    return target;
  };
  on("dragover", (event) => goal(event)?.classList.add("goal"));
  on("drop", (event) => {
    const to = goal(event);
    if (to) act("move", { to: to.dataset.id ?? to.pathname.split("/")[2] ?? "root" });
  });
  // ---- What happens elsewhere, pushed. A tab that nobody looks at lets go of its stream, and catches up when seen.
  let stream, resting;
  function rest() { stream?.close(); stream = null; }
  function listen() {
    const own = document.querySelector("#main [data-events]") ?? $("line");
    if (stream || !(list || own)) return;
    stream = new EventSource(list ? `${list.url}/events?order=${list.rows.dataset.order}&after=${list.mark}` : own.dataset.events);
    stream.onopen = () => standing(false);
    stream.onerror = () => {
      standing(true);
      if (stream?.readyState === EventSource.CLOSED) { rest(); setTimeout(listen, 3000); }
    };
    stream.addEventListener("fragment", (event) => { list.mark = event.lastEventId; apply(event.data); });
    stream.addEventListener("piece", (event) => apply(event.data));
    stream.addEventListener("again", (event) => { list.mark = event.lastEventId; list.again(); });
  }
  on("visibilitychange", () => document.hidden ? (resting = setTimeout(rest, 30000)) : (clearTimeout(resting), listen()));
  addEventListener("pageshow", (event) => { if (event.persisted) { rest(); listen(); list?.again(); } });
  // A page, or another one that came into its place.
  function begin() {
    rest();
    list = $("rows") && new BothyList($("rows"), apply);
    listen();
  }
  on("bothy-page", begin);
  begin();
})();
