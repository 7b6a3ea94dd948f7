"""Texts that were made to break who reads HTML: those of the fuzzer (Tests/FuzzTests/Seeds/post-texts), changed by a seed."""

import random

from server import ROOT

SEEDS = ROOT / "Tests/FuzzTests/Seeds/post-texts"
#: What chance alone would hardly find.
WORDS = [
    "<p>", "</p>", "<b>", "<i>", "</b>", "</i>", "<u>", "<s>", "<code>", "</code>", "<br>", "<h1>", "<ul><li>", "</ul>", "<ol>", "<li>",
    "<pre>", "</pre>", "<blockquote>", '<a href="https://a.example/">', "<a href='javascript:alert(1)'>", "</a>", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "</svg>", "<math>", "<mtext>", "<style>", "</style>", "<template>", "<noscript>",
    "<title>", "<textarea>", "<select>", "<table>", "<td>", "<!--", "-->", "<![CDATA[", "]]>", "&lt;", "&amp;", "&quot;", "&#x3c;", "&#10;",
    '"', "'", "`", ">", "<", "=", "/", " on", " onclick=alert(1) ", "\n", "\r\n", "\t", "\0", "#tag", " @a", "\u2066", "\u2069", "\u202e",
    "\u2028", "\u0301", "\u200d", "\u00a0", "\ufeff", "\ufffe", "\U0001f468\u200d\U0001f469", "word",
]


def seeds():
    return [line for file in sorted(SEEDS.iterdir()) for line in file.read_text().split("\n") if line]


def doubled(dice, text, start, end):
    return text[:end] + text[start:end] * dice.randrange(1, 40) + text[end:]


def inserted(dice, text, start, _):
    return text[:start] + dice.choice(WORDS) + text[start:]


def spliced(dice, text, start, _):
    other = dice.choice(SEED_TEXTS)
    place = dice.randrange(len(other) + 1)
    return text[:start] + other[place:place + dice.randrange(200)] + dice.choice((text[start:], ""))


def referred(dice, text, start, end):
    """Some of it as HTML's references to characters."""
    return text[:start] + "".join(dice.choice((f"&#{ord(one)};", f"&#x{ord(one):x}", one)) for one in text[start:end]) + text[end:]


def wrapped(dice, text, start, end):
    name = dice.choice(("b", "a href=https://a.example", "ul", "li", "p", "pre", "svg", "math", "table", "code", "blockquote", "x"))
    return f"{text[:start]}<{name}>{text[start:end]}</{name.split()[0]}>{text[end:]}"


WAYS = (
    lambda dice, text, start, end: text[:start] + text[end:], lambda dice, text, start, end: text[:start] + text[start:end].swapcase() + text[end:],
    lambda dice, text, start, end: text[:start] + chr(dice.choice((dice.randrange(0x80), dice.randrange(0xD800)))) + text[end:],
    doubled, inserted, inserted, inserted, spliced, referred, wrapped, wrapped)
SEED_TEXTS = seeds()


def texts(count, seed=0):
    """`count` of them, the same each time: all seeds as they are, and then what was made of them."""
    yield from SEED_TEXTS[:count]
    dice = random.Random(seed)
    for _ in range(count - len(SEED_TEXTS)):
        text = dice.choice(SEED_TEXTS)
        for _ in range(dice.randrange(1, 7)):
            start = dice.randrange(len(text) + 1)
            text = dice.choice(WAYS)(dice, text, start, min(len(text), start + dice.randrange(1, 30)))
        yield text
