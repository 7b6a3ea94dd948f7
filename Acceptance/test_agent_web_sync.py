"""The screen of folders in step on a device: how each stands, what a guard holds, what was done, and why."""

import pytest

from browser import expect, is_said
from waiting import wait_until


@pytest.fixture
def bound(desk):
    desk.box = desk.laptop.home / "box"
    desk.box.mkdir()
    for number in range(60):
        (desk.box / f"note-{number:02}.txt").write_text(f"note {number}\n")
    desk.laptop.run("sync", desk.box, "/box")
    desk.page.goto("/synced")
    desk.page.locator(".folder-of .state", has_text="Up to date").wait_for()
    return desk


def test_no_folder_says_how_to_begin(desk):
    desk.page.goto("/synced")
    desk.page.get_by_role("heading", name="No synced folders").wait_for()


def test_a_change_is_told_as_it_is_carried(bound):
    (bound.box / "new.txt").write_text("new\n")
    bound.page.locator(".batch", has_text="sent new.txt").wait_for()


def test_a_folder_is_not_called_in_step_with_a_server_that_is_away(bound):
    """By the line above it, and by `status`, it was not."""
    state = bound.page.locator(".folder-of .state")
    bound.server.stop()
    state.get_by_text("The server cannot be reached now. · last synced ").wait_for()
    bound.page.reload()
    expect(state).to_contain_text("The server cannot be reached now. · last synced ")
    bound.server.start()
    expect(state).to_have_text("Up to date")


def asks_to_let_pass(page):
    """What is pressed asks first; its answer is called the same."""
    page.get_by_role("button", name="Allow").click()
    page.get_by_role("heading", name="Allow these deletions?").wait_for()


def test_a_guard_says_what_it_saw_and_lets_pass_what_was_meant(bound):
    for number in range(58):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.locator(".stopped", has_text="files and folders would be deleted on the server").wait_for()
    bound.line("1 needs attention")
    assert len(bound.phone.run("ls", "/box").stdout.splitlines()) > 2
    asks_to_let_pass(bound.page)
    bound.page.get_by_role("link", name="Cancel").click()
    bound.page.locator(".stopped").wait_for()
    asks_to_let_pass(bound.page)
    bound.page.get_by_role("button", name="Allow").click()
    is_said(bound.page, "Syncing has resumed.")
    wait_until(lambda: len(bound.phone.run("ls", "/box").stdout.splitlines()) == 2)
    bound.line("Up to date")


def test_what_was_deleted_by_mistake_is_brought_back(bound):
    for number in range(58):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.locator(".stopped", has_text="restore them: the server still has them").wait_for()
    bound.page.get_by_role("button", name="Restore them").click()
    is_said(bound.page, "The deleted files are being restored.")
    wait_until(lambda: len(list(bound.box.glob("note-*.txt"))) == 60)
    assert (bound.box / "note-07.txt").read_text() == "note 7\n"
    bound.line("Up to date")
    assert len(bound.phone.run("ls", "/box").stdout.splitlines()) == 60


def test_who_has_seen_less_lets_nothing_pass(bound):
    for number in range(40):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.locator(".stopped").wait_for()
    asks_to_let_pass(bound.page)
    there = len(bound.phone.run("ls", "/box").stdout.splitlines())
    for number in range(40, 58):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.get_by_role("button", name="Allow").click()
    is_said(bound.page, "now held back for another reason", failure=True)
    assert len(bound.phone.run("ls", "/box").stdout.splitlines()) == there


def test_what_was_done_is_taken_back(bound):
    (bound.box / "note-07.txt").unlink()
    batch = bound.page.locator(".batch", has_text="note-07.txt into the server's trash")
    batch.wait_for()
    batch.get_by_role("button", name="Undo").click()
    is_said(bound.page, "Undone.")
    bound.page.get_by_text("· undone").first.wait_for()
    wait_until(lambda: (bound.box / "note-07.txt").exists())
    wait_until(lambda: bound.phone.run("cat", "/box/note-07.txt", check=False).stdout == "note 7\n")


