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

  // What was written and not saved (drafts.js) is of who is signed in. A form that leaves comes twice, the second time for good.
  document.addEventListener("submit", ({ target: form }) => {
    if (!form.isLeaving || !form.action.endsWith("/sign-out")) return;
    try { localStorage.removeItem("bothy-drafts"); } catch { /* a browser that keeps nothing */ }
  });

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

  // The next page is fetched before its place is seen, and takes the place of the link to it.
  const near = new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) go();
  }, { rootMargin: "0px 0px 100% 0px" });
  let isUnderWay = false;
  async function go() {
    const link = document.querySelector(".feed .next");
    if (!link || isUnderWay) return;
    isUnderWay = true;
    const text = await fetch(link.href).then((answer) => answer.ok && !answer.redirected && answer.text()).catch(() => null);
    isUnderWay = false;
    // Without an answer the link stays, to be pressed.
    if (!text || !link.isConnected) return near.disconnect();
    const page = new DOMParser().parseFromString(text, "text/html");
    const known = new Set([...document.querySelectorAll(".post[id]")].map(({ id }) => id));
    const posts = [...page.querySelectorAll(".post[id]")].filter(({ id }) => !known.has(id));
    const place = link.parentElement;
    place.before(...posts.map((post) => document.adoptNode(post)));
    const next = page.querySelector(".feed .next");
    near.unobserve(link);
    if (!next) return link.remove();
    link.href = next.getAttribute("href");
    near.observe(link);
  }
  function look() {
    near.disconnect();
    const link = document.querySelector(".feed .next");
    if (link) near.observe(link);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", look); else look();
})();
