"""Draws every screen of the web app at three widths, light and dark, as small pictures: `make screenshots`.

`screenshots.py FOLDER NAME…` draws those alone (`trash-full`, `device-files`), and leaves the others as they are."""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

import agent_screens
from agent_people import Desk, come_in
from api import Api
from browser import Person, chromium
from device import Device
from server import Server
from web_screens import BARE, SCREENS, filled

WIDTHS = {390: 780, 820: 900, 1440: 900}
COLOURS = 256  # enough for letters without fringes, and for what little is not grey


def keep(page, place):
    """As a palette: a page of one accent needs no more."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(place, optimize=True)


def main(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for old in [] if names else folder.glob("*.png"):
        old.unlink()

    def some(screens, prefix=""):
        return {name: show for name, show in screens.items() if not names or prefix + name in names}

    with tempfile.TemporaryDirectory() as data, chromium() as browser:
        server = Server(Path(data) / "data").start()
        try:
            for width, height in WIDTHS.items() if not names else []:
                for dark in (False, True):
                    first = Person(browser, server.url, width=width, height=height, dark=dark)
                    first.page.goto("/")
                    keep(first.page, folder / f"sign-in-first-{width}-{'dark' if dark else 'light'}.png")
                    first.close()
            house, bare = filled(server.url, "jane@example.org"), Api(server.url).register("john@example.org")
            bare.email, bare.letter, bare.empty, bare.folders = "john@example.org", "", "", {}
            for width, height in WIDTHS.items():
                for dark in (False, True):
                    draw(browser, server.url, folder, (width, height), dark, ((house, some(SCREENS)), (bare, some(BARE))), not names)
            draw_devices(browser, server, Path(data), folder, lambda screens: some(screens, "device-"))
        finally:
            server.stop()
    pictures = sorted(folder.glob("*.png"))
    print(f"{len(pictures)} pictures, {sum(one.stat().st_size for one in pictures) / 1e6:.1f} MB in {folder}")


#: Where a laptop's folders would lie, and not where this machine has room for a moment.
HOME = "/home/ann"
AT_HOME = """([there, home]) => {
    const settle = () => {
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) if (walk.currentNode.data.includes(there))
            walk.currentNode.data = walk.currentNode.data.replaceAll(there, home);
    };
    settle();
    for (const field of document.querySelectorAll("input[type=text], input:not([type])")) field.value = field.value.replaceAll(there, home);
    // What the server sends afterwards as well.
    new MutationObserver(settle).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


def at_home(page, desk):
    page.evaluate(AT_HOME, [str(desk.laptop.home), HOME])


def draw_devices(browser, server, data, folder, some):
    """The screens of a device that has something on each, and of one that has nothing."""
    bare = Desk(server, Device(data / "bare", "laptop"), Device(data / "bare-phone", "phone"), "bea@example.org")
    full = Desk(server, Device(data / "full", "laptop"), Device(data / "full-phone", "phone"), "ann@example.org")
    try:
        if not any(some(screens) for screens in (agent_screens.BARE, agent_screens.SCREENS, agent_screens.AWAY)):
            return
        agent_screens.filled(full)
        for desk, screens in ((bare, agent_screens.BARE), (full, agent_screens.SCREENS), (full, agent_screens.AWAY)):
            if screens is agent_screens.AWAY:
                agent_screens.without_connection(full)
            for width, height in WIDTHS.items():
                for dark in (False, True):
                    someone = come_in(browser, desk.laptop, width=width, height=height, dark=dark)
                    for name, show in some(screens).items():
                        show(someone.page, desk)
                        at_home(someone.page, desk)
                        keep(someone.page, folder / f"device-{name}-{width}-{'dark' if dark else 'light'}.png")
                    someone.close()
    finally:
        for desk in (bare, full):
            desk.laptop.run("agent", "--stop", check=False)


def draw(browser, url, folder, size, dark, screens, with_strangers):
    def place(name):
        return folder / f"{name}-{size[0]}-{'dark' if dark else 'light'}.png"

    def person():
        return Person(browser, url, width=size[0], height=size[1], dark=dark)

    if with_strangers:
        stranger = person()
        stranger.page.goto("/sign-in")
        keep(stranger.page, place("sign-in"))
        # Each time another: who mistypes again and again has to wait.
        stranger.sign_in(f"jane.{size[0]}.{dark}@example.org", "not the password")
        stranger.page.get_by_role("alert").wait_for()
        keep(stranger.page, place("sign-in-refused"))
        stranger.close()
    for account, shown in screens:
        if not shown:
            continue
        someone = person().sign_in(account.email)
        someone.page.wait_for_url(url + "/")
        for name, show in shown.items():
            show(someone.page, account)
            keep(someone.page, place(name))
        someone.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
