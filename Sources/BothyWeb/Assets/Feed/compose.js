// What a post shows: pictures and films that are picked, dropped or pasted go into the drive by the uploads that there are (upload.js), or are chosen among
// what is there, which moves no byte. What was attached is in the form, as it would be without this script.
"use strict";
(() => {
  const fill = (phrase, ...values) => values.reduce((text, value, at) => text.replaceAll(`#${at + 1}`, () => value), phrase);
  const isMedia = (file) => /^(image|video)\//.test(file.type);

  // - who: the field; people: the boxes, of whom those that are found are shown, and those that are chosen.
  // - Returns: `add`, for people whom the page does not have yet.
  function finding(who, people, nobody) {
    let [timer, turn] = [null, 0];
    who.removeAttribute("name"); // what is typed here is no part of the post
    const boxes = () => [...people.querySelectorAll("[name=to]")];
    function box({ id, more }) {
      const label = Object.assign(document.createElement("label"), { className: "switched" });
      const input = Object.assign(document.createElement("input"), { type: "checkbox", name: "to", value: id });
      input.dataset.name = more;
      label.append(input, Object.assign(document.createElement("bdi"), { textContent: more }));
      people.append(label);
    }
    function add(all) {
      const known = new Set(boxes().map(({ value }) => value));
      for (const one of all) if (!known.has(one.id)) box(one);
    }
    function show(found) {
      for (const one of boxes()) one.parentElement.hidden = !!found && !one.checked && !found.some(({ id }) => id === one.value);
      nobody.hidden = !found || found.length > 0;
    }
    async function find() {
      const [word, mine] = [who.value.trim(), turn += 1];
      if (!word) return show(null);
      const answer = await fetch(`/feed/complete?people=${encodeURIComponent(word)}`, { headers: { Accept: "application/json" } }).catch(() => null);
      const told = answer?.ok ? await answer.json().catch(() => null) : null;
      if (mine !== turn || !told) return; // something else was typed since; or nobody answers, and all are shown still
      add(told.items);
      show(told.items);
    }
    who.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(find, 120); });
    who.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // or it would post
      const first = who.value.trim() && boxes().find((one) => !one.checked && !one.parentElement.hidden);
      if (!first) return;
      first.click();
      who.value = "";
      show(null);
    });
    if (who.value) find();
    return { add };
  }

  function begin() {
    const form = document.querySelector("form.composer");
    const list = form?.querySelector("#attached");
    if (!list || form.isBegun) return;
    form.isBegun = true;
    const words = form.dataset;
    const mover = globalThis.bothyUploads;
    const tray = document.getElementById("tray")?.dataset ?? {};
    const template = form.querySelector("#attached-row");
    const reminder = form.querySelector(".reminder");
    const dialog = document.getElementById("from-files");
    const most = +words.most;
    const uploads = new Map(); // by its row
    let [numbers, isMeant, isTold] = [0, null, false]; // the button by which it is to be posted; whether it was told what has no description
    form.querySelectorAll(".scripted").forEach((part) => { part.hidden = false; });
    const rows = () => [...list.children];
    const field = (row, name) => row.querySelector(`[name=${name}]`);
    const tell = (text) => { reminder.textContent = text; reminder.hidden = !text; };
    const busy = () => rows().filter((row) => uploads.has(row));

    // ---- Rows
    function row({ id = "", name, kind }) {
      const one = template.content.firstElementChild.cloneNode(true);
      const key = id || `new-${numbers += 1}`;
      one.classList.replace("image", kind);
      one.querySelector(".name").textContent = name;
      const [label, caption] = [one.querySelector("label"), field(one, "caption")];
      label.htmlFor = caption.id = `caption-${key}`;
      field(one, "file").value = id;
      one.querySelector("use").setAttribute("href", one.querySelector("use").getAttribute("href").replace(/#.*/, `#${kind}`));
      for (const part of one.querySelectorAll("[aria-label]")) part.setAttribute("aria-label", `${part.getAttribute("aria-label").replace(/: *$/, "")}: ${name}`);
      if (id) one.querySelector(".thumb").prepend(Object.assign(new Image(), { src: `/file/${id}/content?quality=thumbnail`, alt: "" }));
      one.querySelectorAll(".scripted").forEach((part) => { part.hidden = false; });
      list.append(one);
      isTold = false;
      tell("");
      return one;
    }
    // For what was kept of it (drafts.js).
    form.bothyRows = {
      replace: (all) => {
        for (const upload of uploads.values()) mover.drop(upload);
        uploads.clear();
        list.replaceChildren();
        for (const { id, name, kind, caption } of all) field(row({ id, name, kind }), "caption").value = caption;
      },
    };
    function room(count) {
      if (list.children.length + count <= most) return count;
      tell(fill(words.tooMany, most));
      return Math.max(0, most - list.children.length);
    }
    // A picture of what is still here. On a canvas: the page shows no picture that is not the server's.
    async function sketch(thumb, file) {
      const picture = await createImageBitmap(file, { resizeWidth: 160 }).catch(() => null); // what the browser cannot draw keeps the sign of its kind
      if (!picture || thumb.querySelector("img")) return;
      const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
      canvas.getContext("2d").drawImage(picture, 0, 0);
      thumb.prepend(canvas);
    }
    function add(files) {
      const good = files.filter(isMedia);
      const bad = files.find((file) => !isMedia(file));
      const fits = good.slice(0, room(good.length));
      if (bad) tell(fill(words.notMedia, bad.name));
      const batch = {};
      for (const file of fits) {
        const one = row({ name: file.name, kind: file.type.split("/")[0] });
        if (bad) tell(fill(words.notMedia, bad.name));
        sketch(one.querySelector(".thumb"), file);
        uploads.set(one, mover.add(file, "root", [words.folder], batch, { isForPost: true }));
      }
      draw();
    }
    // ---- How far each is
    function draw() {
      for (const [one, upload] of uploads) {
        const [bar, detail, retry] = [one.querySelector("progress"), one.querySelector(".detail"), one.querySelector("[data-attached=retry]")];
        if (upload.state === "done" && upload.item) {
          field(one, "file").value = upload.item;
          one.querySelector("[data-attached=remove]").value = upload.item;
          [bar.hidden, detail.textContent, retry.hidden] = [true, "", true];
          uploads.delete(one);
          continue;
        }
        const [sent, isFailed] = [mover.sentOf(upload), upload.state === "failed"];
        [bar.hidden, bar.value, retry.hidden] = [isFailed, upload.size ? (100 * sent) / upload.size : 0, !isFailed];
        const trouble = mover.trouble && upload.state !== "done" ? mover.trouble.words : null;
        const said = isFailed ? upload.error?.words : trouble ?? (upload.state === "waiting" ? tray.waiting : `${Math.floor(bar.value)}%`);
        if (detail.textContent !== said) detail.textContent = said ?? "";
        one.classList.toggle("failed", isFailed);
      }
      if (!isMeant) return;
      if (busy().some((one) => uploads.get(one).state === "failed")) { isMeant = null; return tell(""); }
      if (busy().length) return tell(fill(words.waits, rows().length - busy().length, rows().length));
      const button = isMeant;
      isMeant = null;
      tell("");
      form.requestSubmit(button);
    }
    // ---- What is done with a row
    list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-attached]");
      if (!button) return;
      event.preventDefault();
      const one = button.closest(".attachment");
      const [above, below] = [one.previousElementSibling, one.nextElementSibling];
      const deeds = {
        up: () => above?.before(one), down: () => below?.after(one), retry: () => { mover.resume(uploads.get(one)); mover.pump(); },
        remove: () => { const upload = uploads.get(one); uploads.delete(one); if (upload) mover.drop(upload); one.remove(); tell(""); },
      };
      deeds[button.dataset.attached]();
      if (one.isConnected) return button.focus();
      ((below ?? above)?.querySelector("[name=caption]") ?? form.querySelector(".rich-text"))?.focus();
      draw();
    });
    // ---- Where they come from
    form.querySelector("[data-attach]").addEventListener("change", ({ target }) => { add([...target.files]); target.value = ""; });
    form.addEventListener("bothy-files", ({ detail }) => add(detail));
    form.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = "copy";
      form.classList.add("dropping");
    });
    form.addEventListener("dragleave", (event) => { if (!form.contains(event.relatedTarget)) form.classList.remove("dropping"); });
    form.addEventListener("drop", (event) => {
      form.classList.remove("dropping");
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      event.stopPropagation();
      add([...event.dataTransfer.files]);
    });
    // ---- Among one's files
    async function show(folder) {
      const place = document.getElementById("from-files-list");
      const answer = await bothyAsk(`/feed/new/files${folder ? `?folder=${encodeURIComponent(folder)}` : ""}`).catch(() => null);
      if (!answer) return document.dispatchEvent(new Event("bothy-unanswered"));
      if (answer.redirected || answer.status === 204) return location.reload();
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text();
      const piece = holder.content.querySelector("[data-put]");
      if (!piece) return document.dispatchEvent(new Event("bothy-unanswered"));
      place.replaceChildren(piece.content);
      if (!dialog.open) dialog.showModal();
      place.querySelector("h3")?.focus();
    }
    form.querySelector("[data-attach=files]").addEventListener("click", () => { chosen.clear(); show(); });
    const chosen = new Map(); // over all folders that were looked into
    dialog.addEventListener("click", ({ target }) => { const button = target.closest("[data-folder]"); if (button) show(button.dataset.folder); });
    dialog.addEventListener("change", ({ target }) => target.checked ? chosen.set(target.value, target.dataset) : chosen.delete(target.value));
    dialog.addEventListener("close", () => {
      const known = new Set(rows().map((one) => field(one, "file").value));
      if (dialog.returnValue === "attach") {
        const fresh = [...chosen].filter(([id]) => !known.has(id));
        for (const [id, { name, kind }] of fresh.slice(0, room(fresh.length))) row({ id, name, kind });
      }
      dialog.returnValue = "";
    });
    // ---- Who will see it, by name
    const [named, lists] = [form.querySelector(".for-people"), new Intl.ListFormat("en")];
    function name() {
      const chosen = [...form.querySelectorAll("[name=to]:checked")].map((box) => box.dataset.name);
      named.textContent = chosen.length ? fill(named.dataset.named, lists.format([...chosen, named.dataset.you])) : named.dataset.none;
    }
    form.querySelector(".to-people")?.addEventListener("change", name);
    if (named) name();
    // ---- Whom to choose: the server knows who is there, and is asked while one types
    const who = form.querySelector("#who");
    if (who) form.bothyPeople = finding(who, form.querySelector("#to-list"), form.querySelector("#to-nobody"));
    // ---- Posting: once all of it is there, and after what has no description was told once
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "publish" && event.submitter) return;
      if (form.isLeaving) return;
      const hold = () => { event.preventDefault(); event.stopImmediatePropagation(); };
      const bare = rows().filter((one) => !field(one, "caption").value.trim());
      if (bare.length && !isTold && words.noAltOne) { // what is edited was told before
        hold();
        isTold = true;
        tell(bare.length === 1 ? words.noAltOne : fill(words.noAltMany, bare.length));
        return field(bare[0], "caption").focus();
      }
      if (!busy().length) return;
      hold();
      for (const one of busy()) if (uploads.get(one).state === "failed") mover.resume(uploads.get(one));
      mover.pump();
      isMeant = event.submitter ?? form.querySelector("[data-main]");
      draw();
    });
    // ---- A post that is there has no draft: what was changed in it is not left unasked
    if (!("keeps" in words)) {
      const look = () => JSON.stringify([form.querySelector(".rich-text")?.bothy?.html(), rows().map((one) => [field(one, "file").value, field(one, "caption").value])]);
      let came = form.querySelector(":scope > .notice") ? null : look(); // what was refused is nowhere but here
      function ask(event) {
        if (!form.isConnected) return removeEventListener("beforeunload", ask);
        if (look() !== came) event.preventDefault();
      }
      addEventListener("beforeunload", ask);
      addEventListener("submit", (event) => { if (event.target === form && !event.defaultPrevented) came = look(); }); // it has gone
    }
    const listen = () => form.isConnected ? draw() : document.removeEventListener("bothy-uploads", listen);
    document.addEventListener("bothy-uploads", listen);
    list.addEventListener("error", ({ target }) => { if (target.matches("img")) target.remove(); }, { capture: true }); // the sign of its kind is below it
    draw();
  }
  document.addEventListener("bothy-page", begin);
  begin();
})();
