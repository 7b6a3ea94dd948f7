"""Parsers of HTML that others wrote, and what each makes of a post's text, written again as docs/post-format.md has it."""

import html5lib
from selectolax.lexbor import LexborHTMLParser

ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
XHTML = "{http://www.w3.org/1999/xhtml}"


def element(name, attributes, inside):
    """`inside` is written already."""
    begun = name + "".join(f' {key}="{value.translate(ESCAPED)}"' for key, value in attributes.items())
    return f"<{begun}>" if name == "br" else f"<{begun}>{inside}</{name}>"


def code(name, inside, first):
    """HTML drops a line feed that stands first in code, so one more is written."""
    return "\n" + inside if name == "pre" and first == "\n" else inside


def by_html5lib(html):
    def written(node):
        name = node.tag.removeprefix(XHTML) if isinstance(node.tag, str) else "!--"
        inside = (node.text or "").translate(ESCAPED) + "".join(written(child) + (child.tail or "").translate(ESCAPED) for child in node)
        return element(name, node.attrib, code(name, inside, "".join(node.itertext())[:1]))
    root = html5lib.parseFragment(html, container="div")
    return (root.text or "").translate(ESCAPED) + "".join(written(child) + (child.tail or "").translate(ESCAPED) for child in root)


def by_lexbor(html):
    def children(node):
        child = node.child
        while child:
            yield child
            child = child.next

    def written(node):
        if node.tag == "-text":
            return node.text_content.translate(ESCAPED)
        inside = "".join(map(written, children(node)))
        return element(node.tag, node.attributes, code(node.tag, inside, node.text()[:1]))
    return "".join(map(written, children(LexborHTMLParser(f"<!doctype html><body><div>{html}</div></body>").body.child)))


#: In a page: what the browser's own parser has made of each element that this selects, and of each text that it is given besides.
BY_BROWSER = """([selector, texts]) => {
    const escaped = (text) => text.replace(/[&<>"']/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[one]);
    const inside = (node) => [...node.childNodes].map(written).join("");
    const written = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return escaped(node.data);
        if (node.nodeType !== Node.ELEMENT_NODE) return `<!${node.nodeType}>`;
        const name = (node.namespaceURI === "http://www.w3.org/1999/xhtml" ? "" : "foreign ") + node.localName;
        const begun = `<${name}${[...node.attributes].map((one) => ` ${one.name}="${escaped(one.value)}"`).join("")}>`;
        if (name === "br") return begun;
        const first = name === "pre" && node.textContent.startsWith("\\n") ? "\\n" : "";
        return `${begun}${first}${inside(node)}</${name}>`;
    };
    const again = (text) => { const part = document.createElement("div"); part.innerHTML = text; return inside(part); };
    return [[...document.querySelectorAll(selector)].map(inside), texts.map(again)];
}"""
