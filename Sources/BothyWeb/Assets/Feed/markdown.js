// Markdown that came as a whole, by the clipboard or from a page without this script: blocks by their first letters, words by their marks.
// The server's own reader (MarkdownText) knows more of it; this is what people type.
"use strict";
// What begins a line, and what it makes of it.
globalThis.bothyMarks = { "#": "h1", "##": "h2", "###": "h3", "-": "ul", "*": "ul", "+": "ul", "1.": "ol", "1)": "ol", ">": "blockquote", "```": "pre" };
globalThis.bothyMarkdown = (written) => {
  const { escaped, safe } = bothyEncode;
  const inline = (line) => {
    let text = escaped(line);
    const code = [];
    text = text.replace(/`([^`]+)`/g, (_, words) => `\u0000${code.push(words) - 1}\u0000`);
    text = text.replace(/\[([^\]]+)\]\(([^()\s]+)\)/g, (all, words, address) => {
      const href = safe(address.replaceAll("&amp;", "&"));
      return href ? `<a href="${escaped(href)}">${words}</a>` : all;
    });
    text = text.replace(/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*/g, "<strong>$1</strong>").replace(/~~([^~\s](?:[^~]*[^~\s])?)~~/g, "<s>$1</s>");
    text = text.replace(/(^|[^*\p{L}\p{N}])\*([^*\s](?:[^*]*[^*\s])?)\*/gu, "$1<em>$2</em>");
    return text.replace(/\u0000(\d+)\u0000/g, (_, at) => `<code>${code[at]}</code>`);
  };
  let [html, paragraph, code] = ["", [], null];
  const flush = () => { if (paragraph.length) html += `<p>${paragraph.map(inline).join("<br>")}</p>`; paragraph = []; };
  for (const line of written.replace(/\r\n?/g, "\n").split("\n")) {
    if (code) { if (/^```\s*$/.test(line)) { html += `<pre>${code.map(escaped).join("\n")}</pre>`; code = null; } else code.push(line); continue; }
    const [, mark, words] = /^\s{0,3}(#{1,3}|[-*+]|\d{1,3}[.)]|>)\s+(.*)$/.exec(line) ?? [];
    if (/^```/.test(line)) { flush(); code = []; }
    else if (mark) {
      flush();
      const kind = bothyMarks[mark] ?? "ol";
      html += kind.startsWith("h") ? `<${kind}>${inline(words)}</${kind}>` : kind === "blockquote" ? `<blockquote><p>${inline(words)}</p></blockquote>` : `<${kind}><li>${inline(words)}</li></${kind}>`;
    } else if (line.trim()) paragraph.push(line); else flush();
  }
  if (code) html += `<pre>${code.map(escaped).join("\n")}</pre>`;
  flush();
  return bothyEncode.pasted(html);
};
