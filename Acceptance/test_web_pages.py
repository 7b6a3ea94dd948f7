"""The further screens of the web app: the trash, versions, the search, room, devices and the password, folders as ZIPs."""

import io
import re
import subprocess
import zipfile

import pytest

from api import PASSWORD, new_id
from browser import Person, expect, is_said
from test_web_browse import folder, many, put, web
from waiting import wait_until


def entries(person, *names):
    """The page comes to show these, in this order."""
    expect(person.page.locator(".entry .name")).to_have_text(names)


def asks(person, act, question):
    """What is pressed asks first. Its answer is called the same, so the question has to be there before it is given."""
    person.page.get_by_role("button", name=act).click()
    person.page.get_by_role("heading", name=question).wait_for()


def said(person, text):
    is_said(person.page, text)


# The trash


def test_the_trash_gives_back_and_deletes_for_good(account, person):
    letters = folder(account, "Letters")
    for name in ("keep.txt", "away.txt"):
        account.delete(put(account, name, parent=letters["id"])["id"])
    person.page.get_by_role("link", name="Trash").click()
    expect(person.page.locator(".entry")).to_have_count(2)
    for name in ("away.txt", "keep.txt"):
        entry = person.page.locator(".entry").filter(has_text=name)
        expect(entry).to_contain_text("Files / Letters")
        expect(entry).to_contain_text(re.compile("goes in (29|30) days"))
    expect(person.page.get_by_role("button", name="Restore")).to_be_hidden()
    person.page.get_by_label("keep.txt").check()
    person.page.get_by_role("button", name="Restore").click()
    said(person, "1 item was restored.")
    assert account.names(letters["id"]) == ["keep.txt"]
    entries(person, "away.txt")
    person.page.get_by_label("away.txt").check()
    asks(person, "Delete for good", "Delete 1 item for good?")
    person.page.get_by_role("link", name="Cancel").click()
    entries(person, "away.txt")
    person.page.get_by_label("away.txt").check()
    asks(person, "Delete for good", "Delete 1 item for good?")
    person.page.get_by_role("button", name="Delete for good").click()
    said(person, "1 item was deleted for good.")
    person.page.get_by_text("The trash is empty").wait_for()
    assert account.list(trashed="true") == []


def test_emptying_the_trash_leaves_what_came_after_it_was_asked(account, person):
    for name in "abc":
        account.delete(put(account, name)["id"])
    person.page.goto("/trash")
    person.page.get_by_role("link", name="Select all").click()
    expect(person.page.locator(".pick:checked")).to_have_count(3)
    asks(person, "Empty trash", "Empty the trash?")
    account.delete(put(account, "later")["id"])
    person.page.get_by_role("button", name="Empty trash").click()
    said(person, "3 items were deleted for good.")
    entries(person, "later")
    person.page.reload()
    assert person.page.locator(".toast").count() == 0, "it is said once"


def test_all_that_is_chosen_in_the_trash_is_counted(account, person):
    many(account, 230)
    for file in account.list(pageSize=1000):
        account.delete(file["id"])
    person.page.goto("/trash")
    expect(person.page.locator(".entry")).to_have_count(200)
    chosen = person.page.locator("#chosen")
    person.page.locator(".pick").first.check()
    expect(chosen).to_contain_text("1 selected")
    person.page.get_by_role("link", name="Select all").click()
    expect(person.page.locator(".pick:checked")).to_have_count(230)
    expect(chosen).to_contain_text("230 selected")
    person.page.locator(".pick").first.uncheck()
    expect(chosen).to_contain_text("229 selected")
    person.page.get_by_role("button", name="Restore").click()
    said(person, "229 items were restored.")


def test_all_of_a_trash_of_more_than_a_thousand_is_chosen(account, person):
    """It was the first thousand, and nothing said so."""
    many(account, 1_004)
    for file in account.list(pageSize=1_004):
        account.delete(file["id"])
    person.page.goto("/trash")
    person.page.get_by_role("link", name="Select all").click()
    expect(person.page.locator(".pick:checked")).to_have_count(1_000)
    expect(person.page.locator("#chosen")).to_contain_text("1,004 selected")
    person.page.locator(".pick").first.uncheck()
    expect(person.page.locator("#chosen")).to_contain_text("1,003 selected")
    left = person.page.locator(".entry .name").first.inner_text()
    asks(person, "Delete for good", "Delete 1,003 items for good?")
    person.page.get_by_role("link", name="Cancel").click()
    person.page.get_by_role("link", name="Select all").click()
    person.page.locator(".pick").first.uncheck()
    person.page.get_by_role("button", name="Restore").click()
    said(person, "1,003 items were restored.")
    entries(person, left)


