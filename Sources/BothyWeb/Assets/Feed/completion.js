// Whom or what somebody means by `@` or `#`: the server is asked while they type, and what it knows is offered. Where it does not answer, they go on typing.
"use strict";
// - root: an editor's text. What it calls: `look` with what stands before the caret, and `key` with each key.
globalThis.bothyCompletion = (root) => {
  const [pause, most] = [120, 6]; // milliseconds of rest before the server is asked; what is offered
  const places = { "@": (word) => `/feed/complete?people=${encodeURIComponent(word)}`, "#": (word) => `/feed/complete?tags=${encodeURIComponent(word)}` };
  const list = Object.assign(document.createElement("ul"), { className: "completion", id: root.id + "-completion", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.getElementById("rich-link").dataset.suggestions);
  root.after(list);
  root.setAttribute("aria-autocomplete", "list");
  let [meant, timer, at, asked] = [null, null, 0, 0];
  const unknown = new Set(); // signs that the server knows nothing of
  const hide = () => {
    list.hidden = true;
    root.removeAttribute("aria-activedescendant");
    root.removeAttribute("aria-controls");
  };
  async function ask({ sign, word }) {
    const mine = ++asked;
    if (unknown.has(sign)) return;
    const answer = await fetch(places[sign](word), { headers: { Accept: "application/json" } }).catch(() => null);
    const found = answer?.ok && answer.headers.get("Content-Type")?.includes("json") ? await answer.json().catch(() => null) : null;
    if (answer?.status === 404) unknown.add(sign);
    if (mine !== asked || meant?.word !== word) return;
    const names = (found?.items ?? []).slice(0, most);
    if (!names.length) return hide();
    list.replaceChildren(...names.map(({ word: name, more }, place) => {
      const item = Object.assign(document.createElement("li"), { id: `${list.id}-${place}` });
      item.setAttribute("role", "option");
      const [first, second] = [document.createElement("bdi"), document.createElement("span")];
      [first.textContent, second.textContent, item.dataset.word] = [sign + name, more ?? "", sign + name];
      item.append(first, second);
      return item;
    }));
    list.hidden = false;
    root.setAttribute("aria-controls", list.id);
    go(0);
    place();
  }
  function place() {
    const spot = root.bothy.range()?.getBoundingClientRect();
    const around = root.parentElement.getBoundingClientRect();
    const rect = spot?.height ? spot : root.getBoundingClientRect();
    list.style.setProperty("--x", Math.max(0, Math.min(rect.left - around.left, around.width - list.offsetWidth)) + "px");
    list.style.setProperty("--y", rect.bottom - around.top + 4 + "px");
  }
  function go(to) {
    const items = [...list.children];
    at = (to + items.length) % items.length;
    items.forEach((item, place) => item.setAttribute("aria-selected", place === at));
    root.setAttribute("aria-activedescendant", items[at].id);
    items[at].scrollIntoView({ block: "nearest" });
  }
  function take(item) {
    const { word, sign } = meant;
    meant = null;
    hide();
    root.bothy.replaceWord(word.length + sign.length, item.dataset.word);
  }
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const item = event.target.closest("li");
    if (item) take(item);
  });
  root.completion = {
    look(what) {
      clearTimeout(timer);
      meant = what?.word ? what : null;
      if (!meant) { asked += 1; return hide(); }
      timer = setTimeout(ask, pause, meant);
    },
    // Whether the key was meant for what is offered.
    key(event) {
      if (list.hidden || event.isComposing) return false;
      const deed = { ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), Enter: () => take(list.children[at]), Tab: () => take(list.children[at]), Escape: hide }[event.key];
      if (!deed || event.ctrlKey || event.metaKey || event.shiftKey) return false;
      event.preventDefault();
      event.stopPropagation();
      deed();
      return true;
    },
  };
};
