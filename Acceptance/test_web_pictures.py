"""Small pictures where people see them: in a grid of photos, on a file's page, in the feed, and on a device without a connection."""

import pytest

from api import Api
from browser import expect
from desktop import DBUS_DAEMON, Network
from device import PASSWORD
from pictures import bare, film, picture, streams, told_film
from preconditions import missing
from test_agent_notices import restart
from test_agent_web_feed import article
from test_feed import attached, posted, read
from test_media import put  # a file with its media type
from test_media_films import made
from waiting import wait_until


def width(image):
    """Of what came, in pixels, once it is drawn."""
    image.evaluate("image => image.decode()")
    return image.evaluate("image => image.naturalWidth")


def tile(page, name):
    return page.locator(".row", has_text=name).locator("img.picture")


def test_a_grid_shows_small_pictures_of_what_browsers_cannot_show_too(account, person):
    for name, data, mime in (("walk.jpg", picture("jpg"), "image/jpeg"), ("phone.heic", picture("heic", 640, 480), "image/heic"),
                             ("clip.mp4", film(), "video/mp4")):
        put(account, name, data, mime)
    person.page.goto("/?layout=grid")
    for name in ("walk.jpg", "phone.heic", "clip.mp4"):
        assert width(tile(person.page, name)) == 256
    person.page.get_by_role("link", name="phone.heic").click()
    shown = person.page.locator("img.shown")
    assert width(shown) == 640
    person.page.get_by_text("This is a smaller copy").wait_for()
    assert person.page.get_by_role("link", name="Download").get_attribute("href").endswith("/content")


def test_a_film_shows_a_picture_before_it_plays(account, person):
    file = put(account, "clip.mp4", film(), "video/mp4")
    person.page.goto(f"/file/{file['id']}")
    poster = person.page.locator("video").get_attribute("poster")
    assert person.page.request.get(poster).headers["content-type"] == "image/webp"


def test_a_film_in_the_feed_looks_like_one_and_plays(account, person):
    clip = put(account, "clip.mp4", film(), "video/mp4")
    photo = put(account, "walk.jpg", picture("jpg"), "image/jpeg")
    posted(account, "<p>a film alone</p>", attachments=[{"type": "video", "contentUrl": clip["downloadUrl"]}])
    posted(account, "<p>both</p>", attachments=[attached(photo), {"type": "video", "contentUrl": clip["downloadUrl"]}])
    wait_until(lambda: all("durationMs" in one for entry in account.call("GET", "/v1/feed", expect=200).json()["feed"]
                           for one in entry.get("attachmentPreviews", []) if one["type"] == "video"), seconds=60, what="lengths")
    page = person.page
    # Chromium as it is tested has no H.264: what is asked for tells.
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/feed")
    for words, label, place in (("a film alone", "1 video", 0), ("both", "1 photo and 1 video", 1)):
        tile = article(page, words).locator(".cell").nth(place)
        expect(tile).to_have_attribute("data-view", "video")
        expect(tile).to_have_attribute("aria-label", label)
        expect(tile.locator(".length")).to_have_text("0:02")
        expect(tile.locator(".runs")).to_be_visible()
        tile.click()
        expect(page.locator("#viewer [data-look=zoom]")).to_be_hidden()
        wait_until(lambda: any(f"media?at={place}&film=auto" in url for url in asked), what="the film is asked for")
        page.keyboard.press("Escape")
        page.wait_for_function("() => !history.state?.isViewing")  # the place in the history that it had is gone
    expect(article(page, "both").locator(".cell").first).to_have_attribute("data-view", "image")


def test_a_film_plays_as_the_server_has_prepared_it(account, person):
    clip = put(account, "clip.mp4", told_film("words"), "video/mp4")
    post = posted(account, "<p>a film</p>", attachments=[{"type": "video", "contentUrl": clip["downloadUrl"]}])
    made(account, clip["downloadUrl"], "720p")
    for place in (f"/posts/{post}", f"/file/{clip['id']}"):
        person.page.goto(place)
        shown = person.page.locator("video").first.get_attribute("src")
        assert streams(person.page.request.get(shown).body())[:3] == ("h264", 1280, 720), place
    assert person.page.request.get(person.page.get_by_role("link", name="Download").get_attribute("href")).body() == told_film("words")