def test_a_conflict_that_was_decided_is_taken_back_by_itself(bound):
    """`bothy conflicts decided` listed it, and nothing on the screen did."""
    bound.server.stop()
    (bound.box / "note-07.txt").write_text("mine\n")
    bound.laptop.run("agent", "--stop")
    bound.server.start()
    bound.put(bound.phone, "note-07.txt", "theirs\n", "/box/")
    bound.begin_agent()
    wait_until(lambda: "note-07.txt" in bound.laptop.run("conflicts", "decided").stdout)
    decided = bound.page.get_by_role("region", name="Recently resolved conflicts").locator(".batch", has_text="note-07.txt")
    decided.get_by_text("both versions are kept").wait_for()
    decided.get_by_role("button", name="Undo").click()
    is_said(bound.page, "Undone. The conflict is open again.")
    wait_until(lambda: "note-07.txt" in bound.laptop.run("conflicts").stdout)
    expect(bound.page.get_by_role("heading", name="Recently resolved conflicts")).to_have_count(0)


def test_why_something_is_as_it_is_is_told_of_both_sides(bound):
    bound.page.get_by_label("The full path").fill(str(bound.box / "note-01.txt"))
    bound.page.get_by_role("button", name="Explain").click()
    told = bound.page.locator("article", has=bound.page.get_by_role("heading", name="note-01.txt"))
    told.get_by_text("It is the same here and on the server.").wait_for()
    expect(told.locator("dd")).to_have_count(3)
    expect(told.locator("dd").first).to_contain_text("7 B")
    (bound.box / "two words.txt").write_text("two\n")
    wait_until(lambda: bound.phone.run("cat", "/box/two words.txt", check=False).stdout == "two\n")
    bound.page.get_by_label("The full path").fill(str(bound.box / "two words.txt"))
    bound.page.get_by_role("button", name="Explain").click()
    bound.page.locator("article", has=bound.page.get_by_role("heading", name="two words.txt")).wait_for()
    bound.page.goto("/synced?path=/nowhere/<script>alert(1)</script>")
    bound.page.get_by_text("Not in a synced folder").wait_for()
    expect(bound.page.locator(".three")).to_have_count(0)


def test_what_is_only_here_is_said_not_to_be_there_yet(bound):
    """It said “On the server: nothing”."""
    bound.laptop.run("pause")
    (bound.box / "new.txt").write_text("new\n")
    bound.page.goto(f"/synced?path={bound.box / 'new.txt'}")
    expect(bound.page.locator(".three dd")).to_contain_text(["4 B", "not there yet", "nothing yet"])


def test_a_folder_that_goes_away_says_what_to_do(bound):
    bound.box.rename(bound.laptop.home / "away")
    bound.page.locator(".stopped", has_text="The folder does not exist.").wait_for()
    assert bound.page.locator(".stopped button").count() == 0, "nothing lets that pass"
    (bound.laptop.home / "away").rename(bound.box)
    # The agent may see by itself that it is back, and then nothing asks any more.
    asking = bound.page.get_by_role("button", name="Check again")
    well = bound.page.locator(".folder-of .state", has_text="Up to date")
    asking.or_(well).first.wait_for()
    asking.evaluate_all("buttons => buttons[0]?.click()")
    well.wait_for()


def leaves(page):
    """What is pressed asks first; its answer is called the same."""
    page.get_by_role("button", name="Unlink").click()
    page.get_by_role("heading", name="Unlink ").wait_for()


def test_a_folder_is_kept_in_step_no_longer_and_all_files_stay(bound):
    trash = bound.box / ".bothy/trash"
    bound.phone.run("rm", "/box/note-07.txt")
    wait_until(lambda: any(path.is_file() for path in trash.rglob("*")))
    bound.line("Up to date")
    leaves(bound.page)
    bound.page.get_by_role("link", name="Cancel").click()
    bound.page.locator(".folder-of .state", has_text="Up to date").wait_for()
    leaves(bound.page)
    bound.page.get_by_role("button", name="Unlink").click()
    is_said(bound.page, "The folder is unlinked. All files stay where they are.")
    bound.page.get_by_role("heading", name="No synced folders").wait_for()
    assert bound.laptop.run("bindings", "--json").stdout == ""
    assert [path.read_text() for path in trash.rglob("*") if path.is_file()] == ["note 7\n"], "it is the person's"
    assert len(list(bound.box.glob("note-*.txt"))) == len(bound.phone.run("ls", "/box").stdout.splitlines()) == 59
    (bound.box / "note-08.txt").unlink()
    bound.phone.run("rm", "/box/note-09.txt")
    bound.laptop.run("sync", bound.box, "/box", "--once")
    assert {(bound.box / f"note-0{number}.txt").exists() for number in (8, 9)} == {True}, "what is absent is not deleted"


