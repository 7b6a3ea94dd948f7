"""New posts wait above what is read, as a number, and nothing that is read moves when they come."""

from browser import expect
from test_feed import posted
from test_feed_search import word
from test_web_feed import article, author, open_feed  # noqa: F401
from waiting import wait_until

#: One page is kept from coming on purpose.
COMPLAINTS = ("ERR_FAILED",)


def fresh(page, name):
    return page.get_by_role("link", name=name, exact=True)


def shown(page):
    """The numbers of the posts, from the top."""
    return [int(text.split()[-1]) for text in page.locator("article.post .said").all_text_contents()]


def write(author, numbers):
    for number in numbers:
        posted(author, f"<p>number {number}</p>")


def test_new_posts_are_counted_as_they_come_and_shown_above_what_was_there(account, person, author):
    write(author, [1])
    page = open_feed(person)
    page.evaluate("document.querySelector('article.post').isTheSame = true")
    write(author, [2])
    fresh(page, "1 new post").wait_for()
    write(author, [3, 4])
    told = fresh(page, "3 new posts")
    told.wait_for()
    assert shown(page) == [1], "nothing comes unasked"
    told.click()
    article(person, "number 4").wait_for()
    assert shown(page) == [4, 3, 2, 1]
    assert page.evaluate("[...document.querySelectorAll('article.post')].at(-1).isTheSame"), "what was there is not drawn anew"
    expect(told).to_have_count(0)
    assert page.evaluate("scrollY") == 0
    write(author, [5])
    fresh(page, "1 new post").wait_for()


def test_what_is_read_stays_where_it_is_when_something_new_is_told(account, person, author):
    write(author, range(1, 13))
    page = open_feed(person)
    page.mouse.wheel(0, 900)
    page.wait_for_function("() => scrollY > 300")
    place = article(person, "number 6").bounding_box()
    write(author, [13])
    told = fresh(page, "1 new post")
    told.wait_for()
    assert article(person, "number 6").bounding_box() == place
    expect(told).to_be_in_viewport()


def test_a_post_that_came_between_the_page_and_its_stream_is_told(account, person, author):
    """The stream began with what came from then on: what came before was told by nobody."""
    page = open_feed(person)
    stream = page.locator("#content").get_attribute("data-events")
    write(author, [1])
    told = page.evaluate(
        """async (stream) => {
            const answer = await fetch(stream, { headers: { Accept: "text/event-stream" } });
            const [reader, decoder] = [answer.body.getReader(), new TextDecoder()];
            let text = "";
            while (!text.includes('data-put="bell"')) text += decoder.decode((await reader.read()).value);
            await reader.cancel();
            return text;
        }""", stream)
    assert "1 new post" in told


def test_more_than_is_counted_is_said_and_what_is_missing_opens_in_its_place(account, person, author):
    write(author, [1, 2])
    page = open_feed(person)
    write(author, range(3, 73))
    told = fresh(page, "20+ new posts")
    told.wait_for()
    told.click()
    missing = page.get_by_role("link", name="Load older posts")
    missing.wait_for()
    assert shown(page) == [*range(72, 42, -1), 2, 1]
    above = page.locator("article.post").nth(29)
    missing.scroll_into_view_if_needed()
    place = above.bounding_box()
    missing.click()
    article(person, "number 13").wait_for()
    assert above.bounding_box() == place, "what is above stays where it is"
    missing.click()
    expect(missing).to_have_count(0)
    assert shown(page) == list(range(72, 0, -1)), "each is there once, in its place"


def test_who_comes_from_below_loads_the_posts_right_above_hers_and_what_she_reads_stays(account, person, author):
    write(author, [1, 2])
    page = open_feed(person)
    write(author, range(3, 73))
    fresh(page, "20+ new posts").click()
    newer = page.get_by_role("link", name="Load newer posts")
    newer.wait_for()
    below = article(person, "number 2")
    below.scroll_into_view_if_needed()
    for loaded in (range(32, 2, -1), range(42, 2, -1)):
        newer.scroll_into_view_if_needed()
        place = page.locator(".missing + article").bounding_box()
        read = page.locator(".missing + article").get_attribute("id")
        newer.click()
        article(person, f"number {loaded[0]}").wait_for(state="attached")
        # The browser scrolls by whole points.
        assert abs(page.locator(f"#{read}").bounding_box()["y"] - place["y"]) < 1, "what is read stays where it is"
        assert shown(page) == [*range(72, 42, -1), *loaded, 2, 1]
    expect(page.locator(".missing")).to_have_count(0)


def test_posts_off_the_screen_are_not_drawn_and_nothing_moves_when_they_are(account, person, author):
    for number in range(60, 0, -1):
        posted(author, "".join(f"<p>line {line}</p>" for line in range(number * 7 % 23)) + f"<p>number {number}</p>")
    page = open_feed(person)
    while page.locator(".next").count():
        page.mouse.wheel(0, 20_000)
        page.wait_for_timeout(50)
    drawn = """() => [...document.querySelectorAll("article.post")].filter((post) =>
        post.querySelector(".said").checkVisibility({ contentVisibilityAuto: true })).length"""
    page.wait_for_function(f"() => 0 < ({drawn})() && ({drawn})() < 20")
    # What is on the screen, and where; then one step up, through posts that were not drawn.
    seen = """() => Object.fromEntries([...document.querySelectorAll("article.post")]
        .map((post) => [post.id, post.getBoundingClientRect()]).filter(([, { top, bottom }]) => bottom > 0 && top < innerHeight)
        .map(([id, { top }]) => [id, top]))"""
    for _ in range(20):
        before = page.evaluate(seen)
        moved = page.evaluate("""() => new Promise((done) => {
            const from = scrollY;
            scrollTo({ top: from - 250, behavior: "instant" });
            requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(from - scrollY))));
        })""")
        after = page.evaluate(seen)
        stayed = before.keys() & after.keys()
        assert moved == 250 and stayed and all(abs(after[post] - before[post] - moved) < 1 for post in stayed)


def test_the_first_posts_of_an_empty_feed_come_without_its_notice(account, person, author):
    page = open_feed(person)
    page.get_by_text("Nothing here yet").wait_for()
    write(author, [1])
    fresh(page, "1 new post").click()
    article(person, "number 1").wait_for()
    expect(page.get_by_text("Nothing here yet")).to_have_count(0)


def test_another_page_of_the_feed_leads_to_what_is_new(account, person, author):
    page = open_feed(person)
    page.goto("/feed/bookmarks")
    text, told = word(), page.locator("#fresh a")
    # It has no posts of the feed, and counts from when it listens on.
    wait_until(lambda: posted(author, f"<p>{text}</p>") and page.wait_for_timeout(300) or told.count(), what="it is told")
    told.click()
    page.wait_for_url("**/feed")
    article(person, text).first.wait_for()


def test_without_an_answer_what_is_new_stays_to_be_asked_for(account, person, author):
    page = open_feed(person)
    write(author, [1])
    told = fresh(page, "1 new post")
    told.wait_for()
    page.route("**/feed", lambda route: route.abort())
    told.click()
    page.locator(".toast.failure").wait_for()
    page.unroute("**/feed")
    fresh(page, "1 new post").click()
    article(person, "number 1").wait_for()
