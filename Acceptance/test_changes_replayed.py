"""Whoever follows `GET /v1/changes` by openapi.yaml alone has the same tree as the server, whatever was done meanwhile."""

import os
import random

import pytest

from api import new_id
from changes_follower import Follower
from waiting import wait_until

SEEDS = int(os.environ.get("BOTHY_TEST_SEEDS", "4"))
NAMES = ["a", "b", "c", "d.txt", "e.txt"]
FOLDER = "application/vnd.bothy.folder"


def listed(api):
    """The same as `Follower.tree`, from the server's own lists: the folders from the root, and the trash."""
    trash = pages(api, trashed="true")
    found, waiting = {}, [("root", "")]
    while waiting:
        folder, path = waiting.pop()
        for file in pages(api, parentId=folder) + [file for file in trash if file["parentId"] == folder]:
            place = f"{path}/{file['name']}"
            found[file["id"]] = (place, file["version"], file.get("checksum"), file["trashed"])
            if file["mimeType"] == FOLDER:
                waiting.append((file["id"], place))
    return found


def pages(api, **query):
    files, page = [], None
    while True:
        answer = api.call("GET", "/v1/files", params={**query, **({"page": page} if page else {})}, expect=200).json()
        files += answer["files"]
        page = answer["pagination"].get("next")
        if not page:
            return files


class History:
    """Random things done to a drive. What the server refuses changes nothing, and is as good as any other."""

    def __init__(self, api, draw):
        self.api, self.draw = api, draw
        self.ids = ["root"]

    def step(self):
        draw = self.draw
        action = draw.choice(
            [self.create] * 6 + [self.write] * 3 + [self.move] * 5 + [self.rename] * 3 + [self.trash] * 3
            + [self.restore] * 3 + [self.purge] * 2 + [self.copy] * 2)
        answer = action(draw.choice(self.ids), draw.choice(self.ids), draw.choice(NAMES))
        assert answer.status_code < 500, answer.text
        if answer.status_code == 201 and "id" in answer.json():
            self.ids.append(answer.json()["id"])

    def create(self, folder, _, name):
        return self.api.call("POST", "/v1/files", json={
            "requestId": new_id(), "name": name, "mimeType": FOLDER, "parentId": folder})

    def write(self, folder, _, name):
        return self.api.call(
            "POST", "/v1/upload", content=new_id().encode(), headers={"Idempotency-Key": new_id()},
            params={"uploadType": "media", "name": name, "parentId": folder, "conflict": "overwrite"})

    def move(self, what, folder, _):
        return self.change(what, parentId=folder)

    def rename(self, what, _, name):
        return self.change(what, name=name)

    def trash(self, what, *_):
        return self.api.call("DELETE", f"/v1/files/{what}", headers={"Idempotency-Key": new_id()})

    def restore(self, what, *_):
        return self.change(what, trashed=False)

    def purge(self, what, *_):
        return self.api.call(
            "DELETE", f"/v1/files/{what}", params={"permanent": "true"}, headers={"Idempotency-Key": new_id()})

    def copy(self, what, folder, name):
        return self.api.call("POST", f"/v1/files/{what}/copy", json={
            "requestId": new_id(), "name": name, "parentId": folder})

    def change(self, what, **fields):
        return self.api.call("PATCH", f"/v1/files/{what}", json={"requestId": new_id(), **fields})


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_histories_replayed_from_the_pages_make_the_tree_that_the_server_lists(api, seed):
    draw = random.Random(seed)
    history, followers = History(api, draw), [Follower(api, draw)]
    for step in range(160):
        history.step()
        if step in (20, 70):
            followers.append(Follower(api, draw))  # who links while the drive is in use
        if draw.random() < 0.2:
            draw.choice(followers).pull(pages=draw.randint(1, 3))
    tree = listed(api)
    fresh = Follower(api, draw)
    for follower in [*followers, fresh]:
        assert follower.pull()
        assert follower.tree() == tree, f"seed {seed}"

    def agree():
        """What lay in folders that were deleted for good is told of within seconds: then nothing is kept of it either."""
        fresh = Follower(api, draw)
        return fresh.pull() and all(each.pull() and each.files == fresh.files for each in followers)

    wait_until(agree, every=0.2, what="followers that hold what there is, and no more")


def test_what_was_moved_out_of_a_folder_outlives_it(api):
    folder = api.folder("F")
    saved, lost = api.put_small("X", b"saved", folder["id"]), api.put_small("Y", b"lost", folder["id"])
    inner = api.folder("inner", folder["id"])
    deep = api.put_small("Z", b"deep", inner["id"])
    follower = Follower(api, random.Random(1))
    follower.pull()
    before = follower.cursor
    api.patch(saved["id"], parentId="root")
    api.delete(folder["id"], permanent="true")
    api.patch(saved["id"], name="X again")
    page = api.call("GET", "/v1/changes", params={"cursor": before}, expect=200).json()
    told = [(change["id"], change["removed"]) for change in page["changes"]]
    # What was moved out is told of behind the folder that it lay in: who took more than the folder away would have lost it.
    assert told[:2] == [(folder["id"], True), (saved["id"], False)]
    follower.pull()
    assert [place for place, *_ in follower.tree().values()] == ["/X again"]

    def gone():
        page = api.call("GET", "/v1/changes", params={"cursor": before}, expect=200).json()
        return {change["id"] for change in page["changes"] if change["removed"]}

    everything = {folder["id"], lost["id"], inner["id"], deep["id"]}
    wait_until(lambda: gone() == everything, every=0.2, what="an entry for each thing that lay in the folder")
    follower.pull()
    assert set(follower.files) == {"root", saved["id"]} and follower.tree() == listed(api)