def test_the_trash_works_without_scripts(browser, account):
    account.delete(put(account, "a.txt")["id"])
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.goto("/trash")
    someone.page.get_by_label("a.txt").check()
    someone.page.get_by_role("button", name="Restore").click()
    said(someone, "1 item was restored.")
    assert account.names() == ["a.txt"]
    someone.close()


# Versions


def write(account, name, data):
    return account.put(name, data, conflict="overwrite", mimeType="text/plain")


def test_versions_are_looked_at_compared_and_restored(account, person):
    file = write(account, "notes.txt", b"milk\nbread\n")
    write(account, "notes.txt", b"milk\nbutter\nbread\n")
    write(account, "notes.txt", b"milk\nbutter\ncheese\n")
    person.page.goto(f"/file/{file['id']}")
    person.page.get_by_role("link", name="Versions").click()
    expect(person.page.locator(".entry")).to_have_count(3)
    expect(person.page.locator(".entry").first).to_contain_text("from laptop")
    person.page.locator(".entry").first.get_by_text("Current version").wait_for()
    person.page.locator(".entry").nth(1).get_by_role("link", name="Compare").click()
    expect(person.page.locator("tr.added .line")).to_have_text(["butter"])
    expect(person.page.locator("tr.removed .line")).to_have_count(0)
    person.page.get_by_label("Older").select_option(index=2)
    person.page.get_by_label("Newer").select_option(index=0)
    person.page.get_by_role("button", name="Compare").click()
    expect(person.page.locator("tr.added .line")).to_have_text(["butter", "cheese"])
    expect(person.page.locator("tr.removed .line")).to_have_text(["bread"])
    person.page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="Versions").click()
    person.page.locator(".entry").nth(2).get_by_role("button", name="Restore").click()
    said(person, "The version was restored")
    expect(person.page.locator(".entry")).to_have_count(4)
    assert account.read(account.file(file["id"])) == b"milk\nbread\n"


def test_an_old_version_is_opened_as_it_was(account):
    file = write(account, "notes.txt", b"old")
    write(account, "notes.txt", b"new")
    old = account.revisions(file["id"])[-1]["revisionId"]
    with web(account) as client:
        answer = client.get(f"/file/{file['id']}/versions/content", params={"version": old}, follow_redirects=True)
        assert answer.content == b"old" and "sandbox" in answer.headers["content-security-policy"]
        assert client.get(f"/file/{file['id']}/versions/content", params={"version": new_id()}).status_code == 404


def test_a_hostile_text_is_text_when_it_is_compared(account, person):
    file = write(account, "a.txt", b"<script>alert(1)</script>\n")
    write(account, "a.txt", "\"'><img src=x onerror=alert(1)>\u202etxt\n".encode())
    person.page.goto(f"/file/{file['id']}/versions/compare")
    assert person.page.locator("tr.removed .line").inner_text() == "<script>alert(1)</script>"
    assert "⟨U+202E⟩" in person.page.locator("tr.added .line").inner_text()


# The search


def test_the_search_finds_as_one_types(account, person):
    taxes = folder(account, "Taxes")
    put(account, "Report 2024.pdf", parent=taxes["id"])
    put(account, "Report 2023.pdf")
    person.page.keyboard.press("/")
    person.page.wait_for_url("**/search")
    field = person.page.get_by_role("searchbox", name="Search your files")
    expect(field).to_be_focused()
    person.page.keyboard.type("rep")
    person.page.locator(".entry").nth(1).wait_for()
    person.page.keyboard.type(" 2024")
    entries(person, "Report 2024.pdf")
    person.page.wait_for_url("**/search?q=rep%202024")
    assert person.page.locator("mark").all_inner_texts() == ["Rep", "2024"]
    assert "Files / Taxes" in person.page.locator(".entry").inner_text()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Enter")
    person.page.get_by_role("heading", name="Report 2024.pdf").wait_for()
    person.page.go_back()
    entries(person, "Report 2024.pdf")
    field.fill("nothing of it")
    person.page.get_by_role("heading", name="Nothing was found").wait_for()


def test_a_search_for_what_is_no_word_says_so(account, person):
    put(account, "a.txt")
    person.page.goto("/search")
    for typed in ("🎉", '"'):
        person.page.get_by_label("Search your files").fill(typed)
        person.page.get_by_role("heading", name="Type letters or digits to search for").wait_for()
    person.page.get_by_label("Search your files").fill(" ")
    person.page.get_by_role("heading", name="Find a file or folder").wait_for()


