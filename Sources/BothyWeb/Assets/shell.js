// A server's web app in a browser that keeps what was looked at (worker.js): what waits to be sent shows where it will stand, and what is shown of before
// says so.
"use strict";
(() => {
  const said = document.getElementById("toasts")?.dataset;
  if (!said?.worker || !navigator.serviceWorker) return;
  const fill = (phrase, ...values) => values.reduce((text, value, at) => text.replaceAll(`#${at + 1}`, () => value), phrase);
  // Without it everything is as it was: a browser may refuse it, and says so itself.
  navigator.serviceWorker.register(said.worker, { updateViaCache: "none" }).catch(() => {});
  const ask = (what) => new Promise((done) => {
    const { controller } = navigator.serviceWorker;
    if (!controller) return done(null);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data);
    controller.postMessage(what, [port2]);
  });
  globalThis.bothyKept = ask;
  // ---- What waits
  const about = (one) => ({ fields: new URLSearchParams(one.body), post: /^\/posts\/(\d+)\//.exec(one.path)?.[1] });
  function row(one) {
    const template = document.getElementById("kept-row");
    const { fields } = about(one);
    const part = template.content.firstElementChild.cloneNode(true);
    part.querySelector("strong").textContent = one.refused ? fill(part.dataset.refused, one.refused) : part.dataset.waits;
    // What came from the editor is its own spelling; what did not is read as if it were pasted.
    part.querySelector(".said").innerHTML = fields.has("html") ? bothyEncode.pasted(fields.get("html")) : bothyMarkdown(fields.get("text") ?? "");
    const [warned, warning] = [part.querySelector(".warned"), fields.get("warning")?.trim()];
    if (warning) warned.querySelector("bdi").textContent = warning; else warned.replaceWith(part.querySelector(".said"));
    part.querySelector("[data-kept=again]").hidden = !one.refused;
    part.dataset.number = one.number;
    return part;
  }
  // A heart that was pressed without a connection is pressed on what was kept from before, too.
  function press(one) {
    const { fields, post } = about(one);
    const [act, form] = [fields.get("act"), document.querySelector(`.marks[action="/posts/${post}/act"]`)];
    const button = form && [...form.querySelectorAll("[data-other]")].find((it) => it.value === act);
    if (button) document.dispatchEvent(new CustomEvent("bothy-turn", { detail: button }));
  }
  // Any from 1 to 2⁵³ − 1.
  function number() {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return String((high & 0x1fffff) * 2 ** 32 + low || 1);
  }
  let turned = new Set();
  async function draw() {
    const place = document.getElementById("kept");
    if (!place && !document.querySelector(".marks")) return;
    const all = (await ask({ ask: "list" })) ?? [];
    const here = location.pathname;
    // What was refused shows in the feed too: the page that it was written on may be gone.
    const shown = all.filter(({ path, refused }) => path === `${here}/comments` || (here === "/feed" && (path === "/feed/new" || (refused && path.endsWith("/comments")))));
    place?.replaceChildren(...shown.map(row));
    const acts = all.filter((one) => one.path.endsWith("/act"));
    for (const one of acts) if (!one.refused && document.body.matches("[data-kept]") && !turned.has(one.number)) { turned.add(one.number); press(one); }
    // What was refused later is told where it shows: the mark is as the server has it at the next look.
    for (const one of acts.filter(({ refused }) => refused)) {
      await ask({ ask: "drop", number: one.number });
      const toast = Object.assign(document.createElement("div"), { className: "toast failure" });
      toast.setAttribute("role", "alert");
      toast.append(Object.assign(document.createElement("p"), { textContent: one.refused }));
      document.getElementById("toasts").append(toast);
      setTimeout(() => toast.remove(), 9000);
    }
    const isThrough = wasWaiting && !all.some((one) => !one.refused) && !shown.some((one) => one.refused);
    if (isThrough && navigator.onLine && document.body.matches("[data-kept]")) location.reload();
    wasWaiting = all.some((one) => !one.refused);
  }
  let wasWaiting = false;
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-kept]:is(button)");
    if (!button) return;
    button.disabled = true;
    await ask({ ask: button.dataset.kept, number: +button.closest("[data-number]").dataset.number });
    draw();
  });
  // What was not taken is still in the page that sent it.
  new BroadcastChannel("bothy-kept").onmessage = ({ data }) => {
    if (data !== "untaken") return draw();
    if (!document.hidden) document.dispatchEvent(new Event("bothy-unanswered"));
  };
  const send = () => ask({ ask: "send" }).then(draw);
  addEventListener("online", send);
  document.addEventListener("bothy-answered", () => { if (wasWaiting) send(); });
  // A connection comes back without a word where it was the server that was away.
  setInterval(() => { if (wasWaiting && !document.hidden) send(); }, 5000);
  function begin() {
    const note = document.getElementById("of-before");
    if (note) note.hidden = !document.body.matches("[data-kept]");
    // A page that was kept is filled in more than once: what is sent from it is another thing each time.
    // A draft that was saved is posted once, whatever page it is on. The id of a post is that of its draft: a number.
    const isSaved = (field) => field.form.elements.version?.value > 0;
    if (document.body.matches("[data-kept]")) for (const field of document.querySelectorAll("#main input[name=request]")) if (!isSaved(field)) field.value = number();
    turned = new Set();
    draw();
  }
  document.addEventListener("bothy-page", begin);
  navigator.serviceWorker.addEventListener("controllerchange", draw);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) begin(); });
  begin();
})();