def test_a_folder_that_is_not_there_any_more_is_let_go_of(bound):
    bound.box.rename(bound.laptop.home / "away")
    bound.page.locator(".stopped", has_text="Put it back, or unlink it.").wait_for()
    leaves(bound.page)
    bound.page.get_by_role("button", name="Unlink").click()
    bound.page.get_by_role("heading", name="No synced folders").wait_for()
    assert bound.laptop.run("bindings", "--json").stdout == ""


# Tying a folder


def fill_tying(desk, here, there):
    desk.page.goto("/synced")
    desk.page.get_by_label("Local folder").fill(str(here))
    desk.page.get_by_label("Folder on the server").fill(there)


def test_a_folder_is_tied_after_its_dry_run_was_seen(desk):
    box = desk.laptop.home / "tied"
    box.mkdir()
    (box / "mine.txt").write_text("mine\n")
    desk.phone.run("mkdir", "/shelf")
    desk.put(desk.phone, "theirs.txt", b"theirs\n", "/shelf")
    fill_tying(desk, box, "")
    desk.page.get_by_role("button", name="Choose on the server").click()
    desk.page.get_by_role("button", name="shelf").click()
    desk.page.get_by_role("button", name="This folder").click()
    expect(desk.page.get_by_label("Folder on the server")).to_have_value("/shelf")
    assert desk.page.get_by_label("Local folder").input_value() == str(box)
    desk.page.get_by_role("button", name="Preview").click()
    desk.page.get_by_role("heading", name="Sync these two folders?").wait_for()
    desk.page.get_by_text("1 file or folder would be uploaded.").wait_for()
    desk.page.get_by_text("1 file or folder would be downloaded.").wait_for()
    desk.page.get_by_text("would send mine.txt").wait_for()
    assert not (box / "theirs.txt").exists(), "nothing was done yet"
    desk.page.get_by_role("button", name="Sync", exact=True).click()
    is_said(desk.page, "The folders are now synced.")
    desk.page.locator(".folder-of .state", has_text="Up to date").wait_for()
    wait_until(lambda: (box / "theirs.txt").exists())
    wait_until(lambda: desk.phone.run("cat", "/shelf/mine.txt", check=False).stdout == "mine\n")


def test_what_changed_since_the_dry_run_is_shown_again(desk):
    box = desk.laptop.home / "tied"
    box.mkdir()
    (box / "a.txt").write_text("a\n")
    fill_tying(desk, box, "/shelf")
    desk.page.get_by_role("button", name="Preview").click()
    desk.page.get_by_text("would send a.txt").wait_for()
    (box / "b.txt").write_text("b\n")
    desk.page.get_by_role("button", name="Sync", exact=True).click()
    desk.page.get_by_text("the preview is out of date").wait_for()
    assert desk.page.get_by_label("Local folder").input_value() == str(box)
    assert desk.page.locator(".folder-of").count() == 0


@pytest.mark.parametrize("path, words", [
    ("/", "too broad to sync"), ("~", "too broad to sync"), ("docs", "is not an absolute path"),
    ("/nowhere/at/all", "does not exist"), ("/etc/hostname", "not a folder"), ("<script>alert(1)</script>", "not an absolute path"),
])
def test_a_folder_that_must_not_be_tied_says_why(desk, path, words):
    fill_tying(desk, path, "/shelf")
    desk.page.get_by_role("button", name="Preview").click()
    desk.page.get_by_role("alert").get_by_text(words).wait_for()
    assert desk.page.get_by_label("Local folder").input_value() == path
    assert "shelf" not in desk.phone.run("ls", "/").stdout


def test_a_folder_in_one_that_is_tied_is_refused(bound):
    fill_tying(bound, bound.box / "inner", "/shelf")
    bound.page.get_by_role("button", name="Preview").click()
    bound.page.get_by_role("alert").get_by_text("is inside").wait_for()


def test_what_lies_in_a_folder_in_step_opens_without_a_connection(bound):
    """`bothy cat` read it, and the screen said that it was not on this device."""
    bound.server.stop()
    bound.page.goto("/")
    bound.page.get_by_role("link", name="box").click()
    bound.page.get_by_role("link", name="note-07.txt").click()
    bound.page.get_by_text("note 7").last.wait_for()


def test_a_folder_whose_files_wait_for_a_choice_says_so(bound):
    bound.laptop.run("sync", bound.box, "--conflicts", "ask")
    bound.laptop.run("agent", "--stop")
    (bound.box / "note-07.txt").write_text("mine\n")
    bound.put(bound.phone, "note-07.txt", "theirs\n", "/box/")
    bound.begin_agent()
    bound.page.goto("/synced")
    bound.page.locator(".folder-of .state", has_text="1 file in conflict").wait_for()