def test_the_search_shows_hostile_names_as_text_and_works_without_scripts(browser, account):
    put(account, "<img src=x onerror=alert(1)> photo\u202egpj.exe")
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.goto("/search")
    someone.page.get_by_role("searchbox").fill("photo img")
    someone.page.keyboard.press("Enter")
    entries(someone, "<img src=x onerror=alert(1)> photo⟨U+202E⟩gpj.exe")
    assert someone.complaints == []
    someone.close()


def test_the_search_finds_words_of_texts_and_shows_them_as_text(account, person):
    put(account, "soup.txt", "<img src=x onerror=alert(1)> a pinch of Saffron, \u202eand stir".encode())
    put(account, "saffron.txt", b"about flowers")
    wait_until(lambda: account.call("GET", "/v1/search", params={"q": "pinch"}).json()["results"])
    person.page.goto("/search?q=saffron")
    entries(person, "saffron.txt", "soup.txt")  # what is called so comes first
    excerpt = person.page.locator(".excerpt")
    assert excerpt.count() == 1
    assert excerpt.inner_text() == "<img src=x onerror=alert(1)> a pinch of Saffron, ⟨U+202E⟩and stir"
    assert excerpt.locator("mark").all_inner_texts() == ["Saffron"]
    assert person.page.locator("#found img").count() == 0
    person.page.get_by_text("soup.txt").click()
    person.page.get_by_role("heading", name="soup.txt").wait_for()


# Room, devices, the password


def test_what_takes_room(account, person):
    put(account, "small.txt", b"x" * 100)
    put(account, "big.png", b"\x89PNG" + b"x" * 4000, mime="image/png")
    account.delete(put(account, "gone.txt", b"x" * 500)["id"])
    person.page.goto("/storage")
    assert person.page.locator(".part").first.locator(".name").all_inner_texts() == ["Picture", "Trash", "Text"]
    assert person.page.locator(".part").nth(1).locator(".name").all_inner_texts() == ["big.png", "small.txt"]
    person.page.get_by_role("link", name="Empty trash").click()
    entries(person, "gone.txt")


def test_a_device_is_signed_out_at_once_and_so_are_all_others(browser, account, person):
    other = Person(browser, account.url).sign_in(account.email)
    other.page.wait_for_url(account.url + "/")
    person.page.get_by_role("link", name="Settings").click()
    person.page.locator(".entry").first.get_by_text("This browser").wait_for()
    expect(person.page.locator(".entry")).to_have_count(3)
    person.page.get_by_role("button", name="Sign out: laptop").click()
    person.page.get_by_role("heading", name="Sign out “laptop”?").wait_for()
    assert account.call("GET", "/v1/files").status_code == 200, "it is asked first"
    person.page.get_by_role("link", name="Cancel").click()
    person.page.get_by_role("button", name="Sign out: laptop").click()
    person.page.get_by_role("button", name="Sign out", exact=True).last.click()
    said(person, "1 device was signed out.")
    assert account.call("GET", "/v1/files").status_code == 401
    asks(person, "Sign out everywhere else", "Sign out everywhere else?")
    person.page.get_by_role("button", name="Sign out everywhere else").click()
    said(person, "1 device was signed out.")
    other.page.goto("/settings")
    assert "/sign-in" in other.page.url
    other.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_a_page_came_to_say_goes_by_itself(browser, account, motion):
    """Without a script, too; and for who wants nothing to move it goes without moving."""
    someone = Person(browser, account.url, scripts=False, reduced_motion=motion).sign_in(account.email)
    someone.page.goto("/settings")
    asks(someone, "Sign out everywhere else", "Sign out everywhere else?")
    someone.page.get_by_role("button", name="Sign out everywhere else").click()
    toast = someone.page.locator(".toast.said", has_text="1 device was signed out.")
    toast.wait_for(state="attached")
    assert "8s" in toast.evaluate("toast => getComputedStyle(toast).animationDelay"), "for so long it shows"
    toast.wait_for(state="hidden")
    someone.close()


def test_the_password_is_changed(browser, account, person):
    person.page.goto("/settings")
    person.page.get_by_label("Current password").fill("not it at all")
    person.page.get_by_label("New password").fill("a better battery")
    person.page.get_by_role("button", name="Change password").click()
    person.page.get_by_role("alert").filter(has_text="wrong").wait_for()
    person.page.get_by_label("Current password").fill(PASSWORD)
    person.page.get_by_label("New password").fill("a better battery")
    person.page.get_by_role("button", name="Change password").click()
    said(person, "Your password was changed")
    again = Person(browser, account.url).sign_in(account.email, "a better battery")
    again.page.wait_for_url(account.url + "/")
    again.close()


