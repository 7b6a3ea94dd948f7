"""axe-core over every screen, light and dark, on a phone and on a desk: nothing of it is wrong for anybody.

`make test` looks at each screen once, on a phone; `make test-long` in every size, light and dark, and at every state of a device.
"""

import shutil

import pytest

import agent_screens
from agent_people import Desk, Entrance, come_in
from api import Api, new_id
from browser import HAND, Person
from device import Device
from preconditions import missing
from server import Server
from web_screens import BARE, FIRST, SCREENS, STRANGERS, TAKEN, filled

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:  # scripts/setup says so
    Axe = None

SIZES = [{"width": 390, **HAND}, {"width": 820}, {"width": 1280}]


def looks(first):
    """Every size, light and dark; in `make test` only the first size, in one of the two."""
    for size in SIZES:
        for dark in (False, True):
            marks = [] if (size, dark) == (SIZES[0], first) else [pytest.mark.long]
            yield pytest.param(size, dark, marks=marks, id=f"{size['width']}-{'dark' if dark else 'light'}")


@pytest.fixture(scope="module")
def filled_house(shared_server):
    return filled(shared_server.url, f"{new_id()}@example.org")


@pytest.fixture
def house(filled_house):
    # An access token lives for a quarter of an hour, and all of these may take longer.
    return filled_house.login(filled_house.email, deviceId=filled_house.device["id"])


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A device with something on each of the screens that a device alone has."""
    homes = tmp_path_factory.mktemp("desk")
    server = Server(homes / "data").start()
    desk = Desk(server, Device(homes / "laptop", "laptop"), Device(homes / "phone", "phone"))
    yield agent_screens.filled(desk)
    desk.laptop.run("agent", "--stop", check=False)
    server.stop()


@pytest.mark.parametrize("size, dark", looks(first=False))
def test_nobody_is_left_out(browser, house, size, dark):
    someone = Person(browser, house.url, **size, dark=dark).sign_in(house.email)
    someone.page.wait_for_url(house.url + "/")
    look(someone, SCREENS, house)


@pytest.mark.parametrize("size, dark", looks(first=True))
def test_nobody_is_left_out_of_what_a_device_shows(browser, desk, size, dark):
    look(come_in(browser, desk.laptop, **size, dark=dark), agent_screens.SCREENS, desk)


@pytest.mark.parametrize("sizes, dark", [
    pytest.param(SIZES[1:2], False, id="820-light"), pytest.param(SIZES, False, id="light", marks=pytest.mark.long),
    pytest.param(SIZES, True, id="dark", marks=pytest.mark.long)])
def test_nobody_is_left_out_at_the_door(browser, server, sizes, dark):
    people = [Person(browser, server.url, **size, dark=dark) for size in sizes]
    wrong = [said for someone in people for said in wrongs(someone, FIRST)]
    bare = Api(server.url).register(TAKEN)
    bare.folders = {}
    wrong += [said for someone in people for said in wrongs(someone, STRANGERS)]
    for someone in people:
        someone.sign_in(TAKEN).page.wait_for_url(server.url + "/")
        wrong += wrongs(someone, BARE, bare)
        someone.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize("name", agent_screens.DEVICES)
def test_nobody_is_left_out_whatever_becomes_of_a_device(browser, server, new_device, name):
    desk = Desk(server, new_device("laptop"), new_device("phone"))
    try:
        for prepare, screens in agent_screens.DEVICES[name]:
            prepare(desk)
            if screens is not agent_screens.SCREENS:  # those are looked at above
                look(come_in(browser, desk.laptop, width=390, **HAND), screens, desk)
    finally:
        for command in getattr(desk, "going", []):
            command.kill()
            command.wait()
        desk.laptop.run("agent", "--stop", check=False)


def test_nobody_is_left_out_where_a_way_in_is_used_up(browser, desk, tmp_path):
    entrance = Entrance(desk.laptop)
    shutil.copy(entrance.path, tmp_path / "again.html")
    someone = Person(browser, entrance.address, width=390, **HAND)
    someone.page.goto(entrance.page)
    someone.page.wait_for_url(entrance.address + "/")
    entrance.end()
    someone.page.goto(f"file://{tmp_path}/again.html")
    someone.page.get_by_role("heading", name="This link has expired").wait_for()
    look(someone, {"entrance-used-up": lambda page, desk: None}, desk)


def look(someone, screens, house):
    wrong = wrongs(someone, screens, house)
    someone.close()
    assert not wrong, "\n".join(wrong)


def wrongs(someone, screens, house=None):
    if Axe is None:
        missing("axe", "there is no axe-core here (make setup gets it)")
    wrong = []
    for name, draw in screens.items():
        draw(someone.page, house)
        for violation in Axe().run(someone.page).response["violations"]:
            node = violation["nodes"][0]
            wrong.append(f"{name}: {violation['impact']} {violation['id']}: {node['html'][:160]}")
        wide = someone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            wrong.append(f"{name}: it scrolls sideways by {wide}")
    return wrong + [said for said in someone.complaints if "Content Security Policy" in said and "axe" not in said]


def test_the_keyboard_alone_reaches_everything(browser, house):
    someone = Person(browser, house.url)
    someone.page.goto("/sign-in")
    reach_everything(someone.page, "sign-in")
    someone.page.goto("/sign-in?new=1")
    reach_everything(someone.page, "sign-in, with an account to be made")
    someone.sign_in(house.email)
    someone.page.wait_for_url(house.url + "/")
    for name in ("files-chosen", "files-making", "files-moving", "preview-text", "trash-full", "trash-asked",
                 "versions-full", "search-full", "restore-fresh", "restore-planned", "storage-full", "settings-full"):
        SCREENS[name](someone.page, house)
        reach_everything(someone.page, name)
    someone.close()


@pytest.mark.long
def test_the_keyboard_alone_reaches_everything_that_a_device_shows(browser, desk):
    someone = come_in(browser, desk.laptop)
    for name, draw in agent_screens.SCREENS.items():
        draw(someone.page, desk)
        reach_everything(someone.page, name)
    someone.close()


#: A stop by what it is: what is drawn again meanwhile is the same one.
STOP = """(stop) => [stop.tagName, stop.id, stop.getAttribute("href"), stop.name, stop.getAttribute("value"),
    stop.getAttribute("aria-label"), stop.textContent.trim().slice(0, 40)].join("|")"""


def reach_everything(page, name):
    """Every link, button and field that shows is met on the way from the first to the last, and shows that it is."""
    wanted = set(page.evaluate(
        """() => { const place = document.querySelector('dialog[open]') ?? document, name = %s;
            const stops = [...place.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
            .filter((stop) => stop.checkVisibility() && !stop.disabled && stop.tabIndex >= 0)
            .filter((stop) => stop.type !== 'radio' || stop.checked);
            document.activeElement?.blur();
            return stops.map(name); }""" % STOP))
    met, unseen = set(), []
    for _ in range(2 * len(wanted) + 12):
        page.keyboard.press("Tab")
        stop, shows = page.evaluate(
            """() => { const stop = document.activeElement, name = %s;
                const shows = (part) => stop && getComputedStyle(stop, part).outlineStyle !== 'none';
                return [stop && name(stop), shows() || shows('::after')]; }""" % STOP)
        if stop in wanted:
            met.add(stop)
            unseen += [] if shows else [stop]
        if met == wanted:
            break
    assert met == wanted, f"{name}: {sorted(wanted - met)} are never met"
    assert not unseen, f"{name}: does not show that it is met: {unseen[:3]}"


MOVING = """() => [...document.querySelectorAll("*")].flatMap((one) => ["", "::before", "::after"].filter((part) => {
        const look = getComputedStyle(one, part || null);
        const takes = (times) => times.split(",").some((time) => parseFloat(time) > 0);
        return takes(look.transitionDuration) || (look.animationName !== "none" && takes(look.animationDuration));
    }).map((part) => one.tagName + "." + one.className + part))"""


def test_nothing_moves_for_who_wants_nothing_to_move(browser, house):
    someone = Person(browser, house.url, reduced_motion="reduce").sign_in(house.email)
    someone.page.wait_for_url(house.url + "/")
    for name in ("files-full", "files-undo", "files-moving", "upload-paused", "versions-restored", "trash-full"):
        SCREENS[name](someone.page, house)
        moving = someone.page.evaluate(MOVING)
        assert not moving, f"{name}: {moving[:3]}"
    someone.close()
