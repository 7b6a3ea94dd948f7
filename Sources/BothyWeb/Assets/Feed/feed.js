"use strict";
// The feed: marks that show at once, and pages that come as one reads on.
(() => {
  // A like or a bookmark shows at once. What the server says of it later changes nothing that is seen; where it says no, a
  // notice tells so, and it is taken back.
  function turn(button) {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    [button.value, button.dataset.other] = [button.dataset.other, button.value];
    button.setAttribute("aria-pressed", isOn);
    const number = button.querySelector(".number");
    if (!number) return;
    const count = Number(number.textContent.replaceAll(",", "")) + (isOn ? 1 : -1);
    number.textContent = count > 0 ? count.toLocaleString("en") : "";
  }
  document.addEventListener("bothy-turn", ({ detail }) => turn(detail));
  // Of one post, one after the other: the last press has the last word.
  const sent = new Map();
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.matches(".marks[action$='/act']")) return;
    event.preventDefault();
    event.stopPropagation();
    const data = new URLSearchParams(new FormData(form, submitter)); // before it turns: what is sent is what was pressed
    const button = submitter?.dataset.other ? submitter : null;
    if (button) turn(button);
    const earlier = sent.get(form.action);
    sent.set(form.action, (async () => {
      await earlier;
      const isDone = await new Promise((done) => document.dispatchEvent(new CustomEvent("bothy-post", { detail: { form, data, done } })));
      if (!isDone && button) turn(button);
    })());
  }, { capture: true });

  // ---- The menu of a post
  document.addEventListener("click", async (event) => {
    const open = document.querySelector(".menu-of[open]");
    if (open && !open.contains(event.target)) open.open = false;
    const link = event.target.closest?.("[data-copy]");
    if (!link || !navigator.clipboard) return; // then it is a link like any other
    event.preventDefault();
    await navigator.clipboard.writeText(link.href).catch(() => location.assign(link.href));
    const menu = link.closest("details");
    menu.open = false;
    menu.querySelector("summary").focus();
    const toast = Object.assign(document.createElement("div"), { className: "toast notice" });
    toast.append(Object.assign(document.createElement("p"), { textContent: document.getElementById("toasts").dataset.copied }));
    document.getElementById("toasts").append(toast);
    setTimeout(() => toast.remove(), 4000);
  });
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector(".menu-of[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
  // What is no picture yet, or could not be drawn, shows that it is one.
  document.addEventListener("error", ({ target }) => { if (target.matches?.(".cell img")) { target.closest(".cell").classList.add("bare"); target.remove(); } }, { capture: true });

  // ---- Pages of the list: they come as one reads on, where posts are missing, and above what is read, once that is asked for.
  const content = () => document.querySelector("#content.feed");
  async function answerAt(address) {
    const answer = await fetch(address).catch(() => null);
    if (!answer || answer.redirected) return {};
    return { status: answer.status, page: new DOMParser().parseFromString(await answer.text().catch(() => ""), "text/html") };
  }
  async function pageAt(address) {
    const { status, page } = await answerAt(address);
    return status === 200 && page.querySelector("#content.feed") ? page : null;
  }
  // It is what was known before, and tells nothing of what is new or missing.
  const isOld = (page) => page.querySelector("body[data-kept], #content[data-unreached]");
  const isBelow = (row, place) => row === place || place.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
  // Puts the posts of a page before a place, and each among those that are there where it belongs: none of these moves, and none comes twice.
  function weave(page, place) {
    let [isMet, first] = [false, null];
    for (const row of page.querySelectorAll("#content > :is(.post[id^=post-], .missing)")) {
      const here = document.getElementById(row.id);
      if (!here) {
        place.before(document.adoptNode(row));
        first ??= row;
      } else if (isBelow(here, place)) [isMet, place] = [true, here.nextElementSibling];
    }
    return { isMet, first, end: place };
  }
  // A search that lost its connection says below which post it shows only what is kept on the device. Once the server answers again, it
  // is asked from there: its posts come above that line, and below them the line moves on. What the line passes is there if the server
  // finds it, too.
  function weaveFound(page, place) {
    const line = content().querySelector(":scope > .alone");
    if (isOld(page)) {
      const told = page.querySelector(".alone");
      if (told && !line && !isOld(document)) place.before(document.adoptNode(told));
    }
    if (isOld(page) || !line) return weave(page, place);
    const found = new Set([...page.querySelectorAll("#content > .post")].map(({ id }) => id));
    const woven = weave(page, line);
    const end = page.querySelector(".feed .next") ? woven.end : place;
    const passed = [...content().children].filter((row) => isBelow(row, line) && !isBelow(row, end) && !found.has(row.id));
    end.before(line);
    for (const row of passed) if (row !== line) row.remove();
    if (line.nextElementSibling === place) line.remove();
    return woven;
  }
  // ---- An open post moves as people answer it: its page is asked for anew, and what is new in it comes to its place.
  let [isAsking, isAskedAgain] = [false, false];
  document.addEventListener("bothy-heard", async ({ detail }) => {
    isAskedAgain = detail === "post";
    if (isAsking) return;
    isAsking = true;
    while (isAskedAgain) {
      isAskedAgain = false;
      const address = location.href;
      const { status, page } = await answerAt(address);
      if (address !== location.href) continue;
      if (status === 404) tellGone(page);
      else if (status === 200 && page.querySelector("#content.feed") && !isOld(page)) renew(page);
    }
    isAsking = false;
  });
  // An open reply has its reader in it, typed or not. What a field came with was not typed in it.
  const isWrittenIn = (part) => part.contains(document.activeElement) || part.querySelector("details[open] textarea, details[open] .rich-text") || [...part.querySelectorAll("textarea, .rich-text")].some((field) => (field.value ?? field.textContent).trim() !== (field.defaultValue ?? "").trim());
  // What was read stays on the screen: that it is gone is said above it.
  function tellGone(page) {
    const post = document.querySelector(".post.whole:not(.gone)");
    if (!post) return;
    post.classList.add("gone");
    const notice = Object.assign(document.createElement("div"), { className: "notice bad", id: "gone" });
    notice.setAttribute("role", "alert");
    notice.append(Object.assign(document.createElement("p"), { textContent: page.querySelector(".message > p")?.textContent }));
    post.before(notice);
  }
  // What a post says and shows, and to whom: what a like or a comment changes is none of it.
  const says = (post) => [...post.querySelectorAll(".edited, .reach, .warned > summary, .said, [data-view]")]
    .map((part) => [part.title, part.textContent, part.getAttribute("href"), part.dataset.name, part.dataset.caption].join("\t")).join("\n");
  function renewPost(page) {
    document.getElementById("gone")?.remove();
    const [now, then] = [document, page].map((one) => one.querySelector(".post.whole"));
    if (!now || !then) return;
    now.classList.remove("gone");
    // A film that plays, and a menu that is open, stay: the next look takes what is new.
    if (says(now) === says(then) || now.contains(document.activeElement) || [...now.querySelectorAll("video")].some((film) => !film.paused)) return;
    if (now.querySelector(".warned")?.open) then.querySelector(".warned")?.setAttribute("open", "");
    now.replaceWith(document.adoptNode(then));
  }
  function renew(page) {
    const [now, then] = [document, page].map((one) => one.querySelector("#comments"));
    if (!now || !then) return;
    renewPost(page);
    const numbers = (one) => [...one.querySelectorAll(".post.whole > .count, .post.whole .reaction .number")];
    const counted = numbers(page);
    numbers(document).forEach((part, at) => { if (counted[at]) part.textContent = counted[at].textContent; });
    // The field that is being typed in stays, at its place on the screen.
    const held = now.contains(document.activeElement) ? document.activeElement : null;
    const top = held?.getBoundingClientRect().top;
    // What waits to be sent says otherwise how it stands, and is a comment like any other once it was sent.
    const isHere = (row) => !row.matches(".pending") && then.querySelector(`#${row.id}`);
    for (const row of now.querySelectorAll("article.comment[id]")) if (!isHere(row) && !isWrittenIn(row)) row.remove();
    // That there are none yet stands in their place.
    const [none, noneThen] = [now, then].map((one) => one.querySelector(":scope > h2 + p.count"));
    if (none && !noneThen) none.remove();
    else if (noneThen && !none) now.querySelector("h2").after(document.adoptNode(noneThen));
    let last = now.querySelector("h2");
    for (const row of [...then.querySelectorAll("article.comment[id]")]) {
      const here = document.getElementById(row.id);
      if (!here) last.after(document.adoptNode(row));
      last = here ?? row;
    }
    document.dispatchEvent(new Event("bothy-fields"));
    if (held) scrollBy(0, held.getBoundingClientRect().top - top);
  }
  const drawn = (name) => document.getElementById(name).content.firstElementChild.cloneNode(true);
  const refuse = () => document.dispatchEvent(new Event("bothy-unanswered"));

  // The next page is fetched before its place is seen.
  const near = new IntersectionObserver((seen) => {
    const link = seen.find(({ isIntersecting }) => isIntersecting)?.target;
    if (link) goOn(link);
  }, { rootMargin: "0px 0px 100% 0px" });
  // A link to where the list goes on gives its place to the posts from there: at the end of the list, or where some are missing in it.
  async function goOn(link) {
    const place = link.closest("p");
    if (place.isUnderWay) return;
    place.isUnderWay = true;
    const [isGap, bones] = [place.matches(".missing"), drawn("skeleton")];
    place.before(bones);
    const page = await pageAt(link.href);
    bones.remove();
    place.isUnderWay = false;
    if (!place.isConnected) return;
    // Without an answer the link stays, to be pressed.
    if (!page || (isGap && isOld(page))) return isGap ? refuse() : near.disconnect();
    const hadFocus = document.activeElement === link;
    const { isMet, first } = weaveFound(page, place);
    const next = page.querySelector(".feed .next");
    near.unobserve(link);
    // Nothing more comes from there for now: it is asked for again when a person scrolls on, or presses it.
    if (next?.getAttribute("href") === link.getAttribute("href")) {
      return document.addEventListener("scrollend", () => link.isConnected && near.observe(link), { once: true, capture: true });
    }
    if (next && !(isGap && isMet)) {
      link.href = next.getAttribute("href");
      return isGap || near.observe(link);
    }
    (isGap ? place : link).remove();
    if (hadFocus) first?.querySelector(".by")?.focus({ preventScroll: true });
  }
  // The entry of the post that is next to a gap.
  function entryBeside(gap, side) {
    let row = gap[side];
    while (row && !row.dataset.entry) row = row[side];
    return row ? Number(row.dataset.entry) : Infinity;
  }
  // Who comes from below gets the posts right above the one that is read first. That one stays where it is on the screen.
  async function goUp(link) {
    const gap = link.closest("p");
    if (gap.isUnderWay) return;
    gap.isUnderWay = true;
    link.setAttribute("aria-busy", "true");
    const page = await pageAt(link.href);
    link.removeAttribute("aria-busy");
    gap.isUnderWay = false;
    if (!gap.isConnected) return;
    if (!page || isOld(page)) return refuse();
    const [below, end, hadFocus] = [gap.nextElementSibling, entryBeside(gap, "previousElementSibling"), document.activeElement === link];
    const top = below.getBoundingClientRect().top;
    const newer = page.querySelector("#content > .page > .newer");
    let [isMet, first] = [!newer, null];
    for (const row of [...page.querySelectorAll("#content > .post[data-entry]")].reverse()) {
      if (Number(row.dataset.entry) >= end) { isMet = true; break; }
      if (document.getElementById(row.id)) continue;
      gap.after(document.adoptNode(row));
      first ??= row;
    }
    if (isMet) gap.remove(); else link.href = newer.getAttribute("href");
    scrollBy({ top: below.getBoundingClientRect().top - top, behavior: "instant" });
    if (isMet && hadFocus) (first ?? below).querySelector(".by")?.focus({ preventScroll: true });
  }
  // What is new is put above what is read. Where it is more than a page, what is missing between the two is asked for there.
  async function showFresh(link) {
    if (link.isUnderWay) return;
    link.isUnderWay = true;
    const page = await pageAt(link.href);
    link.isUnderWay = false;
    if (!page || isOld(page)) return refuse();
    const [list, told] = [content(), page.querySelector("#content")];
    const top = list.querySelector(":scope > .post[id^=post-]") ?? list.querySelector(":scope > .page");
    // What waited to be posted may be among them.
    list.querySelectorAll(":scope > :is(.post.pending, .message)").forEach((row) => isWrittenIn(row) || row.remove());
    let below = top;
    for (const row of [...told.querySelectorAll(":scope > .post.pending")].reverse()) {
      const here = document.getElementById(row.id);
      if (!here) below.before(document.adoptNode(row));
      below = here ?? row;
    }
    const { isMet, first } = weave(page, top);
    const next = told.querySelector(".next");
    if (!isMet && next && top.matches(".post")) {
      const gap = drawn("gap");
      gap.querySelector(".older").href = next.getAttribute("href");
      gap.querySelector(".newer").href = `/feed?above=${top.dataset.entry}`;
      top.before(gap);
    }
    document.getElementById("fresh").replaceChildren();
    list.dataset.events = told.dataset.events;
    document.dispatchEvent(new Event("bothy-hear"));
    (first?.querySelector(".by") ?? document.getElementById("main")).focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }
  const isPlain = (event) => !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  document.addEventListener("click", (event) => {
    const link = isPlain(event) && event.target.closest?.(".missing a, [data-newest] .fresh, .post a[href^='/posts/']:not([data-view], [data-copy])");
    if (!link) return;
    if (link.matches(".post a")) return link.closest(".post").classList.add("opening");
    event.preventDefault();
    if (link.matches(".missing .older")) goOn(link); else if (link.matches(".missing a")) goUp(link); else showFresh(link);
  });
  addEventListener("pageshow", () => document.querySelectorAll(".opening").forEach((post) => post.classList.remove("opening")));
  function look() {
    near.disconnect();
    const link = document.querySelector(".feed .next");
    if (link) near.observe(link);
    rows.disconnect();
    if (content()) rows.observe(content(), { childList: true });
    lay();
  }
  // Posts are drawn only near the screen once a frame has shown how high they are: what is off it keeps its height (feed.css).
  let [isLaying, width] = [false, innerWidth];
  function lay() {
    if (isLaying) return;
    isLaying = true;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      isLaying = false;
      document.querySelectorAll(".feed > .post:not(.whole, .laid)").forEach((post) => post.classList.add("laid"));
    }));
  }
  const rows = new MutationObserver(lay);
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    document.querySelectorAll(".feed > .post.laid").forEach((post) => post.classList.remove("laid"));
    lay();
  });
  document.addEventListener("bothy-page", look);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", look); else look();
})();
