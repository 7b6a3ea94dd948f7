// The service worker of a server's web app: it keeps what was looked at last, and what is to be sent, for a browser without a connection. What stands before
// this, `shell`, is written by the server: the addresses of what pages are made with, and the words that are said here.
// What it keeps belongs to one sign-in. Another one, none, or fourteen days without the server empty it.
"use strict";
const [pagesName, mediaName, shellName] = ["pages", "media", "shell-" + shell.version];
const [mostPages, mostMedia, mostDays, mostWaiting] = [60, 240, 14, 200];
const patience = 5; // failures of the server, after which what it fails at goes behind the rest
const pageOf = /^\/(?:feed(?:\/bookmarks)?|posts\/\d+|people(?:\/\d+)?|feed\/new)?$/;
const keptForm = /^\/(?:feed\/new|posts\/\d+\/(?:act|comments))$/;
const mediaOf = /^\/(?:posts\/\d+\/media|people\/\d+\/picture|file\/[^/]+\/content)$/;
const bytesOf = /\/(?:content|media|picture|zip|export)$/; // no pages, and nothing that passes through here
const none = "-"; // what the server calls nobody

// ---- What waits, and whose it is, in a database of the browser's
// A browser that is short of room takes all of it, and closes what is open: it is opened anew then.
let opened = null;
const open = () => new Promise((done, fail) => {
  const asked = indexedDB.open("bothy", 1);
  asked.onupgradeneeded = () => { asked.result.createObjectStore("waiting", { keyPath: "number", autoIncrement: true }); asked.result.createObjectStore("said"); };
  asked.onsuccess = () => {
    asked.result.onclose = () => { opened = null; };
    asked.result.onversionchange = () => { asked.result.close(); opened = null; };
    done(asked.result);
  };
  asked.onerror = () => fail(asked.error);
});
async function within(name, mode, deed) {
  const base = await (opened ??= open().catch((error) => { opened = null; throw error; }));
  return new Promise((done, fail) => {
    const transaction = base.transaction(name, mode, { durability: "strict" });
    const asked = deed(transaction.objectStore(name));
    transaction.oncomplete = () => done(asked?.result);
    transaction.onabort = transaction.onerror = () => fail(transaction.error);
  });
}
const said = (key) => within("said", "readonly", (all) => all.get(key));
const say = (key, value) => within("said", "readwrite", (all) => all.put(value, key));
const waiting = () => within("waiting", "readonly", (all) => all.getAll());
const put = (one) => within("waiting", "readwrite", (all) => all.put(one));
// Only of what waits still: it may have been given up meanwhile.
const change = (number, more) => within("waiting", "readwrite", (all) => {
  const asked = all.get(number);
  asked.onsuccess = () => { if (asked.result) all.put({ ...asked.result, ...more }); };
});
// Whether there is room for so many bytes: they are put, and go again.
async function hasRoom(size) {
  await within("said", "readwrite", (all) => all.put(new Uint8Array(size), "room"));
  await within("said", "readwrite", (all) => all.delete("room"));
  return true;
}
const drop = (number) => within("waiting", "readwrite", (all) => all.delete(number));
const tabs = new BroadcastChannel("bothy-kept");
const tell = () => tabs.postMessage("changed");

async function empty() {
  await Promise.all([caches.delete(pagesName), caches.delete(mediaName)]);
  await within("waiting", "readwrite", (all) => all.clear());
  await within("said", "readwrite", (all) => all.clear());
  tell();
}
// - answer: a page, which says whose it is, and of which sign-in; one that says nothing is no page of ours.
async function belongs({ headers }) {
  const account = headers.get("Bothy-Account");
  if (!account) return false;
  const before = await said("account");
  if (account === none || (before && before !== account)) await empty();
  if (account === none) return false;
  if (before !== account) await say("account", account);
  await say("person", headers.get("Bothy-Person"));
  await say("heard", Date.now());
  return true;
}
// - person: whose page it is that sends something: it may have stood open since somebody else was here. One of an older release does not say.
// - Returns: for which sign-in that is kept; nothing where it is not to be.
async function keeper(person) {
  const account = await said("account");
  return account && (!person || person === (await said("person"))) ? account : null;
}
async function isStale() {
  const heard = await said("heard");
  const isOld = heard && Date.now() - heard > mostDays * 86400000;
  if (isOld) await empty();
  return isOld;
}

