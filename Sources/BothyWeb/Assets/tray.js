// What a person chooses to upload, and what they see of it. The bytes are moved by upload.js.
"use strict";
(() => {
  const mover = globalThis.bothyUploads;
  if (!mover) return;
  const $ = (id) => document.getElementById(id);
  const on = (name, listen, target = document) => target.addEventListener(name, listen);
  const [tray, list, dialog] = [$("tray"), $("uploads"), $("taken")];
  const words = tray.dataset;
  const fill = (phrase, ...values) => values.reduce((text, value, at) => text.replaceAll(`#${at + 1}`, () => value), phrase);
  // Marks that turn text round are spelt out, as the server spells them.
  const shownName = (name) => name.replace(/[\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\u061C\uFEFF\u00AD]/g, (mark) => `⟨U+${mark.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
  const mostRows = 50; // that are drawn, of however many there are

  // ---- Choosing: by the pickers, by dropping, by pasting. What is chosen goes into the folder that is open.
  const folder = () => $("rows")?.dataset.folder;
  on("click", ({ target }) => {
    const button = target.closest?.("[data-pick]");
    const open = document.querySelector(".adding[open]");
    if (open && !target.closest?.("summary")) open.open = false;
    if (button) $("pickers").querySelector(`[data-pick=${button.dataset.pick}]`).click();
  });
  on("focusin", ({ target }) => {
    const open = document.querySelector(".adding[open]");
    if (open && !open.contains(target)) open.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector(".adding[open]");
    if (!open) return;
    event.stopPropagation(); // what is chosen in the list stays so
    open.open = false;
    open.querySelector("summary").focus();
  }, { capture: true });
  on("change", ({ target }) => {
    const batch = {};
    for (const file of target.files) mover.add(file, folder(), file.webkitRelativePath.split("/").slice(0, -1), batch);
    target.value = "";
  }, $("pickers"));
  on("paste", (event) => {
    const files = [...event.clipboardData.files];
    if (!files.length || !folder() || event.target.closest?.("input, textarea")) return;
    event.preventDefault();
    const moment = new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
    // Browsers call every pasted picture the same.
    const name = (file) => file.name === "image.png" ? `${words.pasted} ${moment}.png` : file.name;
    const batch = {};
    for (const file of files) mover.add(new File([file], name(file), { type: file.type, lastModified: file.lastModified }), folder(), [], batch);
  });
  async function walk(entry, root, path, batch) {
    try {
      if (entry instanceof File) return mover.add(entry, root, path, batch);
      if (entry.isFile) return mover.add(await new Promise((done, fail) => entry.file(done, fail)), root, path, batch);
      const [reader, within] = [entry.createReader(), [...path, entry.name]];
      const some = () => new Promise((done, fail) => reader.readEntries(done, fail));
      let count = 0;
      for (let entries = await some(); entries.length; entries = await some()) {
        count += entries.length;
        for (const one of entries) await walk(one, root, within, batch);
      }
      if (!count) await mover.inside(root, within);
    } catch (error) {
      const failure = error.words ? error : { words: words.unreadable };
      mover.add({ name: entry.name, size: 0 }, root, path, batch, { state: "failed", error: failure, isGone: true });
    }
  }
  // Where it would land: a folder in the list, or the one that is open.
  let isOurs = false; // what is dragged: a row of the list, which moves
  on("dragstart", () => { isOurs = true; });
  on("dragend", () => { isOurs = false; });
  on("pointermove", ({ buttons }) => { if (!buttons) isOurs = false; }); // of a row that has gone meanwhile
  function landing(event) {
    if (isOurs || !event.dataTransfer?.types.includes("Files")) return null;
    event.preventDefault(); // else the browser would leave the app for the file
    if (!folder()) { event.dataTransfer.dropEffect = "none"; return null; }
    document.querySelector(".goal")?.classList.remove("goal");
    const row = event.target.closest?.(".row:has(.kind.folder)");
    row?.classList.add("goal");
    return row?.dataset.id ?? folder();
  }
  on("dragover", (event) => {
    if (!landing(event)) return;
    const name = document.querySelector(".goal .name") ?? document.querySelector("h1 bdi");
    $("landing").textContent = fill(words.drop, name.textContent);
    $("landing").hidden = false;
    document.body.classList.add("landing-here");
  });
  const leave = () => {
    $("landing").hidden = true;
    document.body.classList.remove("landing-here");
    document.querySelector(".goal")?.classList.remove("goal");
  };
  on("dragleave", (event) => { if (!event.relatedTarget) leave(); });
  on("drop", async (event) => {
    const root = landing(event);
    leave();
    if (!root) return;
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean);
    const batch = {};
    for (const entry of entries) await walk(entry, root, [], batch);
  });

  // ---- A name that is taken
  let later = null; // when it is asked about again, whether there is time for it
  mover.onask = () => {
    const upload = mover.all.find((one) => one.state === "asking");
    if (!upload || dialog.open) return;
    // A person who types something, or is asked something else, ends that first: the keys are not meant for this.
    const isBusy = document.querySelector("dialog[open]") || document.activeElement?.matches("input:not([type=checkbox], [type=radio]), textarea");
    if (isBusy) return void (later ??= setTimeout(() => { later = null; mover.onask(); }, 300));
    $("taken-title").textContent = fill(words.taken, pathOf(upload));
    dialog.querySelector("form").reset();
    // No file replaces a folder.
    upload.isFolder ||= !!document.querySelector(`.row[data-id="${CSS.escape(upload.taken ?? "")}"] .kind.folder`);
    const [replaces, keeps] = dialog.querySelectorAll("[name=conflict]");
    replaces.parentElement.hidden = upload.isFolder;
    (upload.isFolder ? keeps : replaces).checked = true;
    Object.assign(dialog, { asked: upload, returnValue: "" });
    showBoth(upload);
    dialog.showModal();
  };
  // Which is the larger, and the newer; a question that can be answered without.
  async function showBoth(upload) {
    const place = $("beside");
    place.hidden = true;
    const both = upload.taken && (await mover.beside(upload).catch(() => null));
    if (!both || dialog.asked !== upload) return;
    [place.children[0].textContent, place.children[1].textContent] = [both.there, both.new];
    place.hidden = false;
  }
  on("close", () => {
    const { conflict: { value: answer }, all } = dialog.querySelector("form").elements;
    if (dialog.returnValue !== "upload") mover.stop(dialog.asked);
    else {
      if (all.checked) mover.forAll(answer);
      const asked = all.checked ? mover.all.filter((one) => one.state === "asking") : [dialog.asked];
      asked.filter((one) => mover.suits(one, answer)).forEach((one) => mover.settle(one, answer));
    }
    mover.onask();
    mover.pump();
  }, dialog);

  // ---- The tray
  const each = (states, deed) => mover.all.filter((one) => states.includes(one.state)).forEach(deed);
  const deeds = {
    pause: mover.pause, resume: mover.resume, retry: mover.resume, anew: mover.anew, cancel: mover.drop,
    settled: mover.settled, "pause-all": () => each(["waiting", "sending"], mover.pause),
    "resume-all": () => each(["paused"], mover.resume),
    clear: () => { mover.clear(); list.replaceChildren(); },
    fold: (_, button) => button.setAttribute("aria-expanded", !tray.classList.toggle("folded")),
  };
  on("click", ({ target }) => {
    const [button, row] = [target.closest("[data-do]"), target.closest(".upload")];
    if (!button) return;
    const upload = mover.all.find((one) => row && one.row === row);
    if (row && !upload) mover.giveUp(row.dataset.session).then(() => row.remove(), () => {}).finally(draw);
    else deeds[button.dataset.do](upload, button);
    mover.pump();
    if (row && (!row.isConnected || button.hidden)) tray.querySelector("[data-do=fold]").focus();
  }, tray);
  function size(bytes) {
    let unit = 0;
    for (; bytes >= (unit ? 999.95 : 1000) && unit < 4; unit += 1) bytes /= 1000;
    return `${unit && bytes < 99.95 ? +bytes.toFixed(1) : Math.round(bytes)} ${words.units.split(" ")[unit]}`;
  }
  // «3.2 MB of 10 MB · 1.2 MB/s · 6 s left», by what went in the last seconds.
  function progress(sent, total, samples) {
    const now = performance.now() / 1000;
    while (samples[0]?.[0] < now - 8) samples.shift();
    if (!samples.length || now - samples.at(-1)[0] > 0.2) samples.push([now, sent]);
    const [since, rate] = [now - samples[0][0], (sent - samples[0][1]) / (now - samples[0][0])];
    const parts = [fill(words.sent, size(sent), size(total))];
    if (since < 0.5 || !(rate > 0)) return parts[0];
    const left = Math.ceil((total - sent) / rate);
    const [phrase, unit] = left < 60 ? ["seconds", 1] : left < 3600 ? ["minutes", 60] : ["hours", 3600];
    return [...parts, fill(words.rate, size(rate)), fill(words[phrase], Math.ceil(left / unit))].join(" · ");
  }
  const spoiled = ["integrity_mismatch", "source_changed", "session_expired"]; // what came is worth nothing
  const said = (error) => [error?.words, error?.remedy].filter(Boolean).join(" ");
  const details = {
    sending: (one) => one.isCompared ? words.comparing : mover.trouble && !one.requests.size && one.size > mover.small ? words.held : mover.sentOf(one) < one.size ? progress(mover.sentOf(one), one.size, one.samples) : words.finishing,
    waiting: () => mover.trouble ? words.held : words.waiting, paused: () => words.paused, asking: () => words.asking,
    failed: (one) => one.error === mover.trouble ? one.error.words : said(one.error), done: (one) => size(one.size),
  };
  const pathOf = ({ path, name }) => shownName([...path, name].join("/"));
  function paintRow(one) {
    const row = (one.row ??= $("upload-row").content.firstElementChild.cloneNode(true));
    const name = pathOf(one);
    row.className = `upload ${one.state}`;
    row.querySelector(".name").textContent = name;
    row.querySelector(".detail").textContent = details[one.state](one);
    const bar = row.querySelector("progress");
    [bar.value, bar.ariaLabel] = [one.size ? (100 * mover.sentOf(one)) / one.size : 100, name];
    const shows = {
      pause: ["sending", "waiting"].includes(one.state) && one.size > mover.small, resume: one.state === "paused",
      retry: one.state === "failed" && !one.isGone, anew: one.state === "failed" && spoiled.includes(one.error.code), cancel: one.state !== "done",
    };
    for (const button of row.querySelectorAll("[data-do]")) button.hidden = !shows[button.dataset.do];
    return row;
  }
  const samples = [];
  function paint() {
    const by = { failed: [], sending: [], asking: [], paused: [], waiting: [], done: [] };
    for (const one of mover.all) by[one.state].push(one);
    const going = mover.all.length - by.failed.length - by.done.length;
    const before = [...list.children].filter((row) => row.dataset.session);
    // What did not go is seen first; the rest stands as it was chosen, as long as all of it is shown.
    const isAll = mover.all.length <= mostRows;
    const shown = isAll ? [...by.failed, ...mover.all.filter((one) => one.state !== "failed")] : Object.values(by).flat().slice(0, mostRows);
    const rows = [...before, ...shown.map(paintRow)];
    if (rows.length !== list.children.length || rows.some((row, at) => row !== list.children[at])) {
      const focus = document.activeElement;
      list.replaceChildren(...rows);
      if (tray.contains(focus)) focus.focus();
    }
    const isPaused = going > 0 && going === by.paused.length;
    const [name, count] = going ? [isPaused ? "paused" : "uploading", going] : by.failed.length ? ["failed", by.failed.length] : ["uploaded", by.done.length];
    // What was left out is said when the rest is there.
    const phrase = (kind) => words[kind + (mover.out[kind] === 1 ? "One" : "Many")] ?? words[kind];
    const out = Object.keys(mover.out).filter((kind) => !going && mover.out[kind]).map((kind) => fill(phrase(kind), mover.out[kind].toLocaleString())).join(" · ");
    const what = count ? fill(words[name + (count === 1 ? "One" : "Many")], count.toLocaleString()) : out || tray.ariaLabel;
    const counted = mover.all.filter((one) => one.state !== "failed" && !one.isPast);
    const [sent, total] = [mover.sentOf, (one) => one.size].map((of) => counted.reduce((sum, one) => sum + of(one), 0));
    $("tray-what").textContent = what;
    $("tray-how").textContent = by.sending.length && mover.all.length > 1 ? progress(sent, total, samples) : count ? out : "";
    if (!going) { samples.length = 0; mover.rest(); }
    if (!going && by.done.some((one) => !one.isPast)) {
      by.done.forEach((one) => (one.isPast = true)); // what comes next is counted by itself
      showRoom();
    }
    $("tray-all").value = total ? (1000 * sent) / total : 1000;
    $("tray-all").hidden = !going;
    $("tray-trouble").hidden = !mover.trouble;
    $("tray-trouble").querySelector("p").textContent = said(mover.trouble);
    $("tray-trouble").querySelector("a").hidden = mover.trouble?.code !== "sign_in_needed";
    const heard = count && out ? `${what} · ${out}` : what;
    if ($("tray-said").textContent !== heard) $("tray-said").textContent = heard;
    const shows = { "pause-all": by.sending.length + by.waiting.length > 0, "resume-all": by.paused.length > 0, clear: !going };
    for (const button of tray.querySelectorAll(".tray-head .tool")) button.hidden = !shows[button.dataset.do];
    tray.hidden = !rows.length && !out;
    document.body.classList.toggle("has-tray", !tray.hidden);
  }
  let drawing;
  function draw() { drawing ??= setTimeout(() => { drawing = null; paint(); }, 100); }
  mover.onchange = draw;
  mover.onjoin = (id) => list.querySelector(`[data-session="${CSS.escape(id)}"]`)?.remove();

  // ---- What was begun before and broken off; but not what another tab is sending just now, which says so when asked.
  const tabs = new BroadcastChannel("bothy-uploads");
  tabs.onmessage = ({ data }) => {
    if (data.asks) return tabs.postMessage({ going: mover.all.filter((one) => one.file).map((one) => one.id) });
    data.going.forEach(mover.onjoin);
    draw();
  };
  mover.look().then((rows) => {
    const holder = document.createElement("template");
    holder.innerHTML = rows;
    if (!holder.content.children.length) return;
    list.prepend(...holder.content.children);
    tabs.postMessage({ asks: true });
    setTimeout(draw, 300); // not shown before the others had their say
  }, () => {}); // nothing to tell: an upload that fails says what is wrong

  // ---- While bytes go, or are to go on, other pages come into this one: leaving it would stop them.
  const isGoing = () => mover.all.some((one) => !["done", "failed"].includes(one.state));
  on("beforeunload", (event) => { if (isGoing()) event.preventDefault(); }, window);
  let [here, turn] = [location.pathname + location.search, 0];
  const room = [".room a span:last-child", ".account .meter"];
  async function read(link) {
    const answer = await fetch(link, { redirect: "manual" }).catch(() => null); // what redirects is no page of ours
    return answer && answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  }
  const take = (page, parts) => parts.forEach((part) => page.querySelector(part) && document.querySelector(part)?.replaceWith(page.querySelector(part)));
  // What is used by now, after something has come.
  async function showRoom() {
    const page = await read("/search"); // the least of all pages
    if (page) take(page, room);
  }
  // This page stays, under its own address: another would come without what is on its way.
  function unanswered() {
    history.replaceState(null, "", here);
    document.dispatchEvent(new Event("bothy-unanswered"));
  }
  async function go(link) {
    const mine = (turn += 1);
    const page = await read(link);
    if (mine !== turn) return; // the person has gone on elsewhere
    if (page === null) return unanswered();
    if (!page || !page.getElementById("tray")) return location.assign(link);
    here = link;
    take(page, ["#main", ".places", ".own", ...room]);
    [document.title, document.body.className] = [page.title, page.body.className];
    // What the other page looks like and runs, and this one does not yet.
    for (const { href } of page.querySelectorAll("link[rel=stylesheet]")) {
      if ([...document.styleSheets].some((one) => one.href === href)) continue;
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    }
    for (const { src } of page.querySelectorAll("script[src]")) {
      if ([...document.scripts].some((one) => one.src === src)) continue;
      document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
    scrollTo(0, 0);
    $("main").focus({ preventScroll: true });
    document.dispatchEvent(new Event("bothy-page"));
    draw();
  }
  on("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const isOurs = link && link.origin === location.origin && !link.target && !link.hasAttribute("download");
    if (!isOurs || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !isGoing()) return;
    const to = link.pathname + link.search;
    if (to === here && link.hash) return;
    event.preventDefault();
    history.pushState(null, "", to);
    go(to);
  });
  on("popstate", () => { if (location.pathname + location.search !== here) go(location.pathname + location.search); }, window);
})();
