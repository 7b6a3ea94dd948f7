// A hand on the page: nothing is drawn again under it before it lets go, and a row that it drags moves, onto a folder or onto one above.
"use strict";
// - to: `list`, which is shown; `move`, what is chosen, to a folder; `free`, called when the hand has let go.
globalThis.bothyHand = (to) => {
  const at = (target, what) => target?.closest?.(what);
  const on = (name, listen) => document.addEventListener(name, listen);
  let [pressed, dragged] = [null, null];
  // A finger that rests on a row chooses it; from then on taps do.
  let touch = null;
  function press(row) {
    touch.isLong = true;
    to.list().isPicking = true;
    if (row.isConnected && !to.list().picked.has(row.dataset.id)) to.list().toggle(row);
  }
  const lift = () => clearTimeout(touch?.timer);
  function letGo() {
    lift();
    if (!pressed || dragged) return;
    pressed = null;
    to.list()?.letGo();
    setTimeout(to.free); // once what was pressed was clicked
  }
  on("pointerdown", ({ target, pointerType, clientX, clientY }) => {
    lift();
    pressed = target;
    const row = to.list() && at(target, ".row");
    if (row) to.list().hold();
    touch = row && pointerType === "touch" ? { x: clientX, y: clientY, timer: setTimeout(press, 500, row) } : null;
  });
  on("pointerup", letGo);
  on("pointercancel", letGo); // of a drag, too, when it has begun
  // A drag whose row has gone meanwhile ends without a word.
  on("pointermove", ({ buttons, clientX, clientY }) => {
    if (touch && Math.hypot(clientX - touch.x, clientY - touch.y) > 10) lift();
    if (!buttons) { dragged = null; letGo(); }
  });
  on("dragstart", ({ target }) => { if (to.list() && (dragged = at(target, ".row"))) to.list().pickOnly(dragged.dataset.id); });
  on("dragend", () => { dragged = null; letGo(); });
  const goal = (event) => {
    document.querySelector(".goal")?.classList.remove("goal");
    const target = dragged && at(event.target, ".row:has(.kind.folder):not(.picked), .crumbs a");
    if (target) event.preventDefault();
    return target;
  };
  on("dragover", (event) => goal(event)?.classList.add("goal"));
  on("drop", (event) => {
    const folder = goal(event);
    if (folder) to.move(folder.dataset.id ?? folder.pathname.split("/")[2] ?? "root");
  });
  return { isIn: (part) => !!pressed && !!part?.contains(pressed), get touch() { return touch; } };
};
