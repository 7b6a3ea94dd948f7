// Pictures and films, one after the other, over the page: each link with `data-view` in a `data-gallery` is one of them, and without this script it leads
// there. What follows a file in its folder is asked for when it is opened (`data-more`).
"use strict";
(() => {
  const dialog = document.getElementById("viewer");
  if (!dialog) return;
  const stage = dialog.querySelector(".viewer-stage");
  const part = (name) => dialog.querySelector(`[data-look=${name}]`);
  const [most, step, near, far] = [8, 2.5, 60, 110]; // times as large; what a double tap makes it; px of a finger that turn the page, and that let go
  const fill = (phrase, ...values) => values.reduce((text, value, at) => text.replaceAll(`#${at + 1}`, value), phrase);
  let [items, at, opener, shown, isOurs] = [[], 0, null, null, false];

  const itemOf = (link) => ({ link, kind: link.dataset.view, source: link.dataset.source ?? link.href, original: link.href, poster: link.dataset.poster, caption: link.dataset.caption ?? "", name: link.dataset.name ?? "" });
  function open(link) {
    const gallery = link.closest("[data-gallery]");
    const links = gallery ? [...gallery.querySelectorAll("a[data-view]")] : [link];
    [items, opener] = [links.map(itemOf), link];
    dialog.showModal();
    document.documentElement.classList.add("viewing");
    history.pushState({ ...history.state, isViewing: true }, ""); // going back closes it
    isOurs = true;
    show(links.indexOf(link));
    for (const other of document.querySelectorAll("video")) if (other !== shown) other.pause();
    shown.play?.().catch(() => {}); // a browser that does not let it shows its button
    if (link.dataset.more) more(link.dataset.more);
  }
  async function more(address) {
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null); // then it is alone
    const found = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!found?.items?.length || !dialog.open) return;
    const own = items[at];
    const place = found.at;
    if (!found.items[place]) return;
    const isOther = found.items[place].kind !== own.kind; // its page did not know what it is
    items = found.items.map((item, index) => (index === place && !isOther ? own : { link: index === place ? own.link : null, ...item }));
    at = place;
    if (isOther) return show(at);
    tell();
    preload();
  }
  // ---- One of them
  function show(to) {
    if (to < 0 || to >= items.length) return;
    at = to;
    const { kind, source, poster, caption, name } = items[at];
    shown?.pause?.();
    if (kind === "video") {
      shown = Object.assign(document.createElement("video"), { src: source, controls: true, playsInline: true, preload: "metadata" });
      if (poster) shown.poster = poster;
      shown.setAttribute("aria-label", caption || name);
    } else {
      shown = Object.assign(new Image(), { alt: caption || name, draggable: false, decoding: "async" });
      stage.classList.add("comes");
      shown.onload = () => stage.classList.remove("comes");
      shown.src = source;
    }
    shown.onerror = () => { stage.classList.remove("comes"); stage.replaceChildren(Object.assign(document.createElement("p"), { textContent: dialog.dataset.failed })); };
    stage.replaceChildren(shown);
    settle(1, 0, 0);
    tell();
    preload();
  }
  function tell() {
    const { caption, name, original, kind } = items[at];
    dialog.querySelector(".viewer-place").textContent = items.length > 1 ? fill(dialog.dataset.place, at + 1, items.length) : "";
    dialog.querySelector(".viewer-caption").textContent = caption || name;
    part("original").href = original;
    part("zoom").hidden = kind === "video";
    [part("previous").hidden, part("next").hidden] = [at === 0, at === items.length - 1];
    if (document.activeElement === document.body || !dialog.contains(document.activeElement)) part("close").focus();
  }
  const preload = () => { for (const { kind, source } of [items[at + 1], items[at - 1]].filter(Boolean)) if (kind !== "video") new Image().src = source; };
  const turn = (by) => show(at + by);

  // ---- How large it is, and where: times its size in the middle, and px from there
  let [scale, x, y] = [1, 0, 0];
  function settle(nextScale, nextX, nextY) {
    scale = Math.min(most, Math.max(1, nextScale));
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = shown ?? {};
    const [wide, high] = [Math.max(0, (width * scale - stage.clientWidth) / 2), Math.max(0, (height * scale - stage.clientHeight) / 2)];
    [x, y] = scale === 1 ? [0, 0] : [Math.min(wide, Math.max(-wide, nextX)), Math.min(high, Math.max(-high, nextY))];
    shown?.style.setProperty("transform", scale === 1 ? "none" : `translate(${x}px, ${y}px) scale(${scale})`);
    stage.classList.toggle("zoomed", scale > 1);
    if (scale > 1) sharpen(items[at]);
    part("zoom").setAttribute("aria-pressed", scale > 1);
  }
  // What is looked at closely is the thing itself, once it is there, and if the browser can show it.
  function sharpen(item) {
    if (item.isSharp || item.original === item.source) return;
    item.isSharp = true;
    const [whole, was] = [new Image(), shown];
    whole.onload = () => { if (shown === was) { was.style.width = `${was.offsetWidth}px`; was.src = item.original; item.source = item.original; } };
    whole.src = item.original;
  }
  // About a point of the screen, which stays where it is.
  function zoom(to, clientX, clientY) {
    if (items[at].kind === "video") return;
    const box = stage.getBoundingClientRect();
    const [fromX, fromY] = [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
    const next = Math.min(most, Math.max(1, to));
    settle(next, fromX - ((fromX - x) / scale) * next, fromY - ((fromY - y) / scale) * next);
  }
  const toggle = (clientX = innerWidth / 2, clientY = innerHeight / 2) => zoom(scale > 1 ? 1 : step, clientX, clientY);
  stage.addEventListener("wheel", (event) => {
    if (items[at].kind === "video") return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event.clientX, event.clientY);
  }, { passive: false });

  // ---- Fingers: one moves, two pinch, and a tap closes what is around the picture
  const fingers = new Map();
  let [start, last, tapped] = [null, null, { time: 0 }];
  const spread = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
  stage.addEventListener("pointerdown", (event) => {
    if (event.target.matches("video") || event.button) return;
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    start = { x: event.clientX, y: event.clientY, atX: x, atY: y, scale, spread: fingers.size === 2 ? spread([...fingers.values()]) : 0, on: event.target };
    last = { x: event.clientX, y: event.clientY };
  });
  stage.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId) || !start) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    last = { x: event.clientX, y: event.clientY };
    if (fingers.size === 2 && start.spread) {
      const [one, other] = [...fingers.values()];
      return zoom(start.scale * (spread([one, other]) / start.spread), (one.x + other.x) / 2, (one.y + other.y) / 2);
    }
    const [byX, byY] = [event.clientX - start.x, event.clientY - start.y];
    if (scale > 1) return settle(scale, start.atX + byX, start.atY + byY);
    if (Math.hypot(byX, byY) > 8) shown.style.setProperty("transform", Math.abs(byX) > Math.abs(byY) ? `translateX(${byX}px)` : `translateY(${Math.max(0, byY)}px)`);
  });
  function lift(event) {
    if (!fingers.delete(event.pointerId) || fingers.size || !start) return;
    const [byX, byY, wasPinch] = [last.x - start.x, last.y - start.y, start.spread > 0];
    const { on } = start;
    start = null;
    if (wasPinch || scale > 1 && Math.hypot(byX, byY) > 8) return;
    if (scale === 1 && Math.abs(byX) > near && Math.abs(byX) > Math.abs(byY)) return event.type === "pointercancel" ? settle(1, 0, 0) : swipe(byX < 0 ? 1 : -1);
    if (scale === 1 && byY > far) return close();
    if (Math.hypot(byX, byY) > 8) return settle(1, 0, 0);
    // A tap: two of them zoom.
    if (event.timeStamp - tapped.time < 300 && Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < 30) { tapped = { time: 0 }; return toggle(event.clientX, event.clientY); }
    tapped = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    if (on === stage && event.pointerType === "mouse") close();
  }
  const swipe = (by) => (items[at + by] ? turn(by) : settle(1, 0, 0));
  stage.addEventListener("pointerup", lift);
  stage.addEventListener("pointercancel", lift);

  // ---- Buttons and keys
  const full = () => document.fullscreenElement ? document.exitFullscreen() : dialog.requestFullscreen?.().catch(() => {}); // a browser that has none stays as it is
  document.addEventListener("fullscreenchange", () => part("full").setAttribute("aria-pressed", !!document.fullscreenElement));
  part("full").hidden = !document.fullscreenEnabled;
  const deeds = { previous: () => turn(-1), next: () => turn(1), close: () => close(), zoom: () => toggle(), full };
  dialog.addEventListener("click", ({ target }) => deeds[target.closest("[data-look]")?.dataset.look]?.());
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inFilm = event.target.matches("video");
    const pan = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    const deed = scale > 1 && pan ? () => settle(scale, x + pan[0], y + pan[1]) : {
      ArrowLeft: () => !inFilm && turn(-1), ArrowRight: () => !inFilm && turn(1), PageUp: () => turn(-1), PageDown: () => turn(1), Home: () => show(0), End: () => show(items.length - 1),
      "+": () => zoom(scale * 1.5, innerWidth / 2, innerHeight / 2), "-": () => zoom(scale / 1.5, innerWidth / 2, innerHeight / 2), 0: () => settle(1, 0, 0), z: () => toggle(), f: full,
    }[event.key];
    if (!deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  });
  function close() {
    if (dialog.open) dialog.close();
  }
  dialog.addEventListener("close", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    shown?.pause?.();
    stage.replaceChildren();
    document.documentElement.classList.remove("viewing");
    fingers.clear();
    if (isOurs) { isOurs = false; history.back(); }
    // Back where one was: at the one that was seen last, where the page has it.
    const link = items[at]?.link?.isConnected ? items[at].link : opener;
    link?.focus({ preventScroll: false });
  });
  addEventListener("popstate", () => { if (isOurs) { isOurs = false; close(); } });
  addEventListener("resize", () => { if (dialog.open) settle(scale, x, y); }, { passive: true });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-view]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(link);
  }, { capture: true });
})();