# Folders as one download


def test_a_film_is_read_from_its_middle(account):
    data = bytes(range(256)) * 1000
    film = put(account, "film.mp4", data, mime="video/mp4")
    with web(account) as client:
        client.follow_redirects = True
        part = client.get(f"/file/{film['id']}/content", headers={"Range": "bytes=1000-1999"})
        assert part.status_code == 206 and part.content == data[1000:2000]
        assert part.headers["content-range"] == f"bytes 1000-1999/{len(data)}"
        assert client.get(f"/file/{film['id']}/content", headers={"Range": "bytes=999999-"}).status_code == 416


def test_a_folder_is_one_download(account, tmp_path):
    docs = folder(account, "docs")
    inner = folder(account, "in ner", docs["id"])
    put(account, "ä.txt", b"hello", docs["id"])
    put(account, "C:\\evil.txt", b"bye", inner["id"])
    with web(account) as client:
        answer = client.get(f"/folder/{docs['id']}/zip")
        assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip"
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert "docs.zip" in answer.headers["content-disposition"]
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert archive.testzip() is None
        assert archive.read("docs/ä.txt") == b"hello" and archive.read("docs/in ner/C__evil.txt") == b"bye"
        (tmp_path / "a.zip").write_bytes(answer.content)
        subprocess.run(["unzip", "-tq", str(tmp_path / "a.zip")], check=True, capture_output=True)
        whole = zipfile.ZipFile(io.BytesIO(client.get("/folder/root/zip").content))
        assert sorted(whole.namelist()) == ["docs/", "docs/in ner/", "docs/in ner/C__evil.txt", "docs/ä.txt"]
        assert client.get(f"/folder/{new_id()}/zip").status_code == 404


def test_a_folder_is_downloaded_from_its_screen(account, person):
    put(account, "a.txt", b"hello")
    person.page.reload()
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name="Download folder").click()
    assert download.value.suggested_filename == "Bothy.zip"
    assert zipfile.ZipFile(download.value.path()).read("a.txt") == b"hello"


def test_what_is_chosen_is_one_download(account, person):
    for name in "abc":
        put(account, f"{name}.txt", name.encode())
    person.page.reload()
    for place in (0, 2):
        person.page.locator(".row .pick").nth(place).check()
    with person.page.expect_download() as download:
        person.page.locator("#acts").get_by_role("button", name="Download").click()
    assert sorted(zipfile.ZipFile(download.value.path()).namelist()) == ["a.txt", "c.txt"]
    expect(person.page.locator(".row.picked")).to_have_count(2)  # what was chosen stays so


@pytest.mark.parametrize("name, mime", [("a.txt", "text/plain"), ("photo.png", "image/png"), ("b", "application/octet-stream")])
def test_one_chosen_file_comes_as_itself(account, person, name, mime):
    """It came in a ZIP."""
    put(account, name, b"itself", mime=mime)
    put(account, "inside.txt", b"inside", folder(account, "f")["id"])
    person.page.reload()
    row = person.page.locator(".row", has_text=name)
    row.locator(".pick").check()
    download_button = person.page.locator("#acts").get_by_role("button", name="Download")
    with person.page.expect_download() as download:
        download_button.click()
    assert download.value.suggested_filename == name
    assert open(download.value.path(), "rb").read() == b"itself"
    row.locator(".pick").uncheck()
    person.page.locator(".row:has(.kind.folder) .pick").check()
    with person.page.expect_download() as download:
        download_button.click()
    assert zipfile.ZipFile(download.value.path()).read("f/inside.txt") == b"inside"


def test_all_of_a_long_list_is_one_download(account, person):
    many(account, 1500)
    person.page.reload()
    person.page.locator(".row").first.wait_for()
    person.page.keyboard.press("Control+a")
    person.page.locator("#picked", has_text="500 selected").wait_for()
    with person.page.expect_download() as download:
        person.page.locator("#acts").get_by_role("button", name="Download").click()
    assert len(zipfile.ZipFile(download.value.path()).namelist()) == 1500


def test_another_accounts_things_are_not_there(account, new_account):
    theirs = new_account()
    docs = folder(theirs, "docs")
    file = put(theirs, "secret.txt", parent=docs["id"])
    with web(account) as client:
        for place in (f"/folder/{docs['id']}/zip", f"/file/{file['id']}/versions", f"/file/{file['id']}/versions/compare"):
            assert client.get(place).status_code == 404, place
        assert "secret" not in client.get("/search/found", params={"q": "secret"}).text.replace("secret</", "")
