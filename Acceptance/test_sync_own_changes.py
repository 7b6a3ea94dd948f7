"""A pass by itself (`--once`) does not ask the server what it has done itself; what others do in the middle of it is asked for, and
never lost."""

import os

import pytest

import fault_proxy
from content import content
from synced import meet
from test_sync_known_offline import listed

MIB = 1 << 20
SIZE = 6 * MIB + 777


def a_change(request):
    return request.method in ("POST", "PATCH", "PUT", "DELETE") and "/v1/auth/" not in request.path


class Pass:
    """One pass of the laptop's, with what it asked: but for the renewal of its session, which falls due four times an hour."""

    def __init__(self, proxy, folder):
        before = len(proxy.seen(fault_proxy.any_request))
        folder.sync()
        after = proxy.seen(fault_proxy.any_request)[before:]
        self.exchanges = [each for each in after if "/v1/auth/" not in each.path]

    @property
    def asked(self):
        return [f"{each.method} {each.path.split('?')[0].split('/')[2]}" for each in self.exchanges]


@pytest.fixture
def films(pair):
    """Both have two films."""
    a, b = pair
    for name, seed in (("a.mkv", 1), ("b.mkv", 2)):
        a.write(name, content(SIZE, seed=seed))
    meet(a, b)
    return a, b


def known(desks, folder):
    """What the laptop knows to be there without a connection."""
    desks.proxy.go_down()
    try:
        return listed(folder)
    finally:
        desks.proxy.come_back()


def meanwhile(desks, deed, before=1):
    """`deed()` when the laptop's n-th change from now (`before`) is on its way to the server."""
    on_their_way = []

    def edit(request):
        on_their_way.append(request)
        if len(on_their_way) == before:
            deed()

    desks.proxy.add(fault_proxy.Fault(a_change, times=before, edit_request=edit))


def test_a_rename_is_two_requests_and_known_without_a_connection(desks, films):
    a, b = films
    os.rename(a.path / "a.mkv", a.path / "c.mkv")
    assert Pass(desks.proxy, a).asked == ["GET changes", "PATCH files"]
    assert known(desks, a) == {"b.mkv", "c.mkv"}
    assert sorted(meet(a, b)) == ["b.mkv", "c.mkv"]


def test_a_copy_is_two_requests_and_known_without_a_connection(desks, films):
    a, b = films
    a.write("copy.mkv", content(SIZE, seed=1))
    assert Pass(desks.proxy, a).asked == ["GET changes", "POST upload"]
    assert known(desks, a) == {"a.mkv", "b.mkv", "copy.mkv"}
    meet(a, b)


def test_two_files_swapped_are_two_requests_of_three_kib(desks, films):
    a, b = films
    os.rename(a.path / "a.mkv", a.path / "aside")
    os.rename(a.path / "b.mkv", a.path / "a.mkv")
    os.rename(a.path / "aside", a.path / "b.mkv")
    done = Pass(desks.proxy, a)
    assert done.asked == ["GET changes", "POST upload"]
    # Besides these go the heads, of some 1.5 KiB.
    assert sum(each.sent_up + each.sent_down for each in done.exchanges) < 1700
    tree = meet(a, b)
    assert tree["a.mkv"] == content(SIZE, seed=2) and tree["b.mkv"] == content(SIZE, seed=1)


def test_the_next_pass_hears_of_what_others_did_behind_ones_own_change(desks, films, outside):
    a, b = films
    os.rename(a.path / "a.mkv", a.path / "c.mkv")
    assert Pass(desks.proxy, a).asked == ["GET changes", "PATCH files"]
    outside.patch(outside.by_path(f"{a.remote}/b.mkv").json()["id"], name="theirs.mkv")
    assert Pass(desks.proxy, a).asked == ["GET changes"]
    assert sorted(a.tree()) == ["c.mkv", "theirs.mkv"]
    assert known(desks, a) == {"c.mkv", "theirs.mkv"}
    meet(a, b)


def test_what_others_do_before_ones_own_change_is_asked_for(desks, films, outside):
    a, b = films
    os.rename(a.path / "a.mkv", a.path / "c.mkv")
    there = outside.by_path(f"{a.remote}/b.mkv").json()["id"]
    meanwhile(desks, lambda: outside.patch(there, name="theirs.mkv"))
    assert Pass(desks.proxy, a).asked == ["GET changes", "PATCH files", "GET changes"]
    assert known(desks, a) == {"c.mkv", "theirs.mkv"}
    a.sync()
    assert sorted(a.tree()) == ["c.mkv", "theirs.mkv"]
    meet(a, b)


def test_what_others_do_between_two_of_ones_own_changes_is_asked_for(desks, films, outside):
    a, b = films
    os.rename(a.path / "a.mkv", a.path / "c.mkv")
    os.rename(a.path / "b.mkv", a.path / "d.mkv")
    folder = outside.by_path(a.remote).json()["id"]
    meanwhile(desks, lambda: outside.folder("theirs", folder), before=2)
    assert Pass(desks.proxy, a).asked == ["GET changes", "PATCH files", "PATCH files", "GET changes"]
    assert known(desks, a) == {"c.mkv", "d.mkv", "theirs/"}
    assert sorted(meet(a, b)) == ["c.mkv", "d.mkv", "theirs"]


def test_an_answer_without_the_place_before_is_asked_about(desks, films):
    """As a server of an older release answers."""
    a, b = films
    desks.proxy.add(
        fault_proxy.Fault(a_change, times=9, edit_response=lambda response: response.set("Bothy-Cursor-Before", None)))
    os.rename(a.path / "a.mkv", a.path / "c.mkv")
    assert Pass(desks.proxy, a).asked == ["GET changes", "PATCH files", "GET changes"]
    assert known(desks, a) == {"b.mkv", "c.mkv"}
    meet(a, b)


def test_what_is_deleted_is_asked_about(desks, films):
    a, b = films
    os.remove(a.path / "a.mkv")
    asked = Pass(desks.proxy, a).asked
    assert asked[:2] == ["GET changes", "DELETE files"] and asked[-1] == "GET changes"
    assert known(desks, a) == {"b.mkv"}
    meet(a, b)
