// A folder's list: a window of its rows, which of them are chosen, and moving about in it by keys.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  // Rows are there where somebody looks, with room above and below for those that are not.
  const [spare, most] = [80, 400]; // rows kept ready on each side of what is seen, and asked for at once
  class List {
    // What comes from the server is put in its places by `apply`.
    constructor(rows, apply) {
      this.apply = apply;
      List.current = this;
      const { first, total, mark } = rows.dataset;
      // What a person has ticked before this ran is chosen.
      const ticked = [...rows.querySelectorAll(".row:has(.pick:checked)")].map((row) => row.dataset.id);
      Object.assign(this, { rows, picked: new Set(ticked), base: new Set(), isPicking: false, whole: true, first: +first, total: +total, mark });
      this.url = `/folder/${rows.dataset.folder}`;
      document.querySelectorAll(".page").forEach((link) => link.remove());
      document.querySelectorAll(".scripted").forEach((button) => (button.hidden = false));
      this.measure();
      this.said();
      if (this.first > 0) scrollTo(0, this.top + this.room(this.first));
      this.look();
    }
    // A row in which somebody types while the window is elsewhere: the last, and none of the window's.
    get away() { const last = this.rows.lastElementChild; return last?.matches(".away") ? last : null; }
    get held() { return this.rows.children.length - (this.away ? 1 : 0); }
    get ids() { return [...this.rows.children].slice(0, this.held).map((row) => row.dataset.id); }
    find(id) { return id && this.rows.querySelector(`[data-id="${CSS.escape(id)}"]`); }
    measure() {
      const style = getComputedStyle(this.rows);
      this.columns = style.display === "grid" ? style.gridTemplateColumns.split(" ").length : 1;
      this.height = parseFloat(style.getPropertyValue(style.display === "grid" ? "--tile" : "--row"));
      this.top = this.rows.getBoundingClientRect().top + scrollY;
      this.pad();
    }
    // Only writes: a layout read between new rows and their room would make the page scroll away.
    pad() {
      const below = Math.max(0, this.total - this.first - this.held);
      this.rows.style.paddingBlock = `${this.room(this.first)}px ${this.room(below + this.columns - 1)}px`;
      const { away } = this;
      if (away) Object.assign(away.style, { top: `${this.room(away.place)}px`, gridColumn: (away.place % this.columns) + 1 });
    }
    // The first place that is seen.
    get seen() { return Math.max(0, Math.ceil((scrollY - this.top) / this.height) * this.columns); }
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
      [this.asked, this.isStale] = [asked, false]; // stale when something happens while the answer is under way
      try {
        const answer = await bothyAsk(`${this.url}/rows?${asked}&order=${this.rows.dataset.order}`);
        if (answer.status === 204) return location.reload();
        const text = await answer.text();
        if (this.asked !== asked || List.current !== this) return; // the person has scrolled on, or left
        this.apply(text);
      } catch { setTimeout(() => this.again(), 2000); }
      if (this.asked === asked) this.asked = null;
      if (this.isStale) await this.again();
    }
    // An answer that is under way may have been read before this: it is asked for once more when it is here.
    again() {
      this.isStale = true;
      return this.load(this.first, this.first + Math.max(this.held, spare));
    }
    // A row with the text cursor keeps it: among these rows where they reach to its place, else away from them.
    keep(row, rows) {
      const [isHere, at] = [rows.includes(row), row.place - this.first];
      const isAway = !isHere && (at < 0 || at > rows.length);
      row.classList.toggle("away", isAway);
      if (!isAway) row.removeAttribute("style");
      if (!isHere) rows.splice(isAway ? rows.length : at, 0, row);
    }
    // Where its new name was refused: as it is called, and back at its place when the list was read without it meanwhile.
    bring(row, { name, isAway }) {
      const here = this.find(row.dataset.id);
      row.querySelector(".name").textContent = name;
      if (here || !isAway) return here;
      row.classList.add("away");
      this.rows.append(row);
      this.pad();
      return row;
    }
    // Rows that are here already stay the elements that they are, unless they look otherwise now.
    show(to, fresh) {
      const old = new Map([...this.rows.children].map((row) => [row.dataset.id, row]));
      const typed = this.rows.querySelector(".renaming");
      if (typed) typed.place = this.at(typed.dataset.id);
      const gone = +to.first === this.first ? [...old.keys()].indexOf(this.current) : -1;
      [this.first, this.total] = [+to.first, +to.total];
      if (!fresh.some((row) => row.dataset.id === this.current)) {
        // What comes after it, or before it, as where its removal is told first.
        const [ids, ordered] = [new Set(fresh.map((row) => row.dataset.id)), [...old.keys()]];
        const near = gone < 0 ? null : [...ordered.slice(gone), ...ordered.slice(0, gone).reverse()].find((id) => ids.has(id));
        this.current = near ?? (fresh[this.seen - this.first] ?? fresh[0])?.dataset.id;
      }
      const rows = fresh.map((row) => {
        const known = old.get(row.dataset.id);
        const isSame = known && (known.matches(".renaming") || known.isEqualNode(this.dress(row)));
        if (known && !isSame && this.isHeld) this.isMissed = true;
        return isSame || (known && this.isHeld) ? known : this.dress(row);
      });
      if (typed) this.keep(typed, rows);
      // What stays is not taken out and put back: it would lose the text cursor or the focus.
      const stay = new Set(rows);
      for (const row of old.values()) if (!stay.has(row)) row.remove();
      if (typed) this.rows.append(...rows.slice(rows.indexOf(typed) + 1));
      rows.forEach((row, at) => {
        if (this.rows.children[at] !== row) this.rows.insertBefore(row, this.rows.children[at] ?? null);
      });
      this.count(to);
      if (rows.some((row) => this.picked.has(row.dataset.id) && old.get(row.dataset.id) !== row)) this.said([]); // as in place()
      this.look();
      this.arrive();
    }
    // Of all rows one alone is met by Tab: what is above them is a step away, however many there are.
    dress(row) {
      const isPicked = this.picked.has(row.dataset.id);
      row.classList.toggle("picked", isPicked);
      row.querySelector(".pick").checked = isPicked;
      const isCurrent = row.dataset.id === (this.current ??= row.dataset.id);
      for (const stop of row.querySelectorAll(".pick, .open, a.get")) {
        stop.tabIndex = isCurrent ? 0 : -1;
        stop.draggable = !List.isTouched; // a long press chooses
      }
      return row;
    }
    goIn(row) {
      if (row.dataset.id === this.current) return;
      const before = this.find(this.current);
      this.current = row.dataset.id;
      [before, row].forEach((one) => one && this.dress(one));
    }
    // While a hand is on a row, to drag it, nothing that others do moves about under it: it is shown when the hand lets go.
    hold() { this.isHeld = true; }
    letGo() {
      if (this.isMissed) this.again();
      this.isHeld = this.isMissed = false;
    }
    remove(id) {
      this.isStale = true;
      if (this.isHeld) return void (this.isMissed = true);
      const row = this.find(id);
      if (row) row.isGone = true;
      if (row?.matches(".renaming")) return void (row.isOld = true); // who types in it is told when that ends
      const next = row && (row.nextElementSibling ?? row.previousElementSibling);
      if (id === this.current && next) this.goIn(next);
      if (row) this.total -= 1; // or an end that is here would not be one, for what is placed there next
      row?.remove();
      this.pick(id, false);
    }
    place(row, before) {
      this.isStale = true;
      if (this.isHeld) return void (this.isMissed = true);
      const [hadEnd, old, { away }] = [this.first + this.held >= this.total, this.find(row.dataset.id), this];
      const next = this.find(before);
      if (old?.matches(".renaming")) return void (old.isOld = true);
      const hadFocus = old?.contains(document.activeElement);
      old?.remove();
      if (next ? next !== away : !before && hadEnd) this.rows.insertBefore(this.dress(row), next || away);
      if (!this.isEntered && this.held) this.goIn(this.rows.firstElementChild); // who comes in begins at the top
      if (hadFocus) row.querySelector(".open").focus({ preventScroll: true });
      if (this.picked.has(row.dataset.id)) this.said([]); // what can be done with it may be otherwise now
    }
    count(to) {
      this.total = +to.total;
      $("count").textContent = this.total ? to.count : "";
      $("empty").hidden = this.total > 0 || !!this.rows.querySelector(".renaming");
      this.pad();
    }
    // ---- Choosing and moving about
    pick(id, isOn) {
      if (isOn === this.picked.has(id)) return;
      isOn ? this.picked.add(id) : this.picked.delete(id);
      this.said([this.find(id)]);
    }
    // Where keyboard focus goes when the element that had it is gone.
    home() { (this.find(this.current)?.querySelector(".open") ?? this.rows).focus({ preventScroll: true }); }
    said(rows = [...this.rows.children]) {
      const [count, said, acts] = [this.picked.size, $("picked"), $("acts")];
      const focus = acts.contains(document.activeElement) && document.activeElement;
      rows.forEach((row) => row && this.dress(row));
      this.rows.classList.toggle("picking", count > 0 || this.isPicking);
      acts.hidden = count === 0 && !this.isPicking;
      if (acts.hidden) acts.classList.remove("menu");
      acts.classList.toggle("none", count === 0);
      said.textContent = count === 1 ? said.dataset.one : said.dataset.many.replace("#", count.toLocaleString());
      const here = [...this.rows.children].filter((row) => this.picked.has(row.dataset.id));
      const isStarred = here.length > 0 && here.every((row) => row.querySelector(".star"));
      const shows = { "[data-gesture=rename]": count === 1, "[data-gesture=details]": count === 1, "[value=star]": !isStarred, "[value=unstar]": isStarred };
      for (const name in shows) acts.querySelector(name).hidden = !shows[name];
      if (!focus || focus.checkVisibility()) return;
      const other = { star: "unstar", unstar: "star" }[focus.value]; // what it turns into
      acts.hidden || !other ? this.home() : acts.querySelector(`[value=${other}]`).focus();
    }
    // Choosing by taps: what is tapped is chosen, until it is ended.
    choose(isOn) { this.isPicking = isOn; this.said([]); }
    pickThese(ids) { [this.picked, this.base, this.asking, this.whole] = [new Set(ids), new Set(), null, true]; this.said(); }
    clear() {
      [this.isPicking, this.anchor, this.wanted, this.deed] = [false, null, null, null];
      this.pickThese([]);
    }
    // Those that are here at once, then those that are not: `whole` is whether they are all here, for actions on all.
    pickAll() {
      this.pickThese(this.ids);
      if (this.held < this.total) this.whole = this.pickRest((this.asking = {}));
    }
    async pickRest(asking) {
      const answer = await bothyAsk(`${this.url}/ids`).catch(() => null);
      const ids = answer?.status === 200 && (await answer.text().catch(() => null));
      if (asking !== this.asking) return true; // the person has chosen otherwise
      if (ids) this.pickThese(ids.split(" "));
      return !!ids;
    }
    pickOnly(id) { if (!this.picked.has(id)) { this.begin(id); this.pickThese([id]); } }
    // Where a range begins, and what was chosen before it.
    begin(id) {
      [this.anchor, this.base] = [{ id, place: this.at(id) }, new Set(this.picked)];
      this.asking = null;
    }
    at(id) { return this.away?.dataset.id === id ? this.away.place : this.first + this.ids.indexOf(id); }
    async pickTo(id) {
      this.whole = true;
      if (!this.anchor) this.begin(id);
      const [from, to, asking] = [this.anchor.id, this.at(id), (this.asking = {})];
      const here = await this.between(from, id, [this.anchor.place, to].sort((x, y) => x - y));
      if (asking !== this.asking) return; // the person has gone on
      this.picked = new Set([...this.base, ...here]);
      this.said();
    }
    // What lies between two, both with it; of a beginning that is not where it was any more, the end alone.
    async between(from, to, [first, last]) {
      let ids = this.ids;
      if (!ids.includes(from)) {
        const asked = `from=${Math.max(0, first - spare)}&count=${last - first + 1 + 2 * spare}&order=${this.rows.dataset.order}`;
        const answer = await bothyAsk(`${this.url}/ids?${asked}`).catch(() => null);
        ids = answer?.status === 200 ? (await answer.text()).split(" ") : [];
      }
      const [a, b] = [ids.indexOf(from), ids.indexOf(to)].sort((x, y) => x - y);
      return a < 0 ? [to] : ids.slice(a, b + 1);
    }
    // To a place in the whole list, which may have to come first.
    go(place, isExtending) {
      if (this.deed) return; // what is to be done there comes first
      this.wanted = { place: Math.max(0, Math.min(this.total - 1, place)), isExtending };
      if (this.arrive()) return;
      scrollTo(0, this.top + this.room(this.wanted.place) - innerHeight / 2);
      this.look();
    }
    arrive() {
      const to = this.wanted && this.find(this.ids[this.wanted.place - this.first]);
      if (!to) return false;
      const [{ isExtending }, deed] = [this.wanted, this.deed];
      this.wanted = this.deed = null;
      to.querySelector(".open").focus();
      to.scrollIntoView({ block: "nearest" });
      if (isExtending) this.pickTo(to.dataset.id);
      if (deed === "Enter") to.querySelector(".open").click();
      else if (deed) to.dispatchEvent(new KeyboardEvent("keydown", { key: deed, bubbles: true, cancelable: true }));
      return true;
    }
    // A key that was pressed on the way to a row is meant for that.
    meantFor(key) { this.deed ??= key; }
    key(event, row) {
      const page = Math.max(1, Math.floor(innerHeight / this.height) - 2) * this.columns;
      const steps = { ArrowUp: -this.columns, ArrowDown: this.columns, PageUp: -page, PageDown: page, Home: -this.total, End: this.total };
      if (this.columns > 1) Object.assign(steps, { ArrowLeft: -1, ArrowRight: 1 });
      if (event.key in steps) {
        if (event.shiftKey && !this.anchor) this.begin(row.dataset.id);
        this.go((this.wanted?.place ?? this.at(row.dataset.id)) + steps[event.key], event.shiftKey);
      } else if (event.key === " ") this.toggle(row);
      else return false;
      return true;
    }
    async toggle(row) {
      if (this.whole !== true) await this.whole;
      this.whole = true; // it was looked at, and is what it is
      this.pick(row.dataset.id, !this.picked.has(row.dataset.id));
      this.begin(row.dataset.id);
    }
  }
  List.isTouched = matchMedia("(pointer: coarse)").matches;
  globalThis.BothyList = List;
  // Pulled down by a finger at its top, a list is asked for again.
  const far = 72; // pixels
  let start = null;
  const pulled = (by) => document.getElementById("pull")?.style.setProperty("--by", `${Math.min(by, far * 1.5)}px`);
  const touch = (name, listen) => addEventListener(name, listen, { passive: true });
  touch("touchstart", ({ touches, target }) => {
    start = scrollY <= 0 && touches.length === 1 && target.closest?.("#content:has(#pull)") ? touches[0].clientY : null;
  });
  touch("touchmove", ({ touches }) => { if (start !== null) pulled(Math.max(0, touches[0].clientY - start)); });
  touch("touchcancel", () => { start = null; pulled(0); });
  touch("touchend", async ({ changedTouches }) => {
    const isFar = start !== null && changedTouches[0].clientY - start > far;
    start = null;
    if (isFar) await List.current.again();
    pulled(0);
  });
})();
