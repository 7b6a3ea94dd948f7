// The pages of one browser hear through one stream: browsers open no more than six connections to a server.
"use strict";
const [settling, patience] = [20, 3000]; // milliseconds: pages come and go together, and a server that is gone is asked again
const pages = new Map(); // by its port, what a page hears: its address, and after which mark
let [stream, timer] = [null, null];
// A connection that stalls without a word is no more heard of than one on which nothing happens: two missed beats tell them apart.
let [beat, heard] = [15000, 0]; // milliseconds between two beats, and when there was the last sign of life
const alive = () => { heard = performance.now(); };
const tellAll = (said) => { for (const port of pages.keys()) port.postMessage(said); };
setInterval(() => {
  if (!stream || performance.now() - heard < 2 * beat) return;
  tellAll({ kind: "lost" });
  open();
}, 5000);
function open() {
  stream?.close();
  stream = null;
  if (!pages.size) return;
  const [told, asked] = [[...pages], new URLSearchParams()];
  for (const [, { of, mark }] of told) asked.append("of", mark ? `${of}&after=${mark}` : of);
  stream = new EventSource(`/events?${asked}`);
  alive();
  stream.onopen = () => { alive(); tellAll({ kind: "open" }); };
  // It would go on after the marks that it began with: a new one begins after those of now.
  stream.onerror = () => { tellAll({ kind: "lost" }); soon(patience); };
  stream.addEventListener("beat", ({ data }) => { beat = +data; alive(); });
  stream.addEventListener("out", () => tellAll({ kind: "out" }));
  stream.addEventListener("page", ({ data }) => {
    const [number, kind, mark] = data.slice(0, data.indexOf("\n")).split(" ");
    const [port, page] = told[number];
    // One that shows another place by now hears of that after its own mark.
    if (pages.get(port) !== page) return;
    page.mark = mark || page.mark;
    port.postMessage({ of: page.of, kind, mark: page.mark, html: data.slice(data.indexOf("\n") + 1) });
  });
}
function soon(wait) {
  clearTimeout(timer);
  if (wait === patience) { stream?.close(); stream = null; }
  timer = setTimeout(open, wait);
}
onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => { data ? pages.set(port, data) : pages.delete(port); soon(settling); };
};
