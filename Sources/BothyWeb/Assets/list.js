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
      Object.assign(this, { rows, picked: new Set(), first: +first, total: +total, mark });
      this.url = `/folder/${rows.dataset.folder}`;
      document.querySelectorAll(".page").forEach((link) => link.remove());
      document.querySelectorAll(".scripted").forEach((button) => (button.hidden = false));
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
        this.apply(text);
      } catch { setTimeout(() => this.look(), 2000); }
      if (this.asked === asked) this.asked = null;
    }
    again() { return this.load(this.first, this.first + Math.max(this.held, spare)); }
    // Rows that are here already stay the elements that they are, unless they look otherwise now.
    show(to, fresh) {
      const old = new Map([...this.rows.children].map((row) => [row.dataset.id, row]));
      [this.first, this.total] = [+to.first, +to.total];
      const rows = fresh.map((row) => {
        const known = old.get(row.dataset.id);
        return known && (known.matches(".renaming") || known.isEqualNode(this.dress(row))) ? known : this.dress(row);
      });
      // What stays is not taken out and put back: whoever types in it, or is on it, would lose it.
      const stay = new Set(rows);
      for (const row of old.values()) if (!stay.has(row)) row.remove();
      rows.forEach((row, at) => {
        if (this.rows.children[at] !== row) this.rows.insertBefore(row, this.rows.children[at] ?? null);
      });
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
      this.said([this.find(id)]);
    }
    said(rows = [...this.rows.children]) {
      const [count, said] = [this.picked.size, $("picked")];
      rows.forEach((row) => row && this.dress(row));
      this.rows.classList.toggle("picking", count > 0);
      $("acts").hidden = count === 0;
      said.dataset.count = count;
      said.textContent = count === 1 ? said.dataset.one : said.dataset.many.replace("#", count.toLocaleString());
      $("acts").querySelector("[data-gesture=rename]").hidden = count !== 1;
    }
    pickThese(ids) { this.picked = new Set(ids); this.said(); }
    clear() { this.pickThese([]); }
    // Those that are here at once, then those that are not.
    async pickAll() {
      this.pickThese(this.ids);
      const answer = this.held < this.total && (await fetch(`${this.url}/ids`).catch(() => null));
      if (answer?.status === 200) this.pickThese((await answer.text()).split(" "));
    }
    pickOnly(id) { if (!this.picked.has(id)) this.pickThese([id]); }
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
  globalThis.BothyList = List;
})();
