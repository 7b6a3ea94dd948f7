"""Whatever HTML is sent: what is kept of it has one spelling, every parser reads that as it stands, and in a browser nothing of it runs."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from api import TLS, Api, new_id, problem
from hostile_texts import SEED_TEXTS, texts
from post_parsers import BY_BROWSER, by_html5lib, by_lexbor
from test_feed_drafts import new_draft

PAGE = "http://feed.example/"
#: Texts of one page.
MANY = 500
WRITERS = 8


def kept(api, sent):
    """What the server makes of each, as one version of a draft after the other; nothing where it is more than a text may be."""
    def in_one_draft(number):
        place, version, made = f"/v1/drafts/{new_draft()}", 0, []
        for text in sent[number::WRITERS]:
            response = api.call("PUT", place, json={"content": text, "baseVersion": version})
            if response.status_code == 400:
                problem(response, 400, "invalid_parameter")
                continue
            assert response.status_code in (200, 201), f"{text!r}: {response.text}"
            version = response.json()["version"]
            made.append(response.json()["content"])
        api.call("DELETE", place, expect=204)
        return made

    with ThreadPoolExecutor(WRITERS) as pool:
        return [text for made in pool.map(in_one_draft, range(WRITERS)) for text in made]


@pytest.fixture(scope="module")
def writer(shared_server):
    api = Api(shared_server.url).register(f"{new_id()}@example.org")
    yield api
    api.close()


@pytest.fixture(scope="module", params=[1_000, pytest.param(20_000, marks=pytest.mark.long)])
def sample(request, writer):
    """What became of so many texts that were made to break something, each once."""
    made = kept(writer, list(texts(request.param)))
    assert len(made) > 0.95 * request.param, "hardly any text is too long"
    some = sorted(set(made) - {""})
    assert len(some) > 0.5 * request.param, "most of them leave something to look at"
    return some


def assert_same(read, written, who):
    assert len(read) == len(written), who
    for one, other in zip(read, written):
        assert one == other, f"{who} makes {one!r} of {other!r}"


def test_what_is_kept_is_kept_as_it_stands_when_it_is_sent_again(writer, sample):
    assert sorted(set(kept(writer, sample))) == sample


@pytest.mark.parametrize("parser", [by_html5lib, by_lexbor])
def test_other_parsers_read_it_as_it_stands(sample, parser):
    assert_same([parser(text) for text in sample], sample, parser.__name__)


@contextlib.contextmanager
def drawn(browser, sample, policy=None):
    """A page with these texts, and all that happens in it besides being drawn."""
    context, happened = browser.new_context(service_workers="block"), []
    context.add_init_script("""addEventListener("securitypolicyviolation", (event) =>
        console.error(`${event.violatedDirective} keeps out ${event.blockedURI} ${event.sample}`));""")
    headers = {"Content-Security-Policy": policy} if policy else {}
    body = "<!doctype html><meta charset=utf-8><title>Posts</title>" + "".join(f"<div class=post>{text}</div>" for text in sample)
    pages = [PAGE]

    def answer(route):
        if pages and route.request.url == pages[0]:
            pages.pop()
            return route.fulfill(body=body, content_type="text/html; charset=utf-8", headers=headers)
        happened.append(f"asks for {route.request.url}")
        route.abort()

    context.route("**/*", answer)
    page = context.new_page()
    page.on("dialog", lambda dialog: (happened.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    page.on("console", lambda said: happened.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: happened.append(str(error)))
    page.on("popup", lambda popup: happened.append(f"a window: {popup.url}"))
    try:
        page.goto(PAGE)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        yield page, happened
    finally:
        context.close()


@pytest.fixture(scope="module")
def policy(shared_server):
    """Of the web app's own pages."""
    return httpx.get(f"{shared_server.url}/sign-in", trust_env=False, verify=TLS).headers["content-security-policy"]


@pytest.mark.parametrize("guarded", [False, True], ids=["without a policy", "under the policy of the web app"])
def test_a_browser_reads_it_as_it_stands_and_nothing_runs(browser, sample, policy, guarded):
    for start in range(0, len(sample), MANY):
        some = sample[start:start + MANY]
        with drawn(browser, some, policy if guarded else None) as (page, happened):
            of_the_page, by_itself = page.evaluate(BY_BROWSER, [".post", some])
            assert_same(of_the_page, some, "a page")
            assert_same(by_itself, some, "an element")
            assert happened == [] and page.url == PAGE


def test_what_would_run_is_noticed(browser, policy):
    """The texts as they were sent do run, or the test before would see nothing whatever happened."""
    alerts, pictures = '<img src="data:," onerror="alert(1)">', "<img src=https://x.example/a>"
    with drawn(browser, [alerts, pictures]) as (page, happened):
        page.wait_for_function("() => [...document.images].every((one) => one.complete)")
        assert {"a dialog: 1", "asks for https://x.example/a"} <= set(happened)
    with drawn(browser, [alerts], policy) as (page, happened):
        page.wait_for_function("() => [...document.images].every((one) => one.complete)")
        assert any("script-src" in said for said in happened) and "a dialog: 1" not in happened
    with drawn(browser, ["<svg><p>a</p></svg>", "<table><b>a</b></table>"]) as (page, _):
        read, _ = page.evaluate(BY_BROWSER, [".post", []])
        assert read == ["<foreign svg></foreign svg><p>a</p>", "<b>a</b><table></table>"]


@pytest.mark.parametrize("body", [
    b'{"requestId": "%s", "content": "<p>\xff</p>"}', b'{"requestId": "%s", "content": "<p>\xc0\xbcscript></p>"}',
    b'{"requestId": "%s", "content": "<p>\xed\xa0\x80</p>"}', b'{"requestId": "%s", "content": "<p>\\ud800</p>"}',
    b'{"requestId": "%s", "content": "<p>\xf0\x9f\x92"}'], ids=["a byte", "too long", "half a pair", "half a pair as a reference", "cut"])
def test_a_text_that_is_not_utf_8_is_refused(untouched, body):
    response = untouched.call(
        "POST", "/v1/posts", content=body % new_id().encode(), headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    problem(response, 400, "malformed_request")


def test_the_texts_are_those_of_the_fuzzer_and_many():
    made = list(texts(5_000))
    assert made[:len(SEED_TEXTS)] == SEED_TEXTS and made == list(texts(5_000)) and len(set(made)) > 4_900
