// How a page asks its server, and what it hears from it: by the one stream of all pages of this browser, where a browser can share, else by its own.
"use strict";
// What is asked for so comes in pieces for the page, and not as a page of its own.
globalThis.bothyAsk = async (link, options) => {
  const answer = await fetch(link, { ...options, headers: { "Bothy-Fragments": "1" } });
  if (answer.status < 500) document.dispatchEvent(new Event("bothy-answered")); // else it is what stands before the server that says so
  return answer;
};
// - to: `about`, what is heard: `of` an address, after a `mark`; and what is done with each kind of event: `out` is for a person who is
//   signed out by now.
globalThis.bothyHearing = (to) => {
  let [stream, shared, resting] = [];
  let isAlone = !globalThis.SharedWorker;
  function rest() { stream?.close(); stream = null; }
  // A connection that stalls without a word is no more heard of than one on which nothing happens: two missed beats tell them apart.
  let [beat, heard] = [15000, 0]; // milliseconds between two beats, and when there was the last sign of life
  const alive = () => { heard = performance.now(); };
  setInterval(() => {
    if (!stream || !isAlone || performance.now() - heard < 2 * beat) return;
    to.lost();
    rest();
    listen();
  }, 5000);
  function listen() {
    const about = to.about();
    if (stream || document.hidden || !about) return;
    stream = isAlone ? alone(about) : join(about);
  }
  function join({ of, mark }) {
    shared ??= new SharedWorker(document.getElementById("toasts").dataset.streams);
    shared.onerror = () => { isAlone = true; rest(); listen(); };
    // What is still told of a page that was here before is nothing to this one.
    shared.port.onmessage = ({ data }) => { if (stream && of === (data.of ?? of)) to[data.kind](data.html, data.mark); };
    shared.port.postMessage({ of, mark });
    return { close: () => shared.port.postMessage(null) };
  }
  function alone({ of, mark }) {
    const own = new EventSource(mark ? `${of}&after=${mark}` : of);
    alive();
    own.onopen = () => { alive(); to.open(); };
    own.onerror = () => {
      to.lost();
      if (own.readyState === EventSource.CLOSED && own === stream) { rest(); setTimeout(listen, 3000); }
    };
    own.addEventListener("beat", ({ data }) => { beat = +data; alive(); });
    own.addEventListener("out", to.out);
    for (const kind of ["fragment", "piece", "again"]) own.addEventListener(kind, ({ data, lastEventId }) => to[kind](data, lastEventId));
    return own;
  }
  // A page that nobody looks at lets go, and catches up when it is seen.
  document.addEventListener("visibilitychange", () => document.hidden ? (resting = setTimeout(rest, 30000)) : (clearTimeout(resting), listen()));
  addEventListener("pagehide", rest);
  return { listen, rest };
};
