"""What is kept on a device: chosen in a list, opened without a connection, and the room that it takes."""

import pytest

from browser import expect, is_said

NAME = '"><svg onload=alert(1)>'


@pytest.fixture
def letters(desk):
    desk.phone.run("mkdir", "/Letters")
    for number in range(1, 4):
        desk.put(desk.phone, f"{number}.txt", f"letter {number}\n", "/Letters/")
    desk.page.goto("/?layout=list")
    desk.page.get_by_role("link", name="Letters").wait_for()
    return desk


def choose(page, name, act):
    """Done when this is over: whoever goes elsewhere at once would leave before it was sent."""
    page.locator(".row", has_text=name).locator(".pick").check()
    with page.expect_response("**/act"):
        page.locator("#acts").get_by_role("button", name=act, exact=True).click()


def test_nothing_kept_says_how_to_keep_something(desk):
    desk.page.goto("/offline")
    desk.page.get_by_role("heading", name="No offline files yet").wait_for()
    desk.page.get_by_text("are free on its disk").wait_for()


def test_what_is_kept_opens_without_a_connection(letters):
    choose(letters.page, "Letters", "Keep offline")
    is_said(letters.page, "1 item is kept offline.")
    letters.page.locator(".row", has_text="Letters").get_by_label("Kept offline").wait_for()
    letters.page.get_by_role("link", name="Offline", exact=True).click()
    letters.page.locator(".entry", has_text="Letters").get_by_text("Completely downloaded").wait_for()
    letters.server.stop()
    letters.page.locator(".entry a", has_text="Letters").click()
    letters.page.get_by_role("link", name="2.txt").click()
    letters.page.get_by_text("letter 2").wait_for()


def test_what_comes_later_into_what_is_kept_is_fetched_by_itself(letters):
    choose(letters.page, "Letters", "Keep offline")
    letters.page.goto("/offline")
    letters.page.get_by_text("Completely downloaded").wait_for()
    letters.put(letters.phone, "4.txt", b"x" * 100_000, "/Letters/")
    letters.page.locator(".entry .bytes", has_text="100 kB").first.wait_for()
    letters.page.locator(".entry", has_text="Letters").get_by_text("Completely downloaded").wait_for()
    letters.server.stop()
    assert letters.laptop.cat("/Letters/4.txt") == b"x" * 100_000


def test_what_is_not_kept_any_more_gives_its_room_back(letters):
    letters.put(letters.phone, NAME, b"y" * 200_000, "/Letters/")
    choose(letters.page, "Letters", "Keep offline")
    letters.page.goto("/offline")
    letters.page.get_by_text("Completely downloaded").wait_for()
    letters.page.get_by_role("button", name="Remove offline copy: Letters").click()
    letters.page.get_by_role("heading", name="No offline files yet").wait_for()
    letters.page.locator(".entry", has_text="Recently opened").get_by_role("button", name="Free it").click()
    is_said(letters.page, "freed.")
    expect(letters.page.locator(".entry", has_text="Recently opened")).to_have_count(0)


def test_how_much_may_be_kept_is_chosen(letters):
    page = letters.page
    choose(page, "Letters", "Keep offline")
    page.goto("/offline")
    page.get_by_text("Completely downloaded").wait_for()
    page.get_by_role("button", name="Remove offline copy: Letters").click()
    page.locator(".entry", has_text="Recently opened").wait_for()
    expect(page.get_by_label("Recently opened")).to_have_value("1000000000")
    page.get_by_label("Recently opened").select_option("Nothing")
    page.get_by_label("List of files").select_option("50 MB")
    page.get_by_role("button", name="Save").click()
    is_said(page, "The limit was saved")
    page.get_by_role("heading", name="No offline files yet").wait_for()
    expect(page.locator(".entry", has_text="Recently opened")).to_have_count(0)  # it goes at once
    page.reload()
    expect(page.get_by_label("Recently opened")).to_have_value("0")
    page.get_by_text("At most 50 MB").wait_for()
    assert letters.laptop.json("config")["keepMetadata"] == 50_000_000
    forged = page.context.request.post("/offline/act", form={
        "token": page.locator("[name=token]").first.input_value(), "act": "limit", "content": "-5", "metadata": "3"},
        headers={"Origin": letters.person.url, "Bothy-Fragments": "1"})
    assert forged.status == 422 and "too little space" in forged.text()
    assert letters.laptop.json("config")["keepContent"] == 0


def test_what_is_kept_by_its_folder_says_so(letters):
    choose(letters.page, "Letters", "Keep offline")
    is_said(letters.page, "1 item is kept offline")
    letters.page.get_by_role("link", name="Letters").click()
    letters.page.get_by_role("link", name="1.txt").wait_for()
    choose(letters.page, "1.txt", "Remove offline copy")
    is_said(letters.page, "kept offline as part of the folder “Letters”", failure=True)


def test_without_a_connection_it_says_why_the_rest_is_missing(letters):
    letters.server.stop()
    choose(letters.page, "Letters", "Keep offline")
    letters.page.goto("/offline")
    letters.page.get_by_text("0 of 3 files downloaded").wait_for()
    letters.page.get_by_role("alert").wait_for()
    letters.server.start()
    letters.page.get_by_text("Completely downloaded").wait_for()
    expect(letters.page.get_by_role("alert")).to_have_count(0)
