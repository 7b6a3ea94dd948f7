"""axe-core over every screen, light and dark, on a phone and on a desk: nothing of it is wrong for anybody."""

import pytest

import agent_screens
from agent_people import Desk, come_in
from api import new_id
from browser import Person
from device import Device
from preconditions import missing
from server import Server
from web_screens import SCREENS, filled

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:  # scripts/setup says so
    Axe = None


@pytest.fixture(scope="module")
def house(shared_server):
    return filled(shared_server.url, f"{new_id()}@example.org")


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A device with something on each of the screens that a device alone has."""
    homes = tmp_path_factory.mktemp("desk")
    server = Server(homes / "data").start()
    desk = Desk(server, Device(homes / "laptop", "laptop"), Device(homes / "phone", "phone"))
    yield agent_screens.filled(desk)
    desk.laptop.run("agent", "--stop", check=False)
    server.stop()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nobody_is_left_out(browser, house, width, dark):
    someone = Person(browser, house.url, width=width, dark=dark).sign_in(house.email)
    someone.page.wait_for_url(house.url + "/")
    look(someone, SCREENS, house)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nobody_is_left_out_of_what_a_device_shows(browser, desk, width, dark):
    look(come_in(browser, desk.laptop, width=width, dark=dark), agent_screens.SCREENS, desk)


def look(someone, screens, house):
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
    refused = [said for said in someone.complaints if "Content Security Policy" in said and "axe" not in said]
    someone.close()
    assert not wrong, "\n".join(wrong)
    assert not refused, refused


def test_the_keyboard_alone_reaches_everything(browser, house):
    """Every link, button and field that shows is met on the way from the first to the last, and shows that it is."""
    someone = Person(browser, house.url).sign_in(house.email)
    someone.page.wait_for_url(house.url + "/")
    for name in ("trash-full", "versions-full", "search-full", "storage-full", "settings-full"):
        SCREENS[name](someone.page, house)
        wanted = someone.page.evaluate(
            """() => { const stops = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select')]
                .filter((stop) => stop.checkVisibility() && !stop.disabled);
                stops.forEach((stop, place) => (stop.dataset.stop = place)); document.activeElement?.blur();
                return stops.length; }""")
        met = set()
        for _ in range(wanted + 12):
            someone.page.keyboard.press("Tab")
            stop = someone.page.evaluate("document.activeElement?.dataset?.stop")
            if stop is not None:
                met.add(int(stop))
        assert len(met) == wanted, f"{name}: {sorted(set(range(wanted)) - met)} of {wanted} are never met"
    someone.close()
