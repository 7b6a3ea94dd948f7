// Rich text where a page has a field for Markdown (`textarea.rich`): marks by buttons and keys, Markdown as one types, and a clipboard that brings words
// and no looks. What is sent is what `encode.js` makes of it. Without this script the field is there as it was.
//
// Letters are typed and deleted by the browser. What joins, parts or turns blocks is done here, so that all browsers do the same.
"use strict";
(() => {
  const make = (tag, more = {}) => Object.assign(document.createElement(tag), more);
  const { gap } = bothyBlocks;
  const ends = [
    [/(?:^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "strong", 2], [/(?:^|[^*\p{L}\p{N}])\*([^*\s](?:[^*]*[^*\s])?)\*$/u, "em", 1],
    [/(?:^|[^_\p{L}\p{N}])_([^_\s](?:[^_]*[^_\s])?)_$/u, "em", 1], [/`([^`]+)`$/, "code", 1], [/~~([^~\s](?:[^~]*[^~\s])?)~~$/, "s", 2],
  ];
  const mostSteps = 200; // of Undo
  const pause = 1000; // milliseconds after which what is typed is another step

  function Editor(field, tools) {
    const form = field.form;
    const label = field.labels[0]?.querySelector("span") ?? field.labels[0];
    if (label && !label.id) label.id = field.id + "-label";
    const root = make("div", { className: "rich-text said", contentEditable: "true", dir: "auto", id: field.id + "-rich" });
    const told = { role: "textbox", "aria-multiline": "true", "aria-labelledby": label?.id, "aria-describedby": field.getAttribute("aria-describedby"), "data-hint": field.placeholder };
    for (const [name, value] of Object.entries(told)) if (value) root.setAttribute(name, value);
    const box = make("div", { className: "rich" });
    box.append(tools, root);
    field.labels[0]?.removeAttribute("for");
    (field.closest("label") ?? field).after(box);
    const isFirst = field.autofocus;

    field.remove();
    const { leaves, tidy, text, range, select, leafOf, put, before, kindOf, turn, split, remove, insertText, insert, lineBreak, mark, unlink, isIn } = bothyBlocks(root);
    // ---- What is in it
    function fill(html) {
      root.innerHTML = html || "<p><br></p>";
      tidy();
    }
    // ---- Undo: what stood here, and where the caret was
    const path = (node) => { const steps = []; for (; node !== root; node = node.parentNode) steps.unshift([...node.parentNode.childNodes].indexOf(node)); return steps; };
    const walk = (steps) => steps.reduce((node, at) => node?.childNodes[at] ?? node, root);
    function look() {
      root.normalize();
      const now = range();
      return { html: root.innerHTML, from: now && [path(now.startContainer), now.startOffset], to: now && [path(now.endContainer), now.endOffset] };
    }
    let [done, undone, typed] = [[], [], 0];
    function keep() {
      const now = look();
      if (done.at(-1)?.html === now.html) return;
      done.push(now);
      if (done.length > mostSteps) done.shift();
      undone = [];
    }
    function step(from, to) {
      if (!from.length) return;
      to.push(look());
      const then = from.pop();
      root.innerHTML = then.html;
      const length = (node) => node.nodeType === 3 ? node.length : node.childNodes.length;
      if (then.from) {
        const [start, end] = [walk(then.from[0]), walk(then.to[0])];
        select(start, Math.min(then.from[1], length(start)), end, Math.min(then.to[1], length(end)));
      }
      typed = 0;
      changed(false);
    }
    const undo = () => step(done, undone);
    const redo = () => step(undone, done);
    // - isOwn: nothing of the browser's tells that it was done.
    function changed(isOwn = true) {
      tidy();
      show();
      count();
      box.dispatchEvent(new Event("bothy-text", { bubbles: true }));
      if (isOwn) root.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "bothy" }));
    }
    function act(deed) {
      root.focus();
      keep();
      typed = 0;
      deed();
      changed();
    }

    // ---- Links are asked for
    const asking = document.getElementById("rich-link");
    function ask() {
      const now = range();
      if (!now || !asking) return;
      const [kept, around] = [now.cloneRange(), isIn("a", now.startContainer)];
      asking.querySelector("input").value = around?.getAttribute("href") ?? "";
      asking.querySelector("[value=unlink]").hidden = !around;
      // Enter means the first button that sends: the other one sends nothing.
      asking.querySelector("[value=unlink]").onclick = () => end("unlink");
      asking.onsubmit = (event) => { event.preventDefault(); end("link"); };
      const end = (wish) => {
        asking.close();
        root.focus();
        getSelection().removeAllRanges();
        getSelection().addRange(kept);
        const written = asking.querySelector("input").value.trim();
        if (wish === "unlink") return act(unlink);
        const address = /^[a-z][a-z0-9+.-]*:/i.test(written) ? written : /^[^\s@/]+@[^\s@]+$/.test(written) ? "mailto:" + written : "https://" + written;
        const href = written && bothyEncode.safe(address);
        if (!href) return;
        act(() => {
          if (around) return void around.setAttribute("href", href);
          if (!kept.collapsed) return mark("a", { href });
          const one = make("a", { href, textContent: written });
          kept.insertNode(one);
          const node = document.createTextNode(gap);
          one.after(node);
          select(node, 1);
        });
      };
      asking.showModal();
      asking.querySelector("input").select();
    }

    // ---- The buttons show where one is
    const deeds = { link: ask, undo, redo };
    const marksOf = ["strong", "em", "u", "s", "code"];
    const run = (name) => deeds[name] ? deeds[name]() : act(() => marksOf.includes(name) ? mark(name) : turn(name));
    const buttons = [...tools.querySelectorAll("[data-rich]")];
    function show() {
      const now = range();
      const kind = now && kindOf(leafOf(now.startContainer));
      for (const button of buttons) {
        const { rich } = button.dataset;
        if (rich === "undo" || rich === "redo") button.setAttribute("aria-disabled", !(rich === "undo" ? done : undone).length);
        else button.setAttribute("aria-pressed", !!now && (rich === kind || !!(isIn(rich === "link" ? "a" : rich, now.startContainer) && marksOf.concat("link").includes(rich))));
      }
    }
    tools.addEventListener("mousedown", (event) => event.preventDefault()); // what is chosen stays chosen
    tools.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-rich]");
      if (!button) return;
      if (!range()) { root.focus(); if (!range()) put(root.querySelector(leaves)); }
      run(button.dataset.rich);
    });
    // One stop for Tab; arrows go on from there.
    const all = [...tools.querySelectorAll("button")];
    all.forEach((button, at) => { button.tabIndex = at ? -1 : 0; });
    tools.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
      if (!by) return;
      event.preventDefault();
      const shown = all.filter((button) => button.checkVisibility());
      const to = Math.min(shown.length - 1, Math.max(0, shown.indexOf(document.activeElement) + by));
      all.forEach((button) => { button.tabIndex = button === shown[to] ? 0 : -1; });
      shown[to].focus();
    });

    // ---- Keys
    const keys = { b: "strong", i: "em", u: "u", e: "code", k: "link" };
    const shifted = { KeyX: "s", Digit7: "ol", Digit8: "ul", Digit9: "blockquote" };
    root.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const { key, code } = event;
      if (root.completion?.key(event)) return;
      if (!(event.ctrlKey || event.metaKey)) {
        if (key === "ArrowDown") leaveCode(event);
        return;
      }
      const name = event.altKey ? { Digit1: "h1", Digit2: "h2", Digit3: "h3", Digit0: "p" }[code] : event.shiftKey ? shifted[code] : keys[key.toLowerCase()];
      if (key === "Enter" && form) { event.preventDefault(); return form.requestSubmit(form.querySelector("[type=submit]:not(.first)[data-main]") ?? form.querySelector("[type=submit]")); }
      if (key.toLowerCase() === "z" && !event.altKey) { event.preventDefault(); return event.shiftKey ? redo() : undo(); }
      if (key.toLowerCase() === "y" && !event.shiftKey) { event.preventDefault(); return redo(); }
      if (!name) return;
      event.preventDefault();
      event.stopPropagation();
      run(name);
    });
    // Below code that is the last there is nothing to go to.
    function leaveCode(event) {
      const now = range();
      const leaf = now && leafOf(now.startContainer);
      if (leaf?.localName !== "pre" || leaf.nextElementSibling || text(leaf).slice(before(now).length).includes("\n")) return;
      event.preventDefault();
      act(() => { const next = make("p"); leaf.after(next); tidy(); put(next); });
    }
    root.addEventListener("beforeinput", (event) => {
      const { inputType: type, data } = event;
      const now = range();
      if (!now || event.isComposing) return;
      const own = (deed) => { event.preventDefault(); act(deed); };
      if (type === "historyUndo" || type === "historyRedo") { event.preventDefault(); return type === "historyUndo" ? undo() : redo(); }
      if (type.startsWith("format")) return event.preventDefault(); // by the browser's own menus, of which keys have ours
      if (type === "insertParagraph") return own(() => { if (!now.collapsed) remove(now); split(); });
      if (type === "insertLineBreak") return own(() => { if (!now.collapsed) remove(now); lineBreak(); });
      if (type === "insertFromPaste" || type === "insertFromDrop") return event.preventDefault(); // seen to below
      if (type.startsWith("delete")) {
        const [target] = event.getTargetRanges();
        const goes = document.createRange();
        if (!target) return;
        goes.setStart(target.startContainer, target.startOffset);
        goes.setEnd(target.endContainer, target.endOffset);
        const [from, to] = [leafOf(goes.startContainer), leafOf(goes.endContainer)];
        const leaf = leafOf(now.startContainer);
        // At the beginning of what is no paragraph, it is one again before anything goes.
        if (now.collapsed && type.endsWith("Backward") && leaf && !before(now) && kindOf(leaf) !== "p") return own(() => turn("p"));
        if (from !== to) return own(() => remove(goes));
        return begin();
      }
      if (!now.collapsed && leafOf(now.startContainer) !== leafOf(now.endContainer)) {
        if (data === null) return;
        return own(() => { remove(now); insertText(data); });
      }
      if (type !== "insertText" || !now.collapsed) return begin();
      if (data?.includes("\n")) return own(() => insert(bothyMarkdown(data)));
      const leaf = leafOf(now.startContainer);
      const line = before(now) + (data === "`" ? data : "");
      // In a list, typing the mark of its next entry means that entry, which exists by now.
      const isTwice = data === " " && leaf?.localName === "li" && { ul: /^[-*+]$/, ol: /^\d+[.)]$/ }[kindOf(leaf)]?.test(line);
      const kind = (data === " " || line === "```") && leaf?.localName === "p" && bothyMarks[line];
      if (!kind && !isTwice) return begin();
      own(() => {
        const part = document.createRange();
        part.setStart(leaf, 0);
        part.setEnd(now.startContainer, now.startOffset);
        part.deleteContents();
        tidy();
        put(leaf);
        if (kind) turn(kind);
        tidy();
      });
    });
    // Letters that are typed together are taken back together.
    function begin() {
      if (performance.now() - typed > pause) keep();
      typed = performance.now();
    }
    root.addEventListener("input", (event) => {
      if (event.inputType === "bothy") return;
      if (event.inputType === "insertText" && "*_`~".includes(event.data ?? " ")) close();
      changed(false);
      complete();
    });
    // A mark of Markdown that ends here.
    function close() {
      const now = range();
      const node = now?.startContainer;
      if (node?.nodeType !== 3 || leafOf(node)?.localName === "pre" || isIn("code", node)) return;
      const line = node.data.slice(0, now.startOffset);
      for (const [pattern, tag, width] of ends) {
        const words = pattern.exec(line)?.[1].replaceAll(gap, "");
        if (!words) continue;
        keep();
        const start = now.startOffset - pattern.exec(line)[1].length - 2 * width;
        const part = document.createRange();
        part.setStart(node, start);
        part.setEnd(node, now.startOffset);
        part.deleteContents();
        const [one, next] = [make(tag, { textContent: words }), document.createTextNode(gap)];
        part.insertNode(one);
        one.after(next);
        select(next, 1);
        return;
      }
    }

    // ---- The clipboard
    root.addEventListener("paste", (event) => {
      event.preventDefault();
      const { clipboardData: from } = event;
      if (from.files.length && !from.types.includes("text/html")) return files(from.files);
      bring(from);
    });
    root.addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length) return; // the handler of files has taken them
      event.preventDefault();
      const spot = document.caretRangeFromPoint?.(event.clientX, event.clientY);
      if (spot && root.contains(spot.startContainer)) { getSelection().removeAllRanges(); getSelection().addRange(spot); }
      bring(event.dataTransfer);
    });
    function bring(from) {
      const [rich, bare] = [from.getData("text/html"), from.getData("text/plain")];
      const html = rich ? bothyEncode.pasted(rich) : bothyMarkdown(bare);
      const address = bothyEncode.safe(bare.trim());
      act(() => {
        if (!rich && address && !/\s/.test(bare.trim()) && !range()?.collapsed) return mark("a", { href: address });
        insert(html || (bare && bothyMarkdown(bare)));
      });
    }
    const files = (some) => box.dispatchEvent(new CustomEvent("bothy-files", { bubbles: true, detail: [...some] }));

    // ---- Who or what is meant: after `@` and `#`
    function complete() {
      const now = range();
      const found = now?.collapsed && leafOf(now.startContainer)?.localName !== "pre" && /(?:^|[\s(])([@#])([\p{L}\p{N}_.-]{0,30})$/u.exec(before(now));
      root.completion?.look(found ? { sign: found[1], word: found[2] } : null);
    }
    function replaceWord(length, words) {
      act(() => {
        const now = range();
        const node = now.startContainer;
        if (node.nodeType !== 3) return;
        now.setStart(node, Math.max(0, now.startOffset - length));
        insertText(words + " ");
      });
    }

    // ---- How much it is, and sending
    const counter = document.getElementById(field.dataset.count ?? "");
    const letters = globalThis.Intl?.Segmenter ? new Intl.Segmenter() : null;
    function count() {
      if (!counter) return;
      const words = text(root);
      const number = letters ? [...letters.segment(words)].length : words.length;
      counter.textContent = number ? (number === 1 ? counter.dataset.one : counter.dataset.many.replace("#1", number.toLocaleString("en"))) : "";
      const isOver = new TextEncoder().encode(bothyEncode(root)).length > +field.dataset.most;
      counter.classList.toggle("bad", isOver);
      if (isOver) counter.textContent = counter.dataset.over;
    }
    form?.addEventListener("formdata", ({ formData }) => formData.set("html", bothyEncode(root)));
    const onSelection = () => { if (root.isConnected) { if (range()) show(); } else document.removeEventListener("selectionchange", onSelection); };
    document.addEventListener("selectionchange", onSelection);
    root.addEventListener("focus", () => form?.classList.add("begun"));
    root.addEventListener("blur", () => root.completion?.look(null));
    fill(field.dataset.html || bothyMarkdown(field.value));
    show();
    count();
    if (isFirst) { root.focus(); put([...root.querySelectorAll(leaves)].at(-1), true); }
    // What other scripts may do with it.
    root.bothy = { fill: (html) => act(() => fill(html)), html: () => bothyEncode(root), replaceWord, range, box };
    globalThis.bothyCompletion?.(root);
  }

  const begun = new WeakSet(); // fields
  function begin() {
    const template = document.getElementById("rich-tools");
    if (!template) return;
    const make = (field) => { if (field.isConnected) Editor(field, template.content.firstElementChild.cloneNode(true)); };
    for (const field of document.querySelectorAll("textarea.rich-source")) {
      if (begun.has(field)) continue;
      begun.add(field);
      // What is folded is made when somebody opens it: there may be one for each comment.
      const folded = field.closest("details:not([open])");
      if (!folded) { make(field); continue; }
      folded.addEventListener("toggle", () => { make(field); folded.querySelector(".rich-text")?.focus(); }, { once: true });
    }
  }
  for (const kind of ["bothy-page", "bothy-fields"]) document.addEventListener(kind, begin); // more of them are there
  begin();
})();
