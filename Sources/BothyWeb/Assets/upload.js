// Moves the bytes of chosen files to the server. What came is the server's to say: this keeps what was chosen in this tab.
"use strict";
(() => {
  const words = document.getElementById("tray")?.dataset;
  if (!words) return;
  // Requests side by side; bytes of a file that shares one; files and bytes of such a request.
  const [lanes, small, batchFiles, batchBytes] = [3, 128 << 10, 64, 4 << 20];
  const inMemory = 32 << 20; // bytes of a file that is held as a whole
  // While somebody scrolls or types the screen comes first: one request at a time, and a breath (ms) after each, until they have been calm for a while (ms).
  const [breath, calm] = [50, 500];
  // What the tray listens to: that something looks otherwise, that a name is taken, that an upload of before goes on.
  const mover = { onchange() {}, onask() {}, onjoin() {}, get all() { return uploads; }, get trouble() { return trouble; }, get out() { return out; } };
  const draw = () => { mover.onchange(); document.dispatchEvent(new Event("bothy-uploads")); };
  const lost = (error) => ["offline", "server_busy"].includes(error.code) || [408, 429, 502, 503, 504].includes(error.status);
  const full = (error) => ["quota_exceeded", "server_full", "disk_full"].includes(error?.code);
  let [uploads, token, running, attempts, trouble, forAll, renewed] = [[], words.token, 0, 0, null, null, 0];
  // Of those that were chosen since nothing was under way: how many were there already with the same content, and how many the person left out.
  const none = () => ({ there: 0, skipped: 0, stopped: 0 });
  let [out, lastBatch] = [none(), null];
  const isOver = (upload) => ["done", "failed"].includes(upload.state);
  const [waiting, active, made] = [new Set(), new Set(), new Map()];
  let [lastMove, calmed] = [-calm, null];
  const isBusyHand = () => performance.now() - lastMove < calm;
  for (const name of ["scroll", "keydown", "pointerdown"]) addEventListener(name, () => {
    lastMove = performance.now();
    clearTimeout(calmed);
    if (running) calmed = setTimeout(pump, calm);
  }, { passive: true, capture: true });

  // ---- Requests. What goes wrong is an error with the server's words, or one of ours for having no way to it.
  // - of: whose request it is, one upload or several; who stops one of them ends it.
  function call(method, url, body, headers, of, onSent) {
    const owners = [of ?? []].flat();
    return new Promise((done, fail) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      const all = { Accept: "application/json", "Bothy-Form-Token": token, "Bothy-Person": person, ...headers };
      for (const name in all) request.setRequestHeader(name, all[name]);
      Object.assign(request, { responseType: "json", timeout: 300000 });
      request.upload.onprogress = (event) => { onSent?.(event.loaded); draw(); };
      request.onload = () => {
        const [answer, isGood] = [request.response ?? {}, request.status >= 200 && request.status < 300];
        if (isGood && method !== "GET") attempts = 0;
        isGood ? done(answer) : fail({ status: request.status, words: words.refused, ...answer });
      };
      request.onerror = request.ontimeout = () => fail({ code: "offline", words: words.offline });
      request.onabort = () => fail({ code: "stopped" });
      request.onloadend = () => owners.forEach((upload) => upload.requests.delete(request));
      owners.forEach((upload) => upload.requests.add(request));
      request.send(body);
    });
  }
  const form = (url, fields, upload) => call("POST", url, new URLSearchParams({ token, ...fields }), {}, upload);
  const read = (blob) => blob.arrayBuffer().catch(() => { throw { code: "unreadable", words: words.unreadable }; });
  const person = document.getElementById("toasts").dataset.person; // what was chosen goes nowhere else, though somebody else signs in meanwhile
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  // Browsers hash for pages that come over TLS or from this machine; else the server's hashes alone are what is checked.
  const sha256 = async (bytes) => crypto.subtle && hex(await crypto.subtle.digest("SHA-256", bytes));
  // The browser's own is many times quicker, and wants the whole file in memory.
  const hashOf = async (file) => (file.size <= inMemory && (await sha256(await read(file)))) || (await ownHashing(), bothySHA256(file, read));
  // Few pages need it, so it is loaded when it is needed first.
  let hashing = null;
  const ownHashing = () => (hashing ??= new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = document.getElementById("toasts").dataset.hashing;
    script.onload = done;
    script.onerror = () => { hashing = null; fail({ code: "offline", words: words.offline }); };
    document.head.append(script);
  }));
  // The folder of a path below another, made once.
  async function inside(root, path) {
    if (!path.length) return root;
    const key = JSON.stringify([root, ...path]);
    if (!made.has(key)) {
      const name = path.at(-1);
      made.set(key, inside(root, path.slice(0, -1)).then((above) => form(`/folder/${above}/inside`, { name })));
    }
    try { return (await made.get(key)).id; } catch (error) {
      made.delete(key);
      // That a file has a folder's name is no question about what was to go into it.
      throw error.code === "name_conflict" ? { ...error, code: "not_a_folder" } : error;
    }
  }

  // ---- The queue
  function set(upload, state, more = {}) {
    Object.assign(upload, { state, ...more });
    state === "waiting" ? waiting.add(upload) : waiting.delete(upload);
    state === "sending" ? active.add(upload) : active.delete(upload);
    draw();
  }
  // - batch: what was chosen together. Who cancels a question about one of it is asked about no other.
  function add(file, root, path = [], batch = {}, more = {}) {
    if (batch !== lastBatch && uploads.every(isOver)) out = none();
    lastBatch = batch;
    const key = hex(crypto.getRandomValues(new Uint8Array(16)));
    const upload = { file, root, path, batch, key, name: file.name, size: file.size, sent: 0, flying: new Map(), requests: new Set(), samples: [] };
    uploads.push(upload);
    set(upload, "waiting", more);
    if (more.state) set(upload, more.state);
    pump();
    return upload;
  }
  function next() {
    if (trouble) return null;
    for (const upload of active) if (upload.missing?.length) return () => sendChunk(upload, upload.missing.shift());
    const [first] = waiting;
    if (!first) return null;
    const batch = [];
    if (first.size > small) batch.push(first);
    let bytes = 0;
    for (const upload of first.size > small ? [] : waiting) {
      if (upload.size > small) continue;
      if (batch.length === batchFiles || (bytes += upload.size) > batchBytes) break;
      batch.push(upload);
    }
    batch.forEach((upload) => set(upload, "sending", { missing: null }));
    return () => first.size > small ? begin(first) : sendBatch(batch);
  }
  function pump() {
    while (running < (isBusyHand() ? 1 : lanes)) {
      const work = next();
      if (!work) break;
      running += 1;
      work().finally(() => {
        running -= 1;
        isBusyHand() ? setTimeout(pump, breath) : pump();
      });
    }
    draw();
  }
  // Asks how it stands, where it was begun: the answer that told may have been lost.
  async function begin(upload) {
    const { name, size, file } = upload;
    try {
      const folder = await inside(upload.root, upload.path);
      if (upload.state !== "sending") return;
      const fields = { name, size, modified: file.lastModified, type: file.type, conflict: upload.conflict ?? "fail" };
      const at = await (upload.id ? call("GET", `/upload/${upload.id}`, null, {}, upload) : form(`/folder/${folder}/upload`, fields, upload));
      Object.assign(upload, { id: at.id, chunkSize: at.chunkSize, missing: at.missing, samples: [] });
      upload.sent = at.missing.reduce((left, index) => left - Math.min(at.chunkSize, size - index * at.chunkSize), size);
      mover.onjoin(at.id);
      if (at.file) end(upload, at.file); else if (!at.missing.length) await finish(upload);
    } catch (error) { await refuse(upload, error); }
  }
  async function sendChunk(upload, index) {
    const from = index * upload.chunkSize;
    try {
      const chunk = upload.file.slice(from, from + upload.chunkSize);
      const hash = crypto.subtle && await sha256(await read(chunk));
      if (upload.state !== "sending") return;
      const flies = (sent) => upload.flying.set(index, sent);
      const headers = hash ? { "X-Chunk-Hash": `sha256=${hash}` } : {};
      // Sent as a part of the file, which the browser reads beside the page: bytes would be copied in the page's own time.
      const answer = await call("PUT", `/upload/${upload.id}/chunk?index=${index}`, chunk, headers, upload, flies).catch(async (error) => {
        if (error.code === "offline") await read(chunk.slice(0, 1)); // a file that has changed is no lost connection
        throw error;
      });
      upload.sent += chunk.size;
      if (answer.file) end(upload, answer.file);
    } catch (error) { await refuse(upload, error); } finally { upload.flying.delete(index); }
  }
  async function sendBatch(batch) {
    const ready = [];
    for (const upload of batch) {
      const { name, file, key } = upload;
      try {
        const [parentId, bytes] = [await inside(upload.root, upload.path), await read(file)];
        const meta = { requestId: key, name, parentId, size: bytes.byteLength, mimeType: file.type || undefined, modifiedAt: new Date(file.lastModified).toISOString(), fileHashSha256: await sha256(bytes), conflict: upload.conflict ?? "fail" };
        const said = new TextEncoder().encode(JSON.stringify(meta));
        const head = new DataView(new ArrayBuffer(8)); // two lengths, as `BatchHead` has them
        [said.length, bytes.byteLength].forEach((length, at) => head.setUint32(4 * at, length));
        ready.push({ upload, parts: [head, said, bytes] });
      } catch (error) { await refuse(upload, error); }
    }
    // What was stopped while it was read stays here.
    const sent = ready.filter(({ upload }) => upload.state === "sending");
    const going = sent.map(({ upload }) => upload);
    try {
      const type = { "Content-Type": "application/octet-stream" };
      const { items } = going.length ? await call("POST", "/uploads/batch", new Blob(sent.flatMap(({ parts }) => parts)), type, going) : { items: [] };
      for (const [at, item] of items.entries()) item.file ? end(going[at], item.file) : await refuse(going[at], item.refused);
    } catch (error) {
      // What went with one that was stopped goes again: under its own id, so it is there once.
      for (const upload of going) if (error.code !== "stopped") await refuse(upload, error); else if (upload.state === "sending") set(upload, "waiting");
    }
  }
  async function finish(upload) {
    const { file } = await form(`/upload/${upload.id}/finish`, { conflict: upload.conflict ?? "fail" }, upload);
    end(upload, file);
  }
  // - item: the file that it is by now.
  const end = (upload, item) => set(upload, "done", { sent: upload.size, file: null, item });
  async function refuse(upload, error) {
    if (upload.state !== "sending") return; // it was stopped, or another of its chunks was refused
    if (error.code === "name_conflict") {
      if (!upload.conflict) return meet(upload, error);
      return upload.id ? finish(upload).catch((again) => unhelped(upload, again)) : unhelped(upload, error);
    }
    if (lost(error) || error.code === "sign_in_needed") { set(upload, "waiting"); return hold(error); }
    if (["parent_gone", "not_found"].includes(error.code)) made.clear();
    if (upload.id && ["session_expired", "not_found"].includes(error.code)) return set(upload, "waiting", { id: null });
    set(upload, "failed", { error });
    if (full(error)) hold(error);
  }
  // The name is taken. What has it may be the same file, of a batch that was broken off: then there is nothing to ask, and nothing to send.
  async function meet(upload, error) {
    upload.isCompared = true;
    draw();
    try {
      const isThere = await isSame(upload, error.taken);
      if (upload.state !== "sending") return;
      // What a post shows goes to where posts have their pictures: nobody need be asked what it is called there.
      if (upload.isForPost) return isThere ? end(upload, error.taken) : set(upload, "waiting", { conflict: "fork" });
      isThere ? leaveOut(upload, "there") : ask(upload, error);
    } catch (failure) {
      await refuse(upload, failure);
    } finally { upload.isCompared = false; }
  }
  async function isSame(upload, taken) {
    const gone = (failure) => { if (["not_found", "not_a_file"].includes(failure.code)) return {}; throw failure; }; // or a folder
    const there = taken ? await call("GET", `/file/${taken}/holds`, null, {}, upload).catch(gone) : {};
    return there.size === upload.size && (!upload.size || there.sha256 === (await hashOf(upload.file)));
  }
  // - isFolder: what has the name now; a repeat may have met something else before.
  function ask(upload, error, isFolder = false) {
    if (upload.batch.asksNoMore) return leaveOut(upload, "stopped");
    Object.assign(upload, { isFolder, taken: error.taken ?? upload.taken });
    if (forAll && suits(upload, forAll)) return settle(upload, forAll);
    set(upload, "asking", { conflict: null });
    mover.onask();
  }
  // It was answered, and that does not help. No file replaces a folder: what else is to become of it is asked then.
  function unhelped(upload, error) {
    if (error.code !== "name_conflict" || upload.conflict !== "overwrite") return set(upload, "failed", { error, conflict: null }); // who tries again is asked again
    ask(upload, error, true);
  }
  const suits = (upload, answer) => answer !== "overwrite" || !upload.isFolder;
  // Nothing goes until that is settled: by itself where it is the connection, else by the person.
  function hold(error) {
    if (trouble) return;
    // A server that asks to wait (429) says why; any other break is told as one.
    trouble = lost(error) ? { ...(error.status === 429 ? error : { words: words.offline }), isLost: true } : error;
    if (lost(error)) setTimeout(again, Math.min(30000, 1000 * 2 ** attempts++) * (0.75 + Math.random() / 2));
    else if (error.code === "sign_in_needed" && Date.now() - renewed > 5000) look().then(settled, (refused) => { trouble = refused; draw(); });
    draw();
  }
  // A server that refuses a body may cut it off without a word: what is small, and asked first, tells whether it was the connection.
  function again() {
    if (!trouble?.isLost) return;
    look().then(settled, (refused) => {
      trouble = null;
      lost(refused) || refused.code === "sign_in_needed" ? hold(refused) : settled();
    });
  }
  // A new mark for forms, and what was begun from this browser before, as rows.
  async function look() {
    renewed = Date.now();
    const { token: fresh, rows } = await call("GET", "/uploads");
    token = fresh;
    return rows;
  }
  function settled() {
    trouble = null;
    uploads.filter((one) => one.state === "failed" && full(one.error)).forEach((one) => set(one, "waiting"));
    pump();
  }
  function settle(upload, answer) {
    if (answer !== "skip") return set(upload, "waiting", { conflict: answer });
    leaveOut(upload, "skipped");
  }
  // Of what was chosen together, whatever has a name that is taken stays out. The rest goes on.
  function stop({ batch }) {
    batch.asksNoMore = true;
    uploads.filter((one) => one.batch === batch && one.state === "asking").forEach((one) => leaveOut(one, "stopped"));
  }
  function leaveOut(upload, why) {
    out[why] += 1;
    drop(upload);
  }
  function drop(upload) {
    set(upload, "gone");
    upload.requests.forEach((request) => request.abort());
    if (upload.id && upload.file) form(`/upload/${upload.id}/cancel`, {}).catch(() => {}); // it ends by itself in a day
    uploads = uploads.filter((one) => one !== upload);
  }
  function sentOf(upload) {
    let sent = upload.sent;
    for (const bytes of upload.flying.values()) sent += bytes;
    return Math.min(upload.size, sent);
  }
  const pause = (upload) => { set(upload, "paused"); upload.requests.forEach((request) => request.abort()); };
  function anew(upload) {
    drop(upload);
    add(upload.file, upload.root, upload.path, {}, { conflict: upload.conflict });
  }
  // What has the name, and what is to have it, in words.
  const beside = ({ taken, size, file }) => call("GET", `/file/${taken}/beside?size=${size}&modified=${file.lastModified}`);
  const giveUp = (id) => form(`/upload/${id}/cancel`, {});
  const clear = () => { [uploads, out] = [[], none()]; };
  const rest = () => { forAll = null; made.clear(); };
  addEventListener("online", () => { if (trouble?.isLost) settled(); });
  globalThis.bothyUploads = Object.assign(mover, {
    add, pump, settle, suits, stop, drop, pause, anew, beside, giveUp, clear, rest, look, inside, sentOf, small,
    settled: () => { renewed = 0; settled(); }, resume: (upload) => set(upload, "waiting"), forAll: (answer) => { forAll = answer; },
  });
})();
