"""The screen of conflicts on a device: both sides side by side, and what is decided."""

import pytest

from browser import BrowserError, expect, is_said
from waiting import wait_until

BASE = "one\ntwo\nthree\nfour\nfive\n"
MINE = "ONE\ntwo\nthree\nfour\nfive\n"
THEIRS = "one\ntwo\nthree\nfour\nFIVE, and a sixth\n"
NAME = "a<img src=x onerror=alert(1)>.txt"


@pytest.fixture
def met(desk):
    desk.put(desk.laptop, NAME, BASE)
    desk.both_change(NAME, MINE, THEIRS)
    wait_until(lambda: desk.laptop.run("conflicts").stdout)
    wait_until(lambda: shown(desk), every=0.5)
    return desk


def shown(desk):
    """The conflict is on its screen; the agent may only be coming back."""
    try:
        desk.page.goto("/conflicts")
    except BrowserError:
        return False
    return card(desk.page).count()


def card(page):
    return page.locator("article.card-of")


def test_nothing_to_decide_says_when_there_would_be(desk):
    desk.page.goto("/conflicts")
    desk.page.get_by_role("heading", name="No conflicts").wait_for()


def test_both_sides_stand_beside_each_other_and_on_a_phone_one_above_the_other(met):
    mine, theirs = (met.page.get_by_role("region", name=name) for name in ("Yours", "Theirs"))
    assert "laptop" in mine.inner_text() and "phone" in theirs.inner_text()
    assert "24 B" in mine.inner_text() and "37 B" in theirs.inner_text() and NAME not in mine.inner_text()
    left, right = mine.bounding_box(), theirs.bounding_box()
    assert left["y"] == right["y"] and left["x"] < right["x"]
    met.page.set_viewport_size({"width": 390, "height": 780})
    above, below = mine.bounding_box(), theirs.bounding_box()
    assert above["x"] == below["x"] and above["y"] < below["y"]
    met.line("1 needs attention")
    met.page.locator("#line a").click()
    met.page.wait_for_url("**/conflicts")


@pytest.mark.parametrize("choice, expected", [
    ("Keep yours", {NAME: MINE}), ("Keep theirs", {NAME: THEIRS}), ("Keep both", None),
    ("Merge", {NAME: "ONE\ntwo\nthree\nfour\nFIVE, and a sixth\n"}),
])
def test_each_choice_is_made_and_taken_back(met, choice, expected):
    card(met.page).get_by_role("button", name=choice).click()
    is_said(met.page, "Decided. No version is lost.")
    met.page.get_by_role("heading", name="No conflicts").wait_for()
    met.line("Up to date")
    if expected:
        wait_until(lambda: met.phone.cat("/" + NAME).decode() == expected[NAME])
    else:
        wait_until(lambda: len(met.phone.run("ls").stdout.splitlines()) == 2)
        assert met.phone.cat("/" + NAME).decode() == THEIRS
    met.page.get_by_role("button", name="Undo").click()
    is_said(met.page, "The conflict is open again")
    card(met.page).get_by_role("button", name="Keep yours").wait_for()


def test_what_differs_is_shown_line_by_line(met):
    met.page.get_by_role("link", name="Compare").click()
    met.page.get_by_role("heading", name="Compare versions").wait_for()
    expect(met.page.locator(".removed .line")).to_have_text(["one", "FIVE, and a sixth"])
    expect(met.page.locator(".added .line")).to_have_text(["ONE", "five"])
    met.page.get_by_role("button", name="Keep theirs").click()
    met.page.wait_for_url("**/conflicts")
    assert met.phone.cat("/" + NAME).decode() == THEIRS


def test_pictures_are_opened_each_and_neither_compared_nor_merged(desk):
    desk.put(desk.laptop, "a.png", b"\x89PNG one")
    desk.both_change("a.png", b"\x89PNG two", b"\x89PNG three")
    wait_until(lambda: desk.laptop.run("conflicts").stdout)
    wait_until(lambda: shown(desk), every=0.5)
    picture = card(desk.page)
    expect(picture.locator(".choice-of strong")).to_have_text(["Keep yours", "Keep theirs", "Keep both"])
    expect(picture.get_by_role("link")).to_have_text(["Open yours", "Open theirs"])


