"""What strangers make to break what draws: the server stays up, and each has its answer and its reason."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import hostile
from api import Api, new_id
from pictures import is_webp, picture, size
from server import Server
from test_media import put, small


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_broken_and_hostile_files_end_nothing_but_themselves(tmp_path, count):
    server = Server(tmp_path / "data").start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        whole = put(api, "walk.png", picture("png", 160, 120), "image/png")

        def shown(made):
            name, mime, data = made
            file = put(api, name, data, mime)
            return name, file, small(api, file, "thumbnail") if data else None

        drawn, without = [], {}
        with ThreadPoolExecutor(4) as pool:
            for name, file, answer in pool.map(shown, hostile.files(count)):
                if answer.status_code == 200:
                    assert is_webp(answer.content) and max(size(answer.content)) <= 256, name
                    drawn.append(name)
                else:
                    assert answer.status_code == 422 and answer.json()["code"] == "no_preview", (name, answer.text)
                    without[file["id"]] = name
        assert drawn and len(without) > count / 4, "some are whole enough, and many are not"
        assert server.running()
        assert size(small(api, whole, "thumbnail").content)[0] > 0, "it draws as ever"
        said = [json.loads(line) for line in server.admin("verify", "--json").stdout.splitlines()]
        told = {line["fileId"]: line["reason"] for line in said if line["event"] == "noPicture"}
        assert set(told) <= set(without) and all(told.values())
        # What is no picture by its first bytes was given to no program, and needs no reason.
        unnamed = {without[file] for file in set(without) - set(told)}
        assert all("pretending" in name or "polyglot" in name or "flipped" in name for name in unnamed), unnamed
        assert not list((server.data / "media" / "work").glob("*")), "nothing is left of what was tried"
    finally:
        server.kill()
