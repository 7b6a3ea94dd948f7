// What stands in an editor, or came by the clipboard, as a post's text: the one spelling that the server writes, too (PostText).
// Pure: a tree in, text out. The server reads whatever comes anew; that both agree is what a test holds them to.
"use strict";
globalThis.bothyEncode = (() => {
  const breaking = new Set(("p div section article header footer main aside nav figure figcaption table tr td th caption address center dl dt dd " +
    "form fieldset details summary hr body html h1 h2 h3 h4 h5 h6 pre blockquote ul ol li").split(" "));
  const dropped = new Set(("script style iframe svg math template title textarea noscript object select xmp noembed noframes plaintext audio " +
    "video canvas head button meta link").split(" "));
  // The elements of words, from outside to inside, as they are written.
  const marks = ["strong", "em", "u", "s", "code"];
  const spelled = { b: "strong", strong: "strong", i: "em", em: "em", u: "u", ins: "u", s: "s", strike: "s", del: "s", code: "code", kbd: "code", samp: "code", tt: "code" };

  // ---- Links: those of the web and of mail, in visible ASCII.
  function safe(address) {
    const words = address.replace(/[\t\n\r]/g, "").split(" ").filter(Boolean);
    const bytes = new TextEncoder().encode(words[0] ?? "");
    const scheme = /^(https:\/\/|http:\/\/|mailto:)/i.exec(words[0] ?? "")?.[0];
    if (words.length !== 1 || !scheme || bytes.length > 2000 || bytes.length === scheme.length) return null;
    const isPlain = (byte) => byte > 0x20 && byte < 0x7f && !"\"<>\\^`{|}".includes(String.fromCharCode(byte));
    const spell = (byte) => isPlain(byte) ? String.fromCharCode(byte) : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    return scheme.toLowerCase() + Array.from(bytes.subarray(scheme.length), spell).join("");
  }

  // An address that was typed as it is becomes one, without what ends the sentence, or the bracket, that it stands in.
  function linked(run) {
    const [parts, { text }] = [[], run];
    let last = 0;
    for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s\u200b]+/g)) {
      const address = found.replace(found.includes("(") ? /[.,;:!?"'»”’]+$/ : /[.,;:!?"'»”’)]+$/, "");
      const link = safe(address);
      if (!link) continue;
      parts.push({ ...run, text: text.slice(last, index) }, { ...run, text: address, link });
      last = index + address.length;
    }
    return [...parts, { ...run, text: text.slice(last) }];
  }

  // ---- Reading
  // What a style says, where a program speaks in styles alone. As text: a page that may have none need not know what a style is.
  const styleOf = (element) => (element.getAttribute("style") ?? element.getAttribute("data-style") ?? "").toLowerCase();
  const said = (style, name) => new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`).exec(style)?.[1].trim() ?? "";
  function marked(element, name, now) {
    const [style, mark, next] = [styleOf(element), spelled[name], { ...now }];
    if (mark) next[mark] = true;
    const [weight, slant, line] = [said(style, "font-weight"), said(style, "font-style"), said(style, "text-decoration(?:-line)?")];
    if (weight && now.heading === undefined) next.strong = weight === "bold" || weight === "bolder" || +weight >= 600;
    if (slant) next.em = /italic|oblique/.test(slant);
    if (/underline/.test(line) && !now.link && name !== "a") next.u = true;
    if (/line-through/.test(line)) next.s = true;
    return next;
  }
  // A list as Word's clipboard has it: paragraphs, with what stands before each as text that is to be ignored.
  function wordItem(element) {
    if (!/mso-list:(?!\s*ignore)/.test(styleOf(element))) return null;
    const bullet = [...element.querySelectorAll("span")].find((one) => /mso-list:\s*ignore/.test(styleOf(one)));
    return { isNumbered: /[0-9a-z]+[.)]/i.test(bullet?.textContent ?? "") };
  }
  function blocksOf(root) {
    const blocks = [];
    let runs = [];
    const end = (at) => { if (runs.length) blocks.push({ ...kindOf(at), runs }); runs = []; };
    function kindOf({ isCode, heading, lists, quotes }) {
      if (isCode) return { tag: "pre" };
      if (heading) return { tag: "h" + heading };
      if (lists.length) return { tag: "li", list: lists.at(-1), depth: lists.length - 1 };
      return { tag: "p", isQuote: quotes > 0 };
    }
    function add(text, at) {
      const run = { text, link: at.link ?? null, marks: marks.filter((mark) => at[mark] && !(mark === "code" && at.isCode)) };
      runs.push(...(run.link || at.code || at.isCode ? [run] : linked(run)));
    }
    function read(node, at) {
      if (node.nodeType === 3) return add(at.isCode ? node.data : node.data.replace(/[\r\n\t]/g, " "), at);
      if (node.nodeType !== 1) return;
      const name = node.localName;
      if (dropped.has(name) || /mso-list:\s*ignore/.test(styleOf(node))) return;
      if (name === "br") return add("\n", at);
      const inside = marked(node, name, at);
      if (name === "a") inside.link = safe(node.getAttribute("href") ?? "") ?? at.link;
      if (!breaking.has(name)) return children(node, inside);
      end(at);
      const [level, item] = [/^h([1-6])$/.exec(name)?.[1], name === "p" ? wordItem(node) : null];
      if (level) inside.heading = Math.min(3, +level);
      if (level) inside.strong = false; // it is a heading that looks so
      if (name === "pre") inside.isCode = true;
      if (name === "blockquote") inside.quotes += 1;
      if (name === "ul" || name === "ol") inside.lists = [...at.lists, name];
      if (item) inside.lists = [item.isNumbered ? "ol" : "ul"];
      children(node, inside);
      end(inside);
    }
    const children = (node, at) => { for (const child of node.childNodes) read(child, at); };
    const start = { lists: [], quotes: 0 };
    children(root, start);
    end(start);
    return blocks;
  }

  // ---- Tidying, as PostRuns does it
  const isShown = (letter) => letter === "\n" || letter === "\t" || !/[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\ufffe\uffff]/u.test(letter);
  const looksLike = (one, other) => one.link === other.link && one.marks.join() === other.marks.join();
  function tidied(runs, isCode) {
    const tidy = [];
    const append = (text, of) => {
      if (!text) return;
      const last = tidy.at(-1);
      if (last && looksLike(last, of)) last.text += text; else tidy.push({ ...of, text });
    };
    const lastOf = (text) => text.at(-1) ?? tidy.at(-1)?.text.at(-1) ?? "\n";
    for (const run of runs) {
      let text = "";
      for (let letter of run.text) {
        if (!isShown(letter)) continue;
        if (letter === "\u00a0") letter = " "; // browsers type it where two spaces follow each other
        if (isCode) { text += letter; continue; }
        const isSpace = letter === " " || letter === "\t";
        if (isSpace && " \n".includes(lastOf(text))) continue;
        if (letter === "\n" && lastOf(text) === " ") {
          if (text) text = text.slice(0, -1); else {
            tidy.at(-1).text = tidy.at(-1).text.slice(0, -1);
            if (!tidy.at(-1).text) tidy.pop();
          }
        }
        if (letter === "\n" && !text && !tidy.length) continue;
        text += isSpace ? " " : letter;
      }
      append(text, run);
    }
    while (tidy.length) {
      tidy.at(-1).text = tidy.at(-1).text.replace(/[ \n\t]+$/, "");
      if (tidy.at(-1).text) break;
      tidy.pop();
    }
    return tidy;
  }

  // ---- Writing
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const escaped = (text) => text.replace(/[&<>"']/g, (letter) => escapes[letter]);
  function written({ text, link, marks: on }, isCode) {
    const words = isCode ? escaped(text) : escaped(text).replaceAll("\n", "<br>");
    const dressed = on.reduceRight((inner, mark) => `<${mark}>${inner}</${mark}>`, words);
    return link ? `<a href="${escaped(link)}" rel="nofollow noopener noreferrer ugc">${dressed}</a>` : dressed;
  }
  // What stands around a block: of an entry of a list, for each list that it lies in, the list and the entry.
  function frames(block, at, before) {
    if (block.isQuote) return [{ tag: "blockquote" }];
    if (block.tag !== "li") return [];
    const around = before[0]?.tag === "blockquote" ? [] : before.slice(0, block.depth * 2 + 1);
    if (around.length === block.depth * 2 + 1 && around.at(-1).tag === block.list) return [...around, { tag: "li", at }];
    return [...around.slice(0, block.depth * 2), { tag: block.list, at }, { tag: "li", at }];
  }
  const mostDepth = 7;
  function html(root) {
    let [text, open, deepest] = ["", [], 0];
    const close = (count) => { for (const { tag } of open.splice(count).reverse()) text += `</${tag}>`; };
    for (const [at, block] of blocksOf(root).entries()) {
      const isCode = block.tag === "pre";
      const tidy = tidied(block.runs, isCode);
      if (!tidy.length) continue;
      const isItem = block.tag === "li";
      const depth = isItem ? Math.min(block.depth, deepest) : 0;
      deepest = isItem ? Math.min(depth + 1, mostDepth) : 0;
      const path = frames({ ...block, depth }, at, open);
      const shared = path.findIndex((frame, place) => frame !== open[place] && !(frame.tag === "blockquote" && open[place]?.tag === "blockquote"));
      close(shared < 0 ? path.length : shared);
      for (const frame of path.slice(open.length)) { text += `<${frame.tag}>`; open.push(frame); }
      const words = tidy.map((run) => written(run, isCode)).join("");
      // The first line feed behind `<pre>` is none.
      text += isItem ? words : `<${block.tag}>${isCode && words[0] === "\n" ? "\n" : ""}${words}</${block.tag}>`;
    }
    close(0);
    return text;
  }
  // Of what came as HTML from somewhere: read by the browser's parser, in a document in which nothing runs and nothing is fetched. What a page that
  // allows no styles and no scripts would complain of is called otherwise before, or left out.
  const neutral = (text) => text.replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<(?:style|script|link|meta|base)\b[^>]*>/gi, "")
    .replace(/<[^>]*>/g, (tag) => tag.replace(/([\s"'/])(style|on[a-z]+)\s*=/gi, "$1data-$2="));
  const pasted = (text) => html(new DOMParser().parseFromString(neutral(text), "text/html").body);
  return Object.assign(html, { pasted, safe, escaped });
})();
