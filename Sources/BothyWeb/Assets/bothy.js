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
    const [focus, row] = [document.activeElement, at(document.activeElement, ".row")?.dataset.id];
    for (const piece of holder.content.children) {
      const place = Object.keys(places).find((name) => name in piece.dataset);
      places[place]?.(piece.dataset[place], piece);
    }
    const again = row && list.find(row)?.querySelector("." + focus.classList[0]);
    if (row && document.activeElement !== focus) (again ?? list.rows).focus({ preventScroll: true });
  }
  const standing = (isLost) => { $("standing").hidden = !isLost; };
  // ---- The list: a window of rows, with room above and below for those that are not here.
  const [spare, most] = [80, 400]; // rows kept ready on each side of what is seen, and asked for at once
  class List {
    constructor(rows) {
      const { first, total, mark } = rows.dataset;
      Object.assign(this, { rows, picked: new Set(), first: +first, total: +total, mark });
      this.url = `/folder/${rows.dataset.folder}`;
      document.querySelectorAll(".page").forEach((link) => link.remove());
      document.querySelectorAll(".scripted").forEach((button) => (button.hidden = false));
      addEventListener("scroll", () => this.look(), { passive: true });
      addEventListener("resize", () => { this.measure(); this.look(); }, { passive: true });
      this.measure();
      if (this.first > 0) scrollTo(0, this.top + this.room(this.first));
      this.look();
    }
    get held() { return this.rows.children.length; }
    get ids() { return [...this.rows.children].map((row) => row.dataset.id); }
    find(id) { return id && this.rows.querySelector(`[data-id="${CSS.escape(id)}"]`); }
    measure() {
      const style = getComputedStyle(this.rows);
      this.columns = style.display === "grid" ? style.gridTemplateColumns.split(" ").length : 1;
      this.height = parseFloat(style.getPropertyValue(style.display === "grid" ? "--tile" : "--row"));
      this.top = this.rows.getBoundingClientRect().top + scrollY;
      this.pad();
    }
    // Only writes: whoever reads between new rows and their room would have the page scroll away.
    pad() {
      const below = Math.max(0, this.total - this.first - this.held);
      this.rows.style.paddingBlock = `${this.room(this.first)}px ${this.room(below + this.columns - 1)}px`;
    }
    room(rows) { return Math.floor(rows / this.columns) * this.height; }
    // Once a frame: whether what is seen, and half of what is spare, is here.
    look() {
      this.frame ??= requestAnimationFrame(() => {
        this.frame = null;
        const row = (y) => Math.floor((y - this.top) / this.height) * this.columns;
        const [seen, end] = [row(scrollY), row(scrollY + innerHeight) + this.columns];
        const [from, to] = [Math.max(0, seen - spare / 2), Math.min(this.total, end + spare / 2)];
        if (from < this.first || to > this.first + this.held) this.load(seen - spare, end + spare);
      });
    }
    async load(from, to) {
      from = Math.max(0, Math.min(from, this.total - spare));
      from -= from % this.columns;
      const asked = `from=${from}&count=${Math.min(most, Math.max(to - from, 2 * spare))}`;
      if (this.asked === asked) return;
      this.asked = asked;
      try {
        const answer = await fetch(`${this.url}/rows?${asked}&order=${this.rows.dataset.order}`);
        if (answer.status === 204) return location.reload();
        const text = await answer.text();
        if (this.asked !== asked) return; // the person has scrolled on
        apply(text);
      } catch { setTimeout(() => this.look(), 2000); }
      if (this.asked === asked) this.asked = null;
    }
    again() { return this.load(this.first, this.first + Math.max(this.held, spare)); }
    // Rows that are here already stay the elements that they are, unless they look otherwise now.
    show(to, fresh) {
      const old = new Map([...this.rows.children].map((row) => [row.dataset.id, row]));
      [this.first, this.total] = [+to.first, +to.total];
      this.rows.replaceChildren(...fresh.map((row) => {
        const known = old.get(row.dataset.id);
        return known && (known.matches(".renaming") || known.isEqualNode(this.dress(row))) ? known : this.dress(row);
      }));
      this.count(to);
      this.look();
    }
    dress(row) {
      const isPicked = this.picked.has(row.dataset.id);
      row.classList.toggle("picked", isPicked);
      row.querySelector(".pick").checked = isPicked;
      return row;
    }
    remove(id) { this.find(id)?.remove(); this.pick(id, false); }
    place(row, before) {
      const [hadEnd, old, next] = [this.first + this.held >= this.total, this.find(row.dataset.id), this.find(before)];
      if (old?.matches(".renaming")) return void (old.isOld = true);
      const hadFocus = old?.contains(document.activeElement);
      old?.remove();
      if (next || (!before && hadEnd)) this.rows.insertBefore(this.dress(row), next || null);
      if (hadFocus) row.querySelector(".open").focus({ preventScroll: true });
    }
    count(to) {
      this.total = +to.total;
      $("count").textContent = this.total ? to.count : "";
      $("empty").hidden = this.total > 0;
      this.pad();
    }
    // ---- Choosing and moving about
    pick(id, isOn) {
      if (isOn === this.picked.has(id)) return;
      isOn ? this.picked.add(id) : this.picked.delete(id);
      const [count, row, said] = [this.picked.size, this.find(id), $("picked")];
      if (row) this.dress(row);
      this.rows.classList.toggle("picking", count > 0);
      $("acts").hidden = count === 0;
      said.textContent = count === 1 ? said.dataset.one : said.dataset.many.replace("#", count);
      $("acts").querySelector("[data-gesture=rename]").hidden = count !== 1;
    }
    clear() { [...this.picked].forEach((id) => this.pick(id, false)); }
    pickOnly(id) { if (!this.picked.has(id)) { this.clear(); this.pick(id, true); } }
    pickTo(id) {
      const [a, b] = [this.ids.indexOf(this.anchor ?? id), this.ids.indexOf(id)].sort((x, y) => x - y);
      this.ids.slice(Math.max(a, 0), b + 1).forEach((id) => this.pick(id, true));
    }
    step(row, by) {
      const place = [...this.rows.children].indexOf(row) + by;
      const to = this.rows.children[Math.max(0, Math.min(this.held - 1, place))];
      to?.querySelector(".open").focus();
      to?.scrollIntoView({ block: "nearest" });
      return to;
    }
    key(event, row) {
      const page = Math.max(1, Math.floor(innerHeight / this.height) - 2) * this.columns;
      const steps = { ArrowUp: -this.columns, ArrowDown: this.columns, PageUp: -page, PageDown: page };
      if (this.columns > 1) Object.assign(steps, { ArrowLeft: -1, ArrowRight: 1 });
      if (event.key in steps) {
        if (event.shiftKey) this.anchor ??= row.dataset.id;
        const to = this.step(row, steps[event.key]);
        if (event.shiftKey) this.pickTo(to.dataset.id);
      } else if (event.key === "Home" || event.key === "End") {
        const to = event.key === "Home" ? -this.total : this.total;
        scrollBy(0, to * this.height);
        this.step(row, to);
      } else if (event.key === " ") this.toggle(row);
      else return false;
      return true;
    }
    toggle(row) { this.pick((this.anchor = row.dataset.id), !this.picked.has(row.dataset.id)); }
  }
  const list = $("rows") && new List($("rows"));
  if (!list) return;
  // ---- Acting: a form goes out as it is, and what comes back says where it belongs.
  async function post(form, data, rows) {
    rows.forEach((row) => row.classList.add("busy"));
    try {
      const answer = await fetch(form.action, { method: "POST", body: data });
      if (answer.redirected) return location.assign(answer.url);
      apply(await answer.text());
      if (answer.ok && ["trash", "move"].includes(data.get("act"))) list.clear();
    } catch { standing(true); rest(); listen(); }
    rows.forEach((row) => row.classList.remove("busy"));
    list.again();
  }
  // On what is chosen, or on the row where the person is.
  function act(name, more, row) {
    const data = new URLSearchParams({ token: $("acts").elements.token.value, act: name, ...more });
    const ids = list.picked.size ? [...list.picked] : [row.dataset.id];
    ids.forEach((id) => data.append("id", id));
    post($("acts"), data, ids.map((id) => list.find(id)).filter(Boolean));
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
    if (!row || !at(event.target, ".open") || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.shiftKey ? list.pickTo(row.dataset.id) : list.toggle(row);
  });
  on("change", (event) => { if (event.target.matches(".pick")) list.toggle(at(event.target, ".row")); });
  on("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.action.endsWith("/act")) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form, event.submitter));
    at(form, "dialog")?.close();
    at(form, ".toast")?.remove();
    if (!at(form, "#acts, #choose")) post(form, data, []);
    else act(data.get("act"), form === $("acts") ? {} : { to: data.get("to") });
  });
  on("keydown", (event) => {
    if (at(event.target, "input:not(.pick), textarea, select, dialog")) return;
    const [row, command] = [at(event.target, ".row"), event.ctrlKey || event.metaKey];
    const chosen = row ?? list.find([...list.picked][0]);
    if (command && event.key === "a") list.ids.forEach((id) => list.pick(id, true));
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
    if (!row || at(event.target, "input")) return;
    event.preventDefault();
    list.pickOnly(row.dataset.id);
    menu.classList.add("menu");
    menu.style.setProperty("--x", Math.min(event.clientX, innerWidth - menu.offsetWidth - 8) + "px");
    menu.style.setProperty("--y", Math.min(event.clientY, innerHeight - menu.offsetHeight - 8) + "px");
  });

  // Dragging moves: onto a folder, or onto one above.
  let dragged = null;
  on("dragstart", (event) => { if ((dragged = at(event.target, ".row"))) list.pickOnly(dragged.dataset.id); });
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
    if (stream) return;
    stream = new EventSource(`${list.url}/events?order=${list.rows.dataset.order}&after=${list.mark}`);
    stream.onopen = () => standing(false);
    stream.onerror = () => {
      standing(true);
      if (stream?.readyState === EventSource.CLOSED) { rest(); setTimeout(listen, 3000); }
    };
    stream.addEventListener("fragment", (event) => { list.mark = event.lastEventId; apply(event.data); });
    stream.addEventListener("again", (event) => { list.mark = event.lastEventId; list.again(); });
  }
  on("visibilitychange", () => document.hidden ? (resting = setTimeout(rest, 30000)) : (clearTimeout(resting), listen()));
  addEventListener("pageshow", (event) => { if (event.persisted) { rest(); listen(); list.again(); } });
  listen();
})();
