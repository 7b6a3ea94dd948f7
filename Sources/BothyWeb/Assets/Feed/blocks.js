// The blocks of an editor, and the caret in them: what joins, parts and turns blocks, and what marks words. All browsers do the same by it.
"use strict";
// - root: an element that can be edited. Its children are `p`, `h1` to `h3`, `pre`, and lists and quotes with what stands in them.
globalThis.bothyBlocks = (root) => {
  const leaves = "p, h1, h2, h3, pre, li";
  const make = (tag, more = {}) => Object.assign(document.createElement(tag), more);
  const gap = bothyBlocks.gap;
  const text = (node) => node.textContent.replaceAll(gap, "");
  // Browsers, and what is deleted, leave things that are no blocks.
  function tidy() {
    for (const child of [...root.childNodes]) {
      if (child.nodeType === 1 && child.matches("p, h1, h2, h3, pre, ul, ol, blockquote")) {
        if (child.matches("ul, ol, blockquote") && !child.firstElementChild) child.remove();
        continue;
      }
      if (child.nodeType === 1 && child.matches("div")) { const p = make("p"); p.append(...child.childNodes); child.replaceWith(p); continue; }
      const before = child.previousSibling;
      if (before?.loose) { before.append(child); continue; }
      const p = make("p", { loose: true });
      child.replaceWith(p);
      p.append(child);
    }
    if (!root.firstElementChild) root.append(make("p"));
    for (const leaf of root.querySelectorAll(leaves)) if (!leaf.textContent && !leaf.querySelector("br")) leaf.replaceChildren(make("br"));
    root.classList.toggle("is-empty", !root.querySelector("li, pre, h1, h2, h3, blockquote") && root.children.length === 1 && !text(root));
  }

  // ---- Where the caret is
  const selection = () => getSelection();
  function range() {
    const now = selection().rangeCount ? selection().getRangeAt(0) : null;
    return now && root.contains(now.commonAncestorContainer) ? now : null;
  }
  function select(from, at, to = from, until = at) {
    const here = document.createRange();
    here.setStart(from, at);
    here.setEnd(to, until);
    selection().removeAllRanges();
    selection().addRange(here);
    return here;
  }
  const leafOf = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(leaves) ?? null;
  function put(leaf, isAtEnd = false) {
    const spot = isAtEnd ? leaf.lastChild : leaf.firstChild;
    if (!isAtEnd && spot?.nodeType === 3) return select(spot, 0);
    if (!isAtEnd || !spot) return select(leaf, 0);
    spot.nodeType === 3 ? select(spot, spot.length) : select(leaf, leaf.childNodes.length - (spot.localName === "br" ? 1 : 0));
  }
  function chosenLeaves() {
    const now = range();
    if (!now) return [];
    const all = [...root.querySelectorAll(leaves)].filter((leaf) => now.intersectsNode(leaf));
    return all.length ? all : [leafOf(now.startContainer)].filter(Boolean);
  }
  // The words from the beginning of the block to the caret.
  function before(now = range(), isOfEnd = false) {
    const [node, at] = isOfEnd ? [now?.endContainer, now?.endOffset] : [now?.startContainer, now?.startOffset];
    const leaf = now && leafOf(node);
    if (!leaf) return "";
    const part = document.createRange();
    part.setStart(leaf, 0);
    part.setEnd(node, at);
    return part.toString().replaceAll(gap, "");
  }

  // ---- Blocks
  // Out of what stands around it, which is parted there; an entry of a list is a paragraph then.
  function lift(leaf) {
    const frame = leaf.parentElement;
    if (frame === root) return leaf;
    const rest = frame.cloneNode(false);
    while (leaf.nextSibling) rest.append(leaf.nextSibling);
    frame.after(leaf);
    if (rest.firstChild) leaf.after(rest);
    if (!frame.firstElementChild) frame.remove();
    return leaf.localName === "li" ? rename(leaf, "p") : lift(leaf);
  }
  function rename(leaf, tag) {
    if (leaf.localName === tag) return leaf;
    const now = range();
    const at = now && [now.startContainer, now.startOffset, now.endContainer, now.endOffset];
    const other = make(tag);
    other.append(...leaf.childNodes);
    leaf.replaceWith(other);
    if (at) select(...at.map((one) => (one === leaf ? other : one)));
    return other;
  }
  function frame(leaf, tag) {
    const [above, below] = [leaf.previousElementSibling, leaf.nextElementSibling];
    const around = above?.localName === tag ? above : make(tag);
    if (around !== above) leaf.before(around);
    const one = tag === "blockquote" ? leaf : rename(leaf, "li");
    around.append(one);
    if (below?.localName === tag) { around.append(...below.childNodes); below.remove(); }
    return one;
  }
  const kindOf = (leaf) => (leaf?.localName === "p" || leaf?.localName === "li") && leaf.parentElement !== root ? leaf.parentElement.localName : leaf?.localName;
  // Pressed once more, it is a paragraph again.
  function turn(kind) {
    const chosen = chosenLeaves();
    const is = chosen.every((leaf) => kindOf(leaf) === kind) ? "p" : kind;
    const now = range();
    const at = now && [chosen.indexOf(leafOf(now.startContainer)), before(now).length, chosen.indexOf(leafOf(now.endContainer)), before(now, true).length];
    const turned = chosen.map((leaf) => {
      const wasCode = leaf.localName === "pre";
      const one = rename(lift(leaf), ["p", "h1", "h2", "h3", "pre"].includes(is) ? is : "p");
      if (is === "pre") one.textContent = plain(one);
      else if (wasCode) one.replaceChildren(...one.textContent.split("\n").flatMap((line, at) => at ? [make("br"), line] : [line]));
      if (!["ul", "ol", "blockquote"].includes(is)) return one;
      return frame(one, is);
    });
    tidy();
    if (!at || !turned.length) return;
    const [from, to] = [spot(turned[Math.max(0, at[0])], at[1]), spot(turned.at(at[2]), at[3])];
    select(...from, ...to);
  }
  // The place behind so many letters of a block.
  function spot(leaf, letters) {
    const walker = document.createTreeWalker(leaf, NodeFilter.SHOW_TEXT);
    let last = null;
    while (walker.nextNode()) {
      last = walker.currentNode;
      if (last.length >= letters) return [last, letters];
      letters -= last.length;
    }
    return last ? [last, last.length] : [leaf, 0];
  }
  const plain = (node) => { const copy = node.cloneNode(true); copy.querySelectorAll("br").forEach((br) => br.replaceWith("\n")); return copy.textContent.replace(/\n$/, ""); };

  function split() {
    const now = range();
    let leaf = leafOf(now.startContainer);
    if (!leaf) return;
    if (leaf.localName === "pre") {
      if (/(^|\n)$/.test(before(now)) && text(leaf).length === before(now).length && text(leaf).length) { // a second empty line ends it
        leaf.lastChild.data = leaf.lastChild.data?.replace(/\n$/, "");
        const next = make("p");
        leaf.after(next);
        tidy();
        return put(next);
      }
      return insertText("\n");
    }
    if (!text(leaf) && leaf.parentElement !== root) { const out = lift(leaf); tidy(); return put(out); }
    const part = document.createRange();
    part.setStart(now.startContainer, now.startOffset);
    part.setEnd(leaf, leaf.childNodes.length);
    const rest = part.extractContents();
    const next = make(leaf.localName.startsWith("h") && !rest.textContent ? "p" : leaf.localName);
    next.append(rest);
    for (const empty of next.querySelectorAll("*")) if (!empty.textContent && empty.localName !== "br") empty.remove();
    leaf.after(next);
    tidy();
    put(next);
  }
  // What is chosen goes, and its last block is joined to its first.
  function remove(now) {
    const [from, to] = [leafOf(now.startContainer), leafOf(now.endContainer)];
    now.deleteContents();
    for (const leaf of root.querySelectorAll(leaves)) if (from && to && leaf !== from && leaf !== to && now.intersectsNode(leaf) && !text(leaf)) drop(leaf);
    if (from && to && from !== to && from.isConnected && to.isConnected) {
      const end = from.lastChild?.localName === "br" ? from.lastChild : null;
      const at = end ? from.childNodes.length - 1 : from.childNodes.length;
      end?.remove();
      if (to.firstChild?.localName === "br" && to.childNodes.length === 1) to.firstChild.remove();
      from.append(...to.childNodes);
      drop(to);
      tidy();
      return select(from, Math.min(at, from.childNodes.length));
    }
    tidy();
    if (!range() || !leafOf(range().startContainer)) put(from?.isConnected ? from : root.querySelector(leaves), true);
  }
  function drop(leaf) {
    const around = leaf.parentElement;
    leaf.remove();
    if (around !== root && !around.firstElementChild) around.remove();
  }
  function insertText(words) {
    const now = range();
    now.deleteContents();
    const node = document.createTextNode(words);
    now.insertNode(node);
    // A line feed at the end of a block of code needs something after it to stand before.
    const leaf = leafOf(node);
    if (leaf?.localName === "pre" && words.endsWith("\n") && !after(node, leaf)) node.after(make("br"));
    if (node.nextSibling?.localName === "br" && !words.endsWith("\n") && leaf?.localName !== "pre") node.nextSibling.remove();
    select(node, node.length);
  }
  function after(node, leaf) {
    const part = document.createRange();
    part.setStartAfter(node);
    part.setEnd(leaf, leaf.childNodes.length);
    return part.toString();
  }
  // Canonical HTML, where the caret is.
  function insert(html) {
    let now = range();
    if (!now) { put(root.lastElementChild.matches(leaves) ? root.lastElementChild : root.lastElementChild.lastElementChild, true); now = range(); }
    if (!now.collapsed) { remove(now); now = range(); }
    const holder = make("template", { innerHTML: html });
    const blocks = [...holder.content.children];
    const leaf = leafOf(now.startContainer);
    if (!blocks.length || !leaf) return;
    if (leaf.localName === "pre") return insertText(blocks.map((one) => plain(one)).join("\n"));
    if (blocks.length === 1 && blocks[0].localName === "p") {
      const last = blocks[0].lastChild;
      const piece = document.createDocumentFragment();
      piece.append(...blocks[0].childNodes);
      if (leaf.childNodes.length === 1 && leaf.firstChild.localName === "br") leaf.firstChild.remove();
      now.insertNode(piece);
      const node = document.createTextNode(gap); // what is typed next is not part of a link or a mark
      last.after(node);
      return select(node, 1);
    }
    const part = document.createRange();
    part.setStart(now.startContainer, now.startOffset);
    part.setEnd(leaf, leaf.childNodes.length);
    const rest = part.extractContents();
    const above = lift(leaf);
    above.after(...blocks);
    const end = blocks.at(-1);
    const tail = end.matches(leaves) ? end : end.lastElementChild;
    if (rest.textContent) { const p = make("p"); p.append(rest); end.after(p); }
    if (!text(above)) above.remove();
    tidy();
    put(tail, true);
  }

  function lineBreak() {
    const now = range();
    if (leafOf(now.startContainer)?.localName === "pre") return insertText("\n");
    const br = make("br");
    now.insertNode(br);
    const leaf = leafOf(br);
    if (!after(br, leaf) && !br.nextElementSibling) br.after(make("br")); // the last one of a block shows no line
    now.setStartAfter(br);
    now.collapse(true);
    select(now.startContainer, now.startOffset);
  }
  // ---- Marks
  // The pieces of text that are chosen, each whole.
  function pieces(now) {
    const all = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (now.intersectsNode(walker.currentNode)) all.push(walker.currentNode);
    const { startContainer: from, startOffset: at, endContainer: to, endOffset: until } = now;
    return all.map((node) => {
      let piece = node;
      if (node === to && until < node.length) piece.splitText(until);
      if (node === from && at > 0) piece = node.splitText(at);
      return piece;
    }).filter((node) => node.length);
  }
  // Out of an element, which is parted around it.
  function free(piece, element) {
    let node = piece;
    while (node !== element) {
      const above = node.parentNode;
      const [left, right] = [above.cloneNode(false), above.cloneNode(false)];
      while (above.firstChild !== node) left.append(above.firstChild);
      while (node.nextSibling) right.append(node.nextSibling);
      if (left.firstChild) above.before(left);
      if (right.firstChild) above.after(right);
      node = above;
    }
    element.replaceWith(...element.childNodes);
  }
  const isIn = (tag, node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(tag);
  function mark(tag, attributes = {}) {
    const now = range();
    if (!now) return;
    if (now.collapsed) {
      const [node, around] = [document.createTextNode(gap), isIn(tag, now.startContainer)];
      now.insertNode(node);
      if (around && root.contains(around)) free(node, around); else { const one = make(tag, attributes); node.replaceWith(one); one.append(node); }
      return select(node, 1);
    }
    const all = pieces(now).filter((node) => leafOf(node) && leafOf(node).localName !== "pre" && (text(node).trim() || leafOf(node) === leafOf(now.startContainer)));
    if (!all.length) return;
    const isOn = tag !== "a" && all.every((node) => isIn(tag, node));
    for (const node of all) {
      let around;
      if (isOn || tag === "a") while ((around = isIn(tag, node)) && root.contains(around)) free(node, around);
      if (!isOn && !isIn(tag, node)) { const one = make(tag, attributes); node.replaceWith(one); one.append(node); }
    }
    select(all[0], 0, all.at(-1), all.at(-1).length);
  }
  function unlink() {
    const around = isIn("a", range().startContainer);
    if (around) around.replaceWith(...around.childNodes);
  }
  return { leaves, tidy, text, range, select, leafOf, put, before, kindOf, turn, split, remove, insertText, insert, lineBreak, mark, unlink, isIn };
};
bothyBlocks.gap = "\u200b"; // where a caret stands in no letter yet; it is never sent