def test_a_feed_takes_small_pictures_and_has_the_whole_behind_them(account, person):
    photo = put(account, "walk.jpg", picture("jpg"), "image/jpeg")
    clip = put(account, "clip.mp4", film(), "video/mp4")
    post = posted(account, "<p>a walk</p>", attachments=[
        attached(photo), {"type": "video", "contentUrl": clip["downloadUrl"]}])
    person.page.goto("/feed")
    assert width(article(person.page, "a walk").locator("img").first) == 640
    person.page.goto(f"/posts/{post}")
    assert width(person.page.locator("figure img")) == 960
    assert "quality=high" in person.page.locator("video").get_attribute("poster")
    whole = person.page.locator("figure a").first.get_attribute("href")
    assert person.page.request.get(whole).body() == bare(picture("jpg"))


@pytest.mark.parametrize("width, height", [(1600, 1200), (600, 900), (60, 40)])
def test_nothing_moves_when_a_picture_comes(account, person, width, height):
    """What is on its way has its room, and its colours, already."""
    words = f"a walk {width} wide"
    post = posted(account, f"<p>{words}</p>", attachments=[
        attached(put(account, f"{width}.png", picture("png", width, height), "image/png"))])
    wait_until(lambda: "placeholder" in read(account, post)["attachments"][0], what="what it looks like from afar")
    page, held, holds = person.page, [], True
    page.route("**/media?*", lambda route: held.append(route) if holds else route.continue_())
    for place, part in (("/feed", ".cells"), (f"/posts/{post}", ".shot")):
        holds = True
        page.goto(place, wait_until="domcontentloaded")
        box = article(page, words).locator(part)
        box.locator("canvas.placeholder").wait_for(state="attached")
        box.scroll_into_view_if_needed()
        before = box.bounding_box()
        assert before["height"] > 30
        wait_until(lambda: page.wait_for_timeout(50) or held, what="the browser asks for it")
        holds = False
        while held:
            held.pop().continue_()
        box.locator("img").evaluate("image => image.decode()")
        wait_until(lambda: box.locator("canvas").count() == 0, what="the picture in its place")
        after = box.bounding_box()
        assert all(abs(before[side] - after[side]) <= 1 for side in ("x", "width", "height")), (place, before, after)


@pytest.fixture
def mine(desk):
    mine = Api(desk.server.url).login(desk.email, PASSWORD, name="witness")
    yield mine
    mine.close()


def test_a_device_shows_what_it_has_seen_without_a_connection_too(desk, mine):
    seen = put(mine, "walk.jpg", picture("jpg"), "image/jpeg")
    post = posted(mine, "<p>a walk</p>", attachments=[attached(seen)])

    def look():
        desk.page.goto("/?layout=grid")
        assert width(tile(desk.page, "walk.jpg")) == 256
        desk.page.goto("/feed")
        assert width(article(desk.page, "a walk").locator("img")) == 960
        desk.page.goto(f"/posts/{post}")
        assert width(desk.page.locator("figure img")) == 960

    look()
    desk.server.stop()
    look()
    desk.server.start()


def test_a_device_in_a_metered_network_asks_for_the_smallest(desk, mine):
    if DBUS_DAEMON is None:
        missing("dbus", "there is no dbus-daemon here (make setup gets it)")
    post = posted(mine, "<p>a walk</p>", attachments=[attached(put(mine, "walk.jpg", picture("jpg"), "image/jpeg"))])
    network = Network().begin().of(desk.laptop)
    try:
        restart(desk)
        network.is_metered = True
        desk.page.goto(f"/posts/{post}")
        assert width(desk.page.locator("figure img")) == 427
        network.is_metered = False

        def is_large():
            desk.page.goto(f"/posts/{post}")
            return width(desk.page.locator("figure img")) == 960

        # The device hears of it from the bus.
        wait_until(is_large, what="a picture as large as in any other network")
    finally:
        network.end()


def test_what_is_no_picture_shows_its_kind(account, person):
    put(account, "bad.jpg", b"\xff\xd8\xff" + b"x" * 300_000, "image/jpeg")
    person.page.goto("/?layout=grid")
    row = person.page.locator(".row", has_text="bad.jpg")
    row.locator("svg.kind").wait_for()
    expect(row.locator("img")).to_have_count(0)
    person.complaints.clear()  # of the picture that there is not
