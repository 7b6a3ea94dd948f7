"""Pages load what they need, and nothing of what other pages do."""

from test_web_feed import open_feed


def loaded(page):
    """The names of the scripts and styles that a page asks for."""
    addresses = page.evaluate(
        "[...document.querySelectorAll('script[src], link[rel=stylesheet]')].map((part) => part.src || part.href)")
    return {address.rsplit("/", 1)[1] for address in addresses}


def test_pages_of_files_load_nothing_of_the_feed(person):
    of_feed = {"feed.css", "feed.js", "editor.js", "compose.js", "viewer.js"}
    for place in ("/", "/search", "/trash", "/settings"):
        person.page.goto(place)
        assert not loaded(person.page) & of_feed and "bothy.css" in loaded(person.page)
    assert of_feed <= loaded(open_feed(person))


def test_what_was_not_saved_is_forgotten_whatever_page_one_signs_out_on(person):
    person.page.goto("/")
    person.page.evaluate("localStorage.setItem('bothy-drafts', 'mine')")
    person.page.get_by_role("button", name="Sign out").click()
    person.page.wait_for_url("**/sign-in*")
    assert person.page.evaluate("localStorage.getItem('bothy-drafts')") is None