// ---- Keeping what was looked at
async function keep(name, request, answer, most) {
  const cache = await caches.open(name);
  await cache.delete(request); // the newest is the last
  await cache.put(request, answer);
  const all = await cache.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - most)).map((old) => cache.delete(old)));
}
async function page(event) {
  const { request } = event;
  const { pathname } = new URL(request.url);
  const answer = await fetch(request).catch(() => null);
  if (answer) {
    const isPage = answer.ok && answer.type === "basic" && answer.headers.get("Content-Type")?.startsWith("text/html");
    if (answer.headers.has("Bothy-Account")) {
      const copy = isPage && pageOf.test(pathname) && !answer.redirected ? answer.clone() : null;
      event.waitUntil(belongs(answer).then(async (isOurs) => {
        if (isOurs && copy) await keep(pagesName, request.url, copy, mostPages);
        if (isOurs) await send();
      }));
    }
    return answer;
  }
  // Where the database cannot be read nobody knows whose it is.
  const kept = (await isStale().catch(() => true)) ? null : await (await caches.open(pagesName)).match(request.url.replace(/\?kept=\d+$/, "")); // a draft (drafts.js) is no other page
  if (!kept) return new Response(away(), { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
  const text = await kept.text();
  const headers = new Headers(kept.headers);
  headers.delete("Content-Length");
  headers.delete("Content-Encoding");
  return new Response(text.replace("<body ", "<body data-kept "), { headers });
}
const away = () => `<!doctype html><html lang="${shell.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<title>${shell.words.title}</title>${shell.styles.map((link) => `<link rel="stylesheet" href="${link}">`).join("")}</head><body class="door"><main id="main">` +
  `<div class="message"><h1>${shell.words.title}</h1><p>${shell.words.lead}</p><p><a class="button" href="/feed">${shell.words.feed}</a></p></div></main></body></html>`;
async function asset(request) {
  const kept = await caches.match(request, { cacheName: shellName });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) { const copy = answer.clone(); (await caches.open(shellName)).put(request, copy); }
  return answer;
}
async function medium(event) {
  const { request } = event;
  const answer = await fetch(request).catch(() => null);
  if (answer?.ok && answer.status === 200) {
    const copy = answer.clone();
    event.waitUntil(said("account").then((account) => account && keep(mediaName, request.url, copy, mostMedia)));
  }
  return answer ?? (await caches.match(request.url, { cacheName: mediaName })) ?? Response.error();
}

// ---- Forms that wait for a connection. They go in their order, each under the request id that it has from its page. A browser whose database fails
// keeps none, and sends as one without a worker.
// What is not taken stays in its page, which says so.
function stay(request) {
  if (request.headers.get("Bothy-Fragments")) return Response.error();
  tabs.postMessage("untaken");
  return new Response(null, { status: 204 });
}
async function form(event) {
  const { request } = event;
  const body = await request.clone().text();
  const before = await waiting().catch(() => []);
  // What was done before goes before.
  const answer = before.length && !(await send().catch(() => false)) ? null : await fetch(request).catch(() => null);
  if (answer) return answer;
  const fields = new URLSearchParams(body);
  const { pathname } = new URL(request.url);
  const isAct = pathname.endsWith("/act");
  // What waits is sent for the account that did it. Where that is not known (the browser took what was kept), nothing is taken: a page asks before
  // it lets go of what was typed.
  const account = await keeper(fields.get("person")).catch(() => null);
  if (!account || before.length >= mostWaiting || fields.getAll("detach").length) return stay(request);
  const isKept = await put({ path: pathname, body, account, at: Date.now(), refused: null }).then(() => true, () => false);
  if (!isKept) return stay(request);
  self.registration.sync?.register("bothy-send").catch(() => {}); // a browser that has none sends when a page asks it to
  tell();
  if (request.headers.get("Bothy-Fragments")) {
    const toast = `<template data-toast="notice"><div class="toast notice"><p>${shell.words.kept}</p></div></template>`;
    return new Response(toast, { status: 202, headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
  const back = isAct ? fields.get("from") ?? "/feed" : pathname === "/feed/new" ? "/feed" : pathname.replace(/\/comments$/, "#write");
  return Response.redirect(new URL(back.startsWith("/") && !back.startsWith("//") ? back : "/feed", location).href, 303);
}
let sending = null;
// - Returns: whether nothing waits any more that is to be sent.
const send = () => (sending ??= sendAll().finally(() => { sending = null; }));
// As it was done, except for what the server keeps failing at, and what was done to the same post afterwards.
function inTurn(all) {
  const turns = new Map(); // by the post
  const told = all.map((one) => {
    const place = /^\/posts\/\d+/.exec(one.path)?.[0] ?? one.number;
    turns.set(place, Math.max(turns.get(place) ?? 0, Math.floor((one.failures ?? 0) / patience)));
    return { one, turn: turns.get(place) };
  });
  return told.sort((here, there) => here.turn - there.turn).map(({ one }) => one);
}
async function sendAll() {
  for (const one of inTurn(await waiting())) {
    if (one.refused) continue;
    const account = await said("account");
    if (one.account !== account) { await drop(one.number); continue; }
    if (!(await sendOne(one))) return false;
  }
  return true;
}
async function sendOne(one, isAgain = false) {
  const headers = { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await fetch(one.path, { method: "POST", headers, body: one.body, redirect: "error" }).catch(() => null);
  if (answer?.status >= 500) await change(one.number, { failures: (one.failures ?? 0) + 1 });
  if (!answer || answer.status >= 500 || answer.status === 429) return false;
  if (answer.status === 401) { await empty(); return false; }
  // The mark of its form is of another visit by now.
  if (answer.status === 403 && !isAgain) {
    const told = await fetch("/uploads", { headers: { Accept: "application/json" } }).catch(() => null);
    const fresh = await told?.json().catch(() => null);
    // Somebody else may have signed in, whose page did not come by here yet.
    if (!fresh?.token || told.headers.get("Bothy-Account") !== one.account) return false;
    const fields = new URLSearchParams(one.body);
    fields.set("token", fresh.token);
    return sendOne({ ...one, body: fields.toString() }, true);
  }
  if (answer.ok) await drop(one.number);
  else {
    const why = await answer.json().catch(() => null); // what is no answer of ours says nothing
    await change(one.number, { refused: why?.words ?? shell.words.refused });
  }
  tell();
  return true;
}

// ---- What the browser asks
self.addEventListener("install", (event) => event.waitUntil(caches.open(shellName).then((cache) => cache.addAll(shell.assets)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("shell-") && name !== shellName) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener("sync", (event) => { if (event.tag === "bothy-send") event.waitUntil(send().then((isDone) => { if (!isDone) throw new Error("later"); })); });
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST") {
    if (pathname === "/sign-out") event.respondWith(fetch(request).then(async (answer) => { await empty().catch(() => {}); return answer; }));
    else if (keptForm.test(pathname) && request.headers.get("Accept") !== "application/json") event.respondWith(form(event));
    return;
  }
  if (request.method !== "GET") return;
  if (pathname.startsWith("/assets/")) { if (request.cache !== "no-store") event.respondWith(asset(request)); return; }
  if (request.mode === "navigate") { if (!bytesOf.test(pathname)) event.respondWith(page(event)); return; }
  if (request.destination === "image" && mediaOf.test(pathname) && request.url.includes("quality=")) event.respondWith(medium(event));
});
self.addEventListener("message", (event) => {
  const { ask, number, person, size = 0 } = event.data ?? {};
  const answer = (value) => event.ports[0]?.postMessage(value);
  const deeds = {
    list: async () => answer(await waiting()),
    takes: async () => answer(Boolean(await keeper(person)) && (await waiting()).length < mostWaiting && (await hasRoom(size))),
    send: async () => answer(await send()),
    drop: async () => { await drop(number); tell(); answer(true); },
    again: async () => {
      await change(number, { refused: null });
      answer(await send());
      tell();
    },
  };
  if (deeds[ask]) event.waitUntil(deeds[ask]().catch(() => answer(null)));
});
