"""Files on their way up from a browser: chosen, dropped, pasted, broken off and gone on with."""

import functools
import os
import re

import pytest

from api import new_id
from browser import Person, expect, is_said
from content import sha256
from test_web_act import row
from test_web_browse import folder, put, shows
from waiting import wait_until

MIB = 1 << 20
#: Networks are cut and servers end on purpose here.
COMPLAINTS = ("status of", "ERR_")


def choose(person, *files, what="files"):
    """Chooses files as the picker would."""
    person.page.locator(f"#pickers [data-pick={what}]").set_input_files([str(file) for file in files])


def file_of(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return path


def title(person, text):
    person.page.locator("#tray-what", has_text=text).wait_for()


def upload(person, name):
    return person.page.locator(".upload", has=person.page.locator(".name", has_text=name))


def content(account, name, parent="root"):
    file = next(file for file in account.list(parent) if file["name"] == name)
    return account.read(file)


def slow(person, milliseconds):
    """Each chunk takes that long from now on, and those after the first three do not go before `quick`: whoever looks late
    meets the upload on its way as well. It is the hashing that takes so long, so that nothing else is made up."""
    person.page.evaluate(
        """lag => {
            const [digest, held] = [crypto.subtle.digest.bind(crypto.subtle), new Promise((done) => { window.quick = done; })];
            let count = 0;
            crypto.subtle.digest = async (...what) => {
                await Promise.race([held, new Promise((done) => setTimeout(done, lag))]);
                if ((count += 1) > 3) await held;
                return digest(...what);
            };
        }""", milliseconds)


def quick(person):
    """From now on as quickly as it can."""
    person.page.evaluate("quick()")


def under_way(person, percent):
    person.page.wait_for_function(
        "percent => document.querySelector('.upload progress')?.value > percent", arg=percent)


def drop(person, files, onto="#main"):
    """Drops files, made in the page, as if they came from outside."""
    person.page.evaluate(
        """([files, onto]) => {
            const data = new DataTransfer();
            for (const [name, size] of files) data.items.add(new File([new Uint8Array(size)], name, { lastModified: 1e12 }));
            const target = document.querySelector(onto);
            for (const type of ["dragover", "drop"])
                target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""", [files, onto])


def test_files_of_any_size_go_up_and_are_there(account, person, tmp_path):
    big = os.urandom(9 * MIB + 5)
    choose(person, file_of(tmp_path, "empty.txt", b""), file_of(tmp_path, "small.txt", b"hello"),
           file_of(tmp_path, "Ünï 😀.bin", big))
    title(person, "3 files uploaded")
    shows(person, "empty.txt", "small.txt", "Ünï 😀.bin")
    assert content(account, "small.txt") == b"hello"
    assert sha256(content(account, "Ünï 😀.bin")) == sha256(big)
    person.page.get_by_role("button", name="Clear the list").click()
    person.page.locator("#tray").wait_for(state="hidden")


@pytest.mark.parametrize("hashes", [True, False], ids=["hashes", "may not hash"])
def test_bytes_are_the_same_whether_a_browser_hashes_or_may_not(account, person, way, tmp_path, hashes):
    """On plain HTTP in a LAN none may: the server's own hashes are what is checked, and nobody is bothered with that."""
    if not hashes:
        person.page.add_init_script('Object.defineProperty(crypto, "subtle", { value: undefined })')
        person.page.reload()
    files = {"empty.txt": b"", "small.bin": os.urandom(5_000), "big.bin": os.urandom(9 * MIB)}
    choose(person, *(file_of(tmp_path, name, data) for name, data in files.items()))
    title(person, "3 files uploaded")
    expect(person.page.locator("#tray-trouble, .toast, [role=alert]").filter(visible=True)).to_have_count(0)
    for name, data in files.items():
        assert sha256(content(account, name)) == sha256(data), name
    chunks = way.seen(lambda request: request.method == "PUT" and request.path.endswith("/chunk"))
    assert sum(chunk.sent_up for chunk in chunks) == 9 * MIB
    assert {"x-chunk-hash" in chunk.headers for chunk in chunks} == {hashes}


def test_the_button_opens_the_pickers(account, person, tmp_path):
    person.page.locator("summary", has_text="Upload").click()
    with person.page.expect_file_chooser() as chooser:
        person.page.get_by_role("button", name="Files", exact=True).click()
    chooser.value.set_files(str(file_of(tmp_path, "a.txt", b"a")))
    shows(person, "a.txt")


def test_a_folder_goes_up_as_it_is(account, person, tmp_path):
    trip = tmp_path / "Trip"
    (trip / "day 1").mkdir(parents=True)
    file_of(trip, "list.txt", b"1")
    file_of(trip / "day 1", "photo.jpg", b"2" * (3 * MIB))
    person.page.locator("#pickers [data-pick=folder]").set_input_files(str(trip))
    title(person, "2 files uploaded")
    shows(person, "Trip")
    there = account.list()[0]
    assert account.names(there["id"]) == ["day 1", "list.txt"]
    assert account.names(account.list(there["id"])[0]["id"]) == ["photo.jpg"]


def test_dropping_and_pasting(account, person):
    docs = folder(account, "docs")
    shows(person, "docs")
    drop(person, [["here.txt", 3]])
    shows(person, "docs", "here.txt")
    drop(person, [["there.txt", 3]], ".row .open")
    title(person, "2 files uploaded")
    assert account.names(docs["id"]) == ["there.txt"]
    person.page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(9)], "image.png", { type: "image/png" }));
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""")
    title(person, "3 files uploaded")
    assert any(re.fullmatch(r"Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png", name) for name in account.names())


@pytest.mark.parametrize("answer", ["Replace", "Keep both", "Skip"])
@pytest.mark.parametrize("size", [4, 5 * MIB])
def test_a_name_that_is_taken(account, person, tmp_path, answer, size):
    put(account, "a.txt", b"old")
    choose(person, file_of(tmp_path, "a.txt", b"x" * size))
    dialog = person.page.get_by_role("dialog", name="“a.txt” already exists")
    expect(dialog.locator("#beside")).to_contain_text(re.compile(r"Existing: 3 \w+, changed .*New: (4|5\.2) \w+, changed "))
    dialog.get_by_label(answer).check()
    dialog.get_by_role("button", name="Upload").click()
    if answer == "Skip":
        dialog.wait_for(state="hidden")
        assert account.names() == ["a.txt"] and content(account, "a.txt") == b"old"
        return
    title(person, "1 file uploaded")
    assert account.names() == (["a.txt"] if answer == "Replace" else ["a (1).txt", "a.txt"])
    assert len(content(account, "a.txt")) == (size if answer == "Replace" else 3)


def test_what_is_said_for_all_holds_for_all(account, person, tmp_path):
    for number in range(5):
        put(account, f"{number}.txt", b"old")
    choose(person, *(file_of(tmp_path, f"{number}.txt", b"new") for number in range(6)))
    dialog = person.page.locator("#taken")
    dialog.get_by_label("Replace").check()
    dialog.get_by_label("Do this for all remaining files").check()
    dialog.get_by_role("button", name="Upload").click()
    title(person, "6 files uploaded")
    assert all(content(account, f"{number}.txt") == b"new" for number in range(6))


def test_no_file_replaces_a_folder(account, person, tmp_path):
    """Where it is known that a folder has the name, replacing is not offered; else it is asked again without that."""
    folder(account, "plan.txt")
    folder(account, "film.bin", folder(account, "Trip")["id"])
    shows(person, "plan.txt", "Trip")
    choose(person, file_of(tmp_path, "plan.txt", b"new"))
    dialog = person.page.locator("#taken")
    dialog.get_by_text("Existing: a folder, changed").wait_for()
    expect(dialog.get_by_label("Replace")).to_be_hidden()
    dialog.get_by_role("button", name="Upload").click()
    shows(person, "plan.txt", "Trip", "plan (1).txt")
    trip = tmp_path / "Trip"
    trip.mkdir()
    file_of(trip, "film.bin", os.urandom(5 * MIB))
    choose(person, trip, what="folder")
    dialog = person.page.get_by_role("dialog", name="“Trip/film.bin” already exists")
    dialog.get_by_label("Replace").check()
    dialog.get_by_label("Do this for all remaining files").check()
    dialog.get_by_role("button", name="Upload").click()
    expect(dialog.get_by_label("Replace")).to_be_hidden()
    expect(dialog.get_by_label("Keep both")).to_be_checked()
    dialog.get_by_label("Skip").check()
    dialog.get_by_role("button", name="Upload").click()
    title(person, "1 file uploaded")
    expect(person.page.locator("#tray-how")).to_have_text("1 skipped")


@pytest.mark.parametrize("hashes", [True, False], ids=["hashes", "may not hash"])
def test_a_batch_that_is_chosen_again_is_not_asked_about_where_it_is_there(account, person, tmp_path, hashes):
    """Of a batch that had broken off, each file that had come was asked about, and got a second version."""
    if not hashes:
        person.page.add_init_script('Object.defineProperty(crypto, "subtle", { value: undefined })')
        person.page.reload()
    lengths = (0, 1, 55, 56, 64, 5_000, 3 * MIB + 63)
    files = [file_of(tmp_path, f"{length}.bin", os.urandom(length)) for length in lengths]
    choose(person, *files)
    title(person, "7 files uploaded")
    person.page.get_by_role("button", name="Clear the list").click()
    choose(person, *files, file_of(tmp_path, "new.txt", b"new"))
    title(person, "1 file uploaded")
    expect(person.page.locator("#tray-how")).to_have_text("7 already existed")
    expect(person.page.locator(".upload")).to_have_count(1)
    person.page.get_by_role("button", name="Clear the list").click()
    choose(person, files[5])
    title(person, "1 already existed")
    expect(person.page.locator("#taken")).to_be_hidden()
    there = account.list()
    assert len(there) == 8
    assert {file["name"]: len(account.revisions(file["id"])) for file in there if file["size"]} == {
        **{f"{length}.bin": 1 for length in lengths if length}, "new.txt": 1}
    # What is as large, and is something else, is asked about.
    choose(person, file_of(tmp_path, "5000.bin", os.urandom(5_000)))
    person.page.get_by_role("dialog", name="“5000.bin” already exists").wait_for()


@pytest.mark.parametrize("way_out", ["Cancel", "Escape"])
def test_who_cancels_stops_nothing_that_has_a_name_of_its_own(account, person, tmp_path, way_out):
    """What had not gone yet of the same choice was stopped with the file that was asked about."""
    for name in "ab":
        put(account, f"{name}.txt", b"old")
    held = []
    person.page.route("**/chunk?*", lambda route: held.append(route))
    choose(person, file_of(tmp_path, "a.txt", b"new"), file_of(tmp_path, "film.bin", os.urandom(20 * MIB)),
           file_of(tmp_path, "b.txt", b"new"), file_of(tmp_path, "more.bin", os.urandom(9 * MIB)))
    dialog = person.page.get_by_role("dialog", name=re.compile("“[ab].txt” already exists"))
    dialog.wait_for()
    if way_out == "Cancel":
        dialog.get_by_role("button", name="Cancel").click()
    else:
        person.page.keyboard.press("Escape")
    expect(person.page.locator("#tray-what")).to_have_text("Uploading 2 files")
    person.page.unroute("**/chunk?*")  # what was held goes on
    title(person, "2 files uploaded")
    expect(person.page.locator("#tray-how")).to_have_text("2 stopped")
    expect(person.page.locator("#taken")).to_be_hidden()
    assert account.names() == ["a.txt", "b.txt", "film.bin", "more.bin"]
    assert [content(account, f"{name}.txt") for name in "ab"] == [b"old"] * 2


@pytest.mark.parametrize("way_out", ["Cancel", "Escape"])
def test_who_cancels_is_asked_no_more_and_is_told_what_did_not_go(account, person, tmp_path, way_out):
    trip = folder(account, "Trip")
    for name in "abc":
        put(account, f"{name}.txt", b"old", trip["id"])
    here = tmp_path / "Trip"
    here.mkdir()
    for name in "abcd":
        file_of(here, f"{name}.txt", b"x" * (300 << 10 if name == "d" else 3))
    choose(person, here, what="folder")
    dialog = person.page.get_by_role("dialog", name=re.compile(r"“Trip.[abc]\.txt” already exists"))
    dialog.wait_for()
    upload(person, "d.txt").and_(person.page.locator(".done")).wait_for()
    if way_out == "Cancel":
        dialog.get_by_role("button", name="Cancel").click()
    else:
        person.page.keyboard.press("Escape")
    title(person, "1 file uploaded")
    expect(person.page.locator("#tray-how")).to_have_text("3 stopped")
    expect(person.page.locator("#taken")).to_be_hidden()
    assert [content(account, f"{name}.txt", trip["id"]) for name in "abc"] == [b"old"] * 3
    person.page.get_by_role("button", name="Clear the list").click()
    person.page.locator("#tray").wait_for(state="hidden")


def test_what_has_not_been_answered_for_is_not_counted_as_stopped(account, person, tmp_path):
    """Files whose request had gone out whole were called stopped, and were there all the same."""
    put(account, "a.txt", b"old")
    held = []

    def hold(route):
        answer = route.fetch()
        # The one with the name that is taken goes first, and is answered at once.
        if "name_conflict" in answer.text():
            return route.fulfill(response=answer)
        held.append((route, answer))

    person.page.route("**/uploads/batch", hold)
    choose(person, *(file_of(tmp_path, f"{name}.txt", b"new") for name in "abc"))
    person.page.get_by_role("dialog", name="“a.txt” already exists").wait_for()
    while sum(len(answer.json()["items"]) for _, answer in held) < 2:
        person.page.wait_for_timeout(50)
    person.page.keyboard.press("Escape")
    expect(person.page.locator("#taken")).to_be_hidden()
    expect(person.page.locator("#tray-what")).to_have_text("Uploading 2 files")
    for route, answer in held:
        route.fulfill(response=answer)
    title(person, "2 files uploaded")
    expect(person.page.locator("#tray-how")).to_have_text("1 stopped")
    assert account.names() == ["a.txt", "b.txt", "c.txt"] and content(account, "a.txt") == b"old"


def test_who_met_a_folder_once_may_replace_the_file_that_is_there_now(account, person, tmp_path):
    there = folder(account, "plan.txt")
    shows(person, "plan.txt")
    requests = []

    def refuse_the_second(route):
        requests.append(route)
        if len(requests) != 2:
            return route.continue_()
        refused = {"code": "name_conflict", "words": "The name is taken.", "remedy": ""}
        route.fulfill(json={"items": [{"refused": refused}]})

    person.page.route("**/uploads/batch", refuse_the_second)
    choose(person, file_of(tmp_path, "plan.txt", b"new"))
    dialog = person.page.get_by_role("dialog", name="“plan.txt” already exists")
    expect(dialog.get_by_label("Keep both")).to_be_checked()
    expect(dialog.get_by_label("Replace")).to_be_hidden()
    dialog.get_by_role("button", name="Upload").click()
    title(person, "1 file failed")
    account.call("DELETE", f"/v1/files/{there['id']}", expect=204)
    file = put(account, "plan.txt", b"old")
    person.page.locator(f".row[data-id='{file['id']}']").wait_for()
    upload(person, "plan.txt").get_by_role("button", name="Try again").click()
    dialog.get_by_label("Replace").check()
    dialog.get_by_role("button", name="Upload").click()
    title(person, "1 file uploaded")
    assert account.names() == ["plan.txt"] and content(account, "plan.txt") == b"new"


def test_what_is_paused_outlives_a_link(account, person, tmp_path):
    data = os.urandom(40 * MIB)
    folder(account, "docs")
    shows(person, "docs")
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", data))
    under_way(person, 5)
    upload(person, "film.bin").get_by_role("button", name="Pause").click()
    upload(person, "film.bin").get_by_text("Paused").wait_for()
    person.page.get_by_role("link", name="docs").click()
    person.page.get_by_text("This folder is empty").wait_for()
    quick(person)
    upload(person, "film.bin").get_by_role("button", name="Resume").click()
    title(person, "1 file uploaded")
    assert sha256(content(account, "film.bin")) == sha256(data)


def test_the_menu_of_uploading_is_left_by_keys(account, person):
    summary, menu = person.page.locator("summary", has_text="Upload"), person.page.locator(".adding")
    for leave in ("Escape", "Shift+Tab"):
        summary.focus()
        person.page.keyboard.press("Enter")
        expect(menu.get_by_role("button", name="A folder")).to_be_visible()
        if leave == "Escape":
            person.page.keyboard.press("Tab")
        person.page.keyboard.press(leave)
        expect(menu).not_to_have_attribute("open", "")
    person.page.keyboard.press("Tab")
    expect(summary).to_be_focused()


def test_pausing_and_going_on(account, person, tmp_path):
    data = os.urandom(40 * MIB)
    slow(person, 1500)
    # How fast it goes is told while it does, and not of what stands still.
    person.page.evaluate(
        """() => { window.told = []; new MutationObserver(() => told.push(document.querySelector(".upload .detail")?.textContent))
            .observe(document.getElementById("uploads"), { childList: true, subtree: true, characterData: true }); }""")
    choose(person, file_of(tmp_path, "film.bin", data))
    under_way(person, 5)
    person.page.wait_for_function("() => told.some((words) => /MB of 41\\.9 MB · .*\\/s · .* left/.test(words))")
    # What was on its way when it paused is sent again, and is not counted; what had arrived is.
    person.page.wait_for_function("() => bothyUploads.all[0].sent > 0")
    upload(person, "film.bin").get_by_role("button", name="Pause").click()
    upload(person, "film.bin").get_by_text("Paused").wait_for()
    value = person.page.locator(".upload progress").evaluate("bar => bar.value")
    assert 0 < value < 100
    quick(person)
    upload(person, "film.bin").get_by_role("button", name="Resume").click()
    title(person, "1 file uploaded")
    assert sha256(content(account, "film.bin")) == sha256(data)


def test_a_reload_in_the_middle_goes_on_with_the_same_file_and_no_other(browser, account, person, tmp_path):
    data = os.urandom(40 * MIB)
    film = file_of(tmp_path, "film.bin", data)
    slow(person, 1500)
    choose(person, film)
    person.page.wait_for_function("() => bothyUploads.all[0]?.sent > 0")  # a chunk is there
    person.page.close(run_before_unload=False)
    person.page = person.new_page()
    person.page.goto("/")
    unfinished = person.page.get_by_text("Choose the same file again to resume")
    unfinished.wait_for()
    # Another file of that name, which was saved at another time, begins anew.
    other = tmp_path / "other"
    other.mkdir()
    choose(person, file_of(other, "film.bin", b"y" * len(data)))
    title(person, "1 file uploaded")
    expect(unfinished).to_be_visible()
    account.call("DELETE", f"/v1/files/{account.list()[0]['id']}", params={"permanent": "true"}, expect=204)
    bytes_sent = []
    person.page.on("request", lambda request: request.method == "PUT" and bytes_sent.append(request))
    choose(person, film)
    title(person, "2 files uploaded")
    expect(unfinished).to_be_hidden()
    assert len(bytes_sent) < 10, "what was there already was sent again"
    assert sha256(content(account, "film.bin")) == sha256(data)


def test_another_tab_does_not_offer_what_this_one_is_sending(account, person, tmp_path):
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", os.urandom(40 * MIB)))
    under_way(person, 5)
    second = person.new_page()
    second.add_init_script(
        """window.heard = new BroadcastChannel("bothy-uploads");
        window.told = new Promise((done) => { heard.onmessage = ({ data }) => data.going && done(data.going.length); });""")
    second.goto("/")
    assert second.evaluate("told") == 1, "the first says what it is sending"
    second.locator("#uploads .upload").wait_for(state="detached")
    expect(second.locator("#tray")).to_be_hidden()


def test_canceling_frees_what_came(account, person, tmp_path):
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", os.urandom(40 * MIB)))
    under_way(person, 5)
    with person.page.expect_response("**/cancel"):
        upload(person, "film.bin").get_by_role("button", name="Cancel").click()
    upload(person, "film.bin").wait_for(state="detached")
    with person.page.expect_response("**/uploads") as told:
        person.page.reload()
    assert told.value.json()["rows"].strip() == "", "nothing is left that could go on"
    person.page.locator("#tray").wait_for(state="hidden")
    assert account.names() == []


def test_the_server_gone_in_the_middle(browser, server, new_account, tmp_path):
    email = f"{new_id()}@example.org"
    account = new_account(server, email=email)
    someone = Person(browser, server.url).sign_in(email)
    someone.page.wait_for_url(server.url + "/")
    data = os.urandom(40 * MIB)
    slow(someone, 1500)
    choose(someone, file_of(tmp_path, "film.bin", data), file_of(tmp_path, "note.txt", b"note"))
    under_way(someone, 5)
    server.kill()
    quick(someone)
    someone.page.get_by_text("No connection. It resumes automatically.").wait_for()
    server.start()
    title(someone, "2 files uploaded")
    account.login(email)
    assert sha256(content(account, "film.bin")) == sha256(data)
    assert content(account, "note.txt") == b"note"
    someone.close()


def test_what_comes_after_is_counted_by_itself_and_the_room_is_told(account, person, tmp_path):
    before = person.page.locator(".room").inner_text()
    choose(person, file_of(tmp_path, "first.bin", os.urandom(6 * MIB)))
    title(person, "1 file uploaded")
    expect(person.page.locator(".room")).not_to_have_text(before)
    assert person.page.locator(".room [aria-current]").count() == 0
    assert "6.3 MB" in person.page.locator(".room").inner_text()
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", os.urandom(40 * MIB)))
    under_way(person, 5)
    # Of 40 MiB the first chunks.
    person.page.wait_for_function("() => document.getElementById('tray-all').value < 500")
    quick(person)
    title(person, "2 files uploaded")


def sign_out(account):
    """From elsewhere, as whoever lost a device does."""
    devices = account.call("GET", "/v1/auth/devices", expect=200).json()["devices"]
    device = next(device for device in devices if device["platform"] == "web")
    account.call("DELETE", f"/v1/auth/devices/{device['id']}", expect=204)


def sign_in_again(account, person):
    person.page.get_by_text("You are signed out.").first.wait_for()
    with person.context.expect_page() as opened:
        person.page.locator("#tray-trouble").get_by_role("link", name="Sign in").click()
    again = opened.value
    again.get_by_label("Email").fill(account.email)
    again.get_by_label("Password").fill("correct horse battery")
    again.get_by_role("button", name="Sign in").click()
    again.wait_for_url(account.url + "/")


def try_again(person):
    person.page.locator("#tray-trouble").get_by_role("button", name="Try again").click()


def test_signed_out_in_the_middle_and_in_again(account, person, tmp_path):
    data = os.urandom(40 * MIB)
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", data))
    under_way(person, 5)
    sign_out(account)
    quick(person)
    sign_in_again(account, person)
    try_again(person)
    title(person, "1 file uploaded")
    assert sha256(content(account, "film.bin")) == sha256(data)


def test_a_refusal_that_cuts_the_body_off_is_no_lost_connection(account, person):
    """A server that refuses a body need not read it, and whoever still sends hears of no answer."""
    # Signed out while the files are under way, and not before: a page with nothing to send would begin again at the sign-in.
    signed_out = functools.cache(lambda: sign_out(account))
    person.page.route("**/uploads/batch", lambda route: (signed_out(), route.abort("connectionreset")))
    drop(person, [[f"note-{number}.txt", 10] for number in range(3)])
    sign_in_again(account, person)
    person.page.unroute_all()
    try_again(person)
    title(person, "3 files uploaded")


def test_what_is_refused_is_said(account, person, tmp_path):
    drop(person, [["fine.txt", 1], ["a\u0007b.txt", 1], ["x" * 256, 200 << 10]])
    title(person, "2 files failed")
    assert person.page.locator(".upload .name").all_inner_texts()[-1] == "fine.txt", "what did not go is seen first"
    assert "control character" in upload(person, "a\u0007b.txt").locator(".detail").inner_text()
    assert "256 bytes" in upload(person, "xxx").locator(".detail").inner_text()
    assert account.names() == ["fine.txt"]


def test_names_of_255_bytes_and_hostile_ones_are_names(account, person):
    names = ["😀" * 62 + "abc.txt", "<img src=x onerror=alert(1)>.txt", "{{token}}.txt", "photo\u202egpj.exe"]
    assert len(names[0].encode()) == 255
    drop(person, [[name, 5] for name in names])
    title(person, "4 files uploaded")
    assert sorted(account.names()) == sorted(names)


def test_an_unreadable_file_says_so_and_keeps_nobody_waiting(account, person, tmp_path):
    gone = file_of(tmp_path, "gone.bin", os.urandom(5 * MIB))
    person.page.route("**/folder/root/upload", lambda route: (gone.unlink(missing_ok=True), route.continue_()))
    choose(person, gone, file_of(tmp_path, "fine.txt", b"fine"))
    upload(person, "gone.bin").get_by_text("The file cannot be read").wait_for()
    shows(person, "fine.txt")


def test_a_server_that_asks_to_wait_is_waited_for_with_its_own_words(account, person, tmp_path):
    """As where too many uploads are open: that is no break of the connection, and nobody need do anything."""
    asked = []

    def wait(route):
        asked.append(route)
        if len(asked) > 2:
            return route.continue_()
        route.fulfill(status=429, json={"code": "too_many_uploads", "words": "Too many uploads are open. Some must finish first."})

    person.page.route("**/folder/root/upload", wait)
    choose(person, file_of(tmp_path, "film.bin", os.urandom(5 * MIB)))
    said = person.page.locator("#tray-trouble")
    said.get_by_text("Too many uploads are open. Some must finish first.").wait_for()
    shows(person, "film.bin")
    said.wait_for(state="hidden")
    assert len(asked) == 3


def test_a_server_that_is_busy_is_told_as_a_break(account, person, tmp_path):
    refused = []

    def refuse(route):
        refused.append(route)
        route.fulfill(status=503, json={"code": "server_busy", "words": "Busy."}) if len(refused) == 1 else route.continue_()

    person.page.route("**/folder/root/upload", refuse)
    choose(person, file_of(tmp_path, "film.bin", os.urandom(5 * MIB)))
    words = person.page.locator("#tray").get_attribute("data-offline")
    person.page.locator("#tray-trouble").get_by_text(words).wait_for()
    shows(person, "film.bin")


def test_a_file_that_changes_while_it_goes_says_so(account, person, tmp_path):
    film = file_of(tmp_path, "film.bin", os.urandom(5 * MIB))

    def change(route):
        film.write_bytes(b"another")
        route.continue_()

    person.page.route("**/chunk*", change)
    choose(person, film, file_of(tmp_path, "fine.txt", b"fine"))
    upload(person, "film.bin").get_by_text("The file cannot be read").wait_for()
    shows(person, "fine.txt")
    assert account.names() == ["fine.txt"]


def test_a_dropped_folder_with_what_cannot_be_read_goes_up_without_it(account, person):
    """A folder of this computer, as a browser hands it over: a file in it and a folder in it refuse to be read."""
    person.page.evaluate(
        """() => {
            const file = (name, content) => ({ name, isFile: true, file: (done, fail) =>
                content === null ? fail(new DOMException("no", "NotReadableError")) : done(new File([content], name)) });
            const folder = (name, entries) => ({ name, isDirectory: true, createReader: () => ({ readEntries: (done, fail) =>
                entries === null ? fail(new DOMException("no", "NotReadableError")) : done(entries.splice(0)) }) });
            const dropped = folder("Trip", [file("fine.txt", "fine"), file("shut.txt", null), folder("shut", null), file("last.txt", "last")]);
            DataTransferItem.prototype.webkitGetAsEntry = () => dropped;
        }""")
    drop(person, [["Trip", 1]])
    title(person, "2 files failed")
    unread = person.page.locator(".upload.failed").all_inner_texts()
    assert len(unread) == 2 and all("cannot be read" in text for text in unread), unread
    assert "shut.txt" in "".join(unread)
    shows(person, "Trip")
    assert account.names(account.list()[0]["id"]) == ["fine.txt", "last.txt"]


def test_ten_gibibytes_are_begun_and_one_byte_more_is_refused(account, person, tmp_path):
    for name, size in (("most.bin", 10 << 30), ("more.bin", (10 << 30) + 1)):
        with open(tmp_path / name, "wb") as file:
            file.truncate(size)  # it takes no room on the disk
    choose(person, tmp_path / "more.bin")
    upload(person, "more.bin").get_by_text("The maximum file size is 10.7 GB.").wait_for()
    choose(person, tmp_path / "most.bin")
    person.page.wait_for_function("() => bothyUploads.all.some((one) => one.name === 'most.bin' && one.sent > 0)")
    expect(upload(person, "most.bin").locator(".detail")).to_contain_text("10.7 GB")
    upload(person, "most.bin").get_by_role("button", name="Cancel").click()
    wait_until(lambda: account.call("GET", "/v1/about", expect=200).json()["quota"]["used"] == 0)
    assert account.names() == []


def test_an_account_that_is_full_says_so_and_goes_on_once_there_is_room(browser, server, new_account, tmp_path):
    email = f"{new_id()}@example.org"
    account = new_account(server, email=email)
    put(account, "old.bin", os.urandom(3 * MIB))
    server.admin("user", "quota", email, "4 MiB")
    person = Person(browser, server.url).sign_in(email)
    person.page.wait_for_url(server.url + "/")
    data = os.urandom(2 * MIB)
    choose(person, file_of(tmp_path, "new.bin", data))
    title(person, "1 file failed")
    trouble = person.page.locator("#tray-trouble")
    trouble.wait_for()
    said = upload(person, "new.bin").locator(".detail").inner_text()
    assert "bothy" not in said and said, said
    assert account.names() == ["old.bin"], "nothing is lost, and nothing half is there"
    server.admin("user", "quota", email, "8 MiB")
    trouble.locator("[data-do=settled]").click()
    title(person, "1 file uploaded")
    assert content(account, "new.bin") == data
    person.close()


def test_while_bytes_go_other_folders_open_in_the_same_page(account, person, tmp_path):
    docs = folder(account, "docs")
    put(account, "inner.txt", b"x", docs["id"])
    shows(person, "docs")
    data = os.urandom(40 * MIB)
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", data))
    under_way(person, 5)
    person.page.evaluate("window.same = true")
    person.page.get_by_role("link", name="docs").click()
    shows(person, "inner.txt")
    put(account, "later.txt", b"x", docs["id"])
    shows(person, "inner.txt", "later.txt")
    person.page.go_back()
    row(person, "docs").wait_for()
    quick(person)
    title(person, "1 file uploaded")
    assert person.page.evaluate("window.same"), "the page was left"
    shows(person, "docs", "film.bin")
    assert sha256(content(account, "film.bin")) == sha256(data)


def test_while_bytes_go_a_page_that_nobody_answers_for_leaves_this_one(account, person, tmp_path):
    folder(account, "docs")
    shows(person, "docs")
    data = os.urandom(40 * MIB)
    slow(person, 1500)
    choose(person, file_of(tmp_path, "film.bin", data))
    under_way(person, 5)
    before = person.page.url
    person.page.route("**/trash", lambda route: route.abort())
    person.page.locator(".place", has_text="Trash").click()
    is_said(person.page, "does not answer", failure=True)
    assert person.page.url == before
    shows(person, "docs")
    person.page.unroute("**/trash")
    quick(person)
    title(person, "1 file uploaded")
    assert sha256(content(account, "film.bin")) == sha256(data)
    person.complaints.clear()  # the browser's own, of what was not answered


@pytest.mark.parametrize("many", [2_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_a_drop_of_thousands_of_files(account, person, many):
    drop(person, [[f"f{number:05}.txt", number % 50] for number in range(many)])
    title(person, "Uploading")
    person.page.locator("#tray-what", has_text=f"{many:,} files uploaded").wait_for(timeout=300_000)
    assert person.page.locator(".upload").count() <= 50, "what is drawn has a bound"
    person.page.locator("#count", has_text=f"{many:,} items").wait_for()


def test_the_whole_list_is_chosen_and_not_only_what_is_held(account, person):
    drop(person, [[f"f{number:05}.txt", 1] for number in range(1500)])
    person.page.locator("#count", has_text="1,500 items").wait_for()
    person.page.locator(".row .open").first.focus()
    person.page.keyboard.press("Control+a")
    person.page.locator("#picked", has_text="1,500 selected").wait_for()
    person.page.keyboard.press("Delete")
    person.page.get_by_text("Nothing here yet").wait_for()
    assert account.names() == []


def test_by_keyboard_and_by_ear(account, person, tmp_path):
    put(account, "a.txt", b"old")
    choose(person, file_of(tmp_path, "a.txt", b"new"))
    person.page.get_by_role("dialog", name="“a.txt” already exists").wait_for()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Enter")
    title(person, "1 file uploaded")
    assert account.names() == ["a (1).txt", "a.txt"]
    said = person.page.locator("#tray-said")
    assert said.get_attribute("aria-live") == "polite"
    expect(said).to_have_text("1 file uploaded")
    fold = person.page.locator("[data-do=fold]")
    fold.focus()
    person.page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(person.page.locator("#uploads")).to_be_hidden()


def test_no_page_of_another_uploads_here(account, person):
    """A body that is no form counts only with the mark of this browser's forms."""
    status = person.page.evaluate(
        """async () => {
            const tries = [{}, { "Bothy-Form-Token": "00" }].map((headers) =>
                fetch("/uploads/batch", { method: "POST", body: "x", headers: { Accept: "application/json", ...headers } }));
            return Promise.all((await Promise.all(tries)).map((answer) => answer.status));
        }""")
    assert status == [403, 403]