def test_yours_is_saved_and_theirs_is_opened(met):
    with met.page.expect_download() as saved:
        met.page.get_by_role("link", name="Open yours").click()
    assert open(saved.value.path()).read() == MINE
    with met.page.expect_popup() as opened:
        met.page.get_by_role("link", name="Open theirs").click()
    opened.value.get_by_text("FIVE, and a sixth").wait_for()


def test_what_waits_comes_and_goes_on_an_open_page(desk):
    desk.put(desk.laptop, "live.txt", BASE)
    desk.page.goto("/conflicts")
    desk.page.get_by_role("heading", name="No conflicts").wait_for()
    desk.both_change("live.txt", MINE, THEIRS)
    card(desk.page).wait_for()
    card(desk.page).get_by_role("button", name="Keep both").focus()
    desk.laptop.run("resolve", "/live.txt", "--keep", "mine")
    desk.page.get_by_role("heading", name="No conflicts").wait_for()
    desk.page.locator(".entry", has_text="live.txt").wait_for()
    # What was decided leaves nothing behind that waits.
    wait_until(lambda: desk.laptop.json("status")["transfers"]["failed"] == 0)


def alone(desk):
    """The page has lost its way to the agent: it shows what there was."""
    desk.page.add_init_script("delete globalThis.SharedWorker")
    desk.page.route("**/device/conflicts/events", lambda route: route.fulfill(status=204))
    desk.page.reload()
    card(desk.page).wait_for()


def test_nobody_decides_over_what_they_have_not_seen(met):
    alone(met)
    met.put(met.phone, NAME, "newer still\n")
    wait_until(lambda: "newer" in met.laptop.run("cat", "/" + NAME).stdout)
    met.page.get_by_role("button", name="Keep yours").click()
    is_said(met.page, "has changed again", failure=True)
    expect(card(met.page)).to_have_count(1)
    expect(card(met.page)).to_contain_text("12 B")
    assert met.phone.cat("/" + NAME) == b"newer still\n"


@pytest.fixture
def box(desk):
    """A folder in step whose file was changed on both sides: it asks."""
    box = desk.laptop.home / "box"
    box.mkdir()
    (box / "a.txt").write_text(BASE)
    desk.laptop.run("sync", box, "/box", "--conflicts", "ask")
    desk.server.stop()
    (box / "a.txt").write_text(MINE)
    desk.laptop.run("agent", "--stop")
    desk.server.start()
    desk.put(desk.phone, "a.txt", THEIRS, "/box/")
    desk.begin_agent()
    wait_until(lambda: "a.txt" in desk.laptop.run("conflicts").stdout)
    wait_until(lambda: shown(desk), every=0.5)
    return box


def test_a_folder_in_step_asks_here_too(desk, box):
    desk.line("1 needs attention")
    expect(card(desk.page)).to_contain_text(str(box))
    card(desk.page).get_by_role("button", name="Merge").click()
    desk.page.get_by_role("heading", name="No conflicts").wait_for()
    merged = "ONE\ntwo\nthree\nfour\nFIVE, and a sixth\n"
    wait_until(lambda: (box / "a.txt").read_text() == merged)
    wait_until(lambda: desk.phone.cat("/box/a.txt").decode() == merged)


def test_nobody_decides_in_a_folder_in_step_over_what_they_have_not_seen(desk, box):
    alone(desk)
    (box / "a.txt").write_text("newer still\n")
    desk.page.get_by_role("button", name="Keep theirs").click()
    is_said(desk.page, "has changed again", failure=True)
    card(desk.page).wait_for()
    assert (box / "a.txt").read_text() == "newer still\n"
    assert desk.phone.cat("/box/a.txt").decode() == THEIRS


def test_what_becomes_of_conflicts_is_chosen(desk):
    desk.page.goto("/conflicts")
    chosen = desk.page.locator("[aria-current=true]", has_text="Keep both")
    chosen.wait_for()
    desk.page.get_by_role("button", name="Ask me").click()
    is_said(desk.page, "The setting was saved.")
    desk.page.locator("button[aria-current=true]", has_text="Ask me").wait_for()
    assert "ask" in desk.laptop.run("conflicts", "policy").stdout
    desk.page.goto("/synced")
    expect(desk.page.get_by_role("radio", name="Ask me")).to_be_checked()
