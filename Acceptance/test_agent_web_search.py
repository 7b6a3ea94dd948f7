"""Searching on a device: names that it knows are there at once, texts are searched by the server, and each says where it is."""

import pytest

from agent_people import Desk
from fault_proxy import hold
from waiting import wait_until


def is_search(request):
    return request.path == "/v1/search"


def found(page):
    return page.locator("#found .entry .name").all_inner_texts()


def shows(page, *names):
    """Waits until these are found, in this order."""
    wait_until(lambda: found(page) == list(names))


def mark(page, name):
    return page.locator(".entry", has=page.locator(".name", has_text=name)).locator(".mark").inner_text()


@pytest.fixture
def kitchen(desk):
    """A recipe that another device wrote, which the server has read by now, and a file of the device's own."""
    desk.put(desk.phone, "soup.txt", "A pinch of saffron, and stir.")
    desk.put(desk.laptop, "saffron.txt", "about flowers")
    desk.laptop.run("pin", "/saffron.txt")
    desk.page.goto("/search?q=stir&texts=1")
    wait_until(lambda: desk.page.reload() and found(desk.page) == ["soup.txt"])
    return desk


def test_names_and_texts_are_one_list_and_each_says_where_it_is(kitchen):
    kitchen.page.goto("/search?q=saffron")
    wait_until(lambda: kitchen.page.reload() and mark(kitchen.page, "saffron.txt") == "On this device")
    kitchen.page.goto("/search")
    kitchen.page.get_by_role("searchbox").press_sequentially("saffron")
    shows(kitchen.page, "saffron.txt", "soup.txt")
    assert kitchen.page.locator(".excerpt").all_inner_texts() == ["A pinch of saffron, and stir."]
    assert kitchen.page.locator(".excerpt mark").all_inner_texts() == ["saffron"]
    assert (mark(kitchen.page, "saffron.txt"), mark(kitchen.page, "soup.txt")) == ("On this device", "On the server")
    kitchen.page.get_by_text("soup.txt").click()
    kitchen.page.get_by_role("heading", name="soup.txt").wait_for()
    kitchen.page.go_back()
    shows(kitchen.page, "saffron.txt", "soup.txt")
    # It was opened: by now it is here.
    wait_until(lambda: kitchen.page.reload() and mark(kitchen.page, "soup.txt") == "On this device")


def test_without_a_connection_names_are_found_and_what_could_not_be_searched_is_said(kitchen):
    kitchen.server.stop()
    kitchen.line("No connection")
    kitchen.page.goto("/search?q=saffron")
    kitchen.page.get_by_text("Only the names that this device knows were searched").wait_for()
    assert found(kitchen.page) == ["saffron.txt"]
    text = kitchen.page.locator("#found").inner_text()
    assert kitchen.server.url not in text and "refused" not in text.lower()
    kitchen.page.get_by_role("searchbox").fill("stir")
    kitchen.page.get_by_role("heading", name="Nothing was found").wait_for()
    kitchen.page.get_by_text("Only the names that this device knows were searched").wait_for()
    kitchen.server.start()
    kitchen.line("Up to date")
    kitchen.page.keyboard.press("Enter")
    shows(kitchen.page, "soup.txt")
    assert kitchen.page.get_by_text("Only the names that this device knows were searched").count() == 0


def test_what_is_in_the_trash_here_is_not_brought_back_by_the_server(kitchen):
    kitchen.server.stop()
    kitchen.line("No connection")
    kitchen.laptop.run("rm", "/soup.txt")
    kitchen.laptop.run("pause")
    kitchen.server.start()
    kitchen.page.goto("/search?q=saffron")
    kitchen.page.locator("#further").wait_for(state="detached")
    assert found(kitchen.page) == ["saffron.txt"]
    assert kitchen.page.get_by_text("Only the names that this device knows were searched").count() == 0, "the server has answered"


def test_a_server_that_does_not_answer_keeps_nobody_from_what_is_known_here(
        proxy, shared_server, browser, new_device):
    desk = Desk(proxy, new_device("laptop"), new_device("phone")).come_in(browser)
    desk.put(desk.laptop, "saffron.txt", "about flowers")
    desk.put(desk.laptop, "salt.txt", "of the sea")
    desk.page.locator(".row", has_text="saffron.txt").wait_for()
    desk.page.locator(".row", has_text="salt.txt").wait_for()
    proxy.add(hold(is_search, times=100))
    desk.page.goto("/search?q=saffron")
    assert found(desk.page) == ["saffron.txt"], "with the page itself"
    desk.page.get_by_text("Searching texts on the server").wait_for()
    wait_until(lambda: proxy.seen(is_search))
    # More of them than a browser has connections: none is left to wait.
    ended = []
    desk.page.on("requestfailed", lambda request: "texts=1" in request.url and ended.append(request.url))
    for words in ("sa", "saf", "saff", "saffr", "saffro", "saffron", "saffron.", "saffron.t"):
        desk.page.get_by_role("searchbox").fill(words)
        wait_until(lambda: desk.page.evaluate("location.search") == f"?q={words}")
    desk.page.get_by_role("searchbox").fill("salt")
    shows(desk.page, "salt.txt")
    wait_until(lambda: desk.page.evaluate("1") and len(ended) == 9)
    proxy.clear()
    desk.page.locator("#further").wait_for(state="detached")
    assert found(desk.page) == ["salt.txt"], "the answer to what was typed before is not shown"
    desk.person.close()
    desk.laptop.run("agent", "--stop")


def test_without_scripts_the_server_is_asked_too(browser, kitchen):
    plain = browser.new_context(
        base_url=kitchen.person.url, java_script_enabled=False, storage_state=kitchen.person.context.storage_state())
    page = plain.new_page()
    page.goto("/search")
    page.get_by_role("searchbox").fill("saffron")
    page.keyboard.press("Enter")
    page.locator(".entry").nth(1).wait_for()
    assert found(page) == ["saffron.txt", "soup.txt"]
    plain.close()


def test_more_words_than_count_are_searched_for_all_the_same(kitchen):
    kitchen.page.goto("/search")
    kitchen.page.get_by_role("searchbox").fill("saffron " + "漢" * 190)
    kitchen.page.get_by_role("heading", name="Nothing was found").wait_for()
