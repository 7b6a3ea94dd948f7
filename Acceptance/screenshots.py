"""Draws every screen of the web app at three widths, light and dark, as small pictures: `make screenshots`.

`screenshots.py FOLDER NAME…` draws those alone, and leaves the others as they are: a screen (`trash-full`), or pictures by
a pattern of their names (`device-*`, `*-390-*`)."""

import io
import itertools
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

from PIL import Image

import agent_screens
from agent_people import Desk, come_in
from api import Api
from browser import CHROMIUM, HAND, Person, chromium, end_driver
from device import Device
from server import Server
from web_screens import BARE, BY_MOUSE, CROWDED, FIRST, SCREENS, STRANGERS, TAKEN, crowded, filled

SIZES = [{"width": 390, "height": 780, **HAND}, {"width": 820, "height": 900}, {"width": 1440, "height": 900}]
COLOURS, FLAT = 256, 48  # enough for letters without fringes, and for what little is not grey; of them, those met most


class Album:
    """The folder of pictures, and which of them are wanted."""

    def __init__(self, folder, names):
        self.folder, self.names = folder, names
        folder.mkdir(parents=True, exist_ok=True)
        for old in [] if names else folder.glob("*.png"):
            old.unlink()

    def _places(self, name, size):
        """Where its pictures lie, light and dark, as far as they are wanted."""
        if "has_touch" in size and name in BY_MOUSE:
            return {}
        pictures = {colours: f"{name}-{size['width']}-{colours}" for colours in ("light", "dark")}
        return {colours: self.folder / f"{picture}.png" for colours, picture in pictures.items()
                if not self.names or any(one == name or fnmatch(picture, one) for one in self.names)}

    def wants(self, screens, prefix=""):
        return any(self._places(prefix + name, size) for name in screens for size in SIZES)

    def draw(self, screens, come, *about, prefix="", settle=lambda page: None):
        """- come: somebody with a browser of that size, there already."""
        for size in SIZES:
            wanted = {name: places for name in screens if (places := self._places(prefix + name, size))}
            someone = come(**size) if wanted else None
            for name, places in wanted.items():
                screens[name](someone.page, *about)
                settle(someone.page)
                for colours, place in places.items():
                    someone.page.emulate_media(color_scheme=colours)
                    keep(someone.page, place)
                someone.page.emulate_media(color_scheme="light")
            if someone:
                someone.close()


def keep(page, place):
    """As a palette: a page of one accent needs no more. What is flat keeps its very colour."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    flat = [colour for _, colour in sorted(picture.getcolors(picture.width * picture.height), reverse=True)[:FLAT]]
    rest = picture.quantize(COLOURS - FLAT, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([*itertools.chain(*flat), *rest][:3 * COLOURS])
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(place, optimize=True)


def main(folder, names):
    album = Album(folder, names)
    with tempfile.TemporaryDirectory() as data, chromium(program=CHROMIUM) as browser:
        server = Server(Path(data) / "data").start()
        try:
            draw_server(album, browser, server)
            draw_devices(album, browser, server, Path(data))
        finally:
            server.stop()
    pictures = sorted(folder.glob("*.png"))
    print(f"{len(pictures)} pictures, {sum(one.stat().st_size for one in pictures) / 1e6:.1f} MB in {folder}")


def draw_server(album, browser, server):
    def stranger(**size):
        return Person(browser, server.url, **size)

    album.draw(FIRST, stranger)
    bare = Api(server.url).register(TAKEN)
    bare.email, bare.folders = TAKEN, {}
    album.draw(STRANGERS, stranger)
    for screens, account in ((SCREENS, lambda: filled(server.url, "jane@example.org")), (BARE, lambda: bare),
                             (CROWDED, lambda: crowded(server, "mary@example.org"))):
        if not album.wants(screens):
            continue
        house = account()

        def come(**size):
            someone = stranger(**size).sign_in(house.email)
            someone.page.wait_for_url(server.url + "/")
            return someone

        album.draw(screens, come, house)


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


def draw_devices(album, browser, server, data):
    """The screens of devices, each from its first stage to the last that something is wanted of."""
    for name, stages in agent_screens.DEVICES.items():
        while stages and not album.wants(stages[-1][1], "device-"):
            stages = stages[:-1]
        if not stages:
            continue
        desk = Desk(server, Device(data / name, "laptop"), Device(data / (name + "-phone"), "phone"), f"{name}@example.org")
        try:
            for prepare, screens in stages:
                prepare(desk)
                album.draw(
                    screens, lambda **size: come_in(browser, desk.laptop, **size), desk, prefix="device-",
                    settle=lambda page: page.evaluate(AT_HOME, [str(desk.laptop.home), HOME]))
        finally:
            desk.laptop.run("agent", "--stop", check=False)
            if not server.running():
                server.start()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), sys.argv[2:])
    finally:
        end_driver()
