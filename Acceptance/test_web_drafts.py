"""No draft is lost in a browser: what is written is saved as one types, goes on elsewhere, and outlives whatever happens to the page."""

import json
import re

import pytest
from playwright.sync_api import expect

from api import new_id
from browser import Person, is_said
from test_web_feed import article, open_feed
from waiting import wait_until
from web_screens import picture

COMPLAINTS = ("status of", "ERR_", "Failed to load resource")
HOSTILE = "<img src=x onerror=alert(1)> [x](javascript:alert(2)) <script>alert(3)</script>"


def field(page):
    return page.get_by_label("What would you like to say?")


def write(page, text):
    page.goto("/feed/new")
    field(page).click()
    page.keyboard.type(text)


def is_saved(page):
    expect(page.locator(".draft-line")).to_have_text("Draft saved")
    page.wait_for_url(re.compile(r"/feed/new\?draft=\d+$"))


def publish(page):
    page.get_by_role("button", name="Post", exact=True).click()


def drafts(api):
    return api.call("GET", "/v1/drafts", expect=200).json()["drafts"]


def texts(api):
    """What the drafts say, the one that was changed last first."""
    return [draft["contentSummary"] for draft in drafts(api)]


def posts(api):
    return [entry["contentSummary"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


def kept(page):
    """What the browser keeps of what could not be saved."""
    return page.evaluate("() => JSON.parse(localStorage.getItem('bothy-drafts'))?.drafts ?? {}")


def draft(api, content, **more):
    number = int(new_id().replace("-", "")[:12], 16)
    api.call("PUT", f"/v1/drafts/{number}", expect=201, json={"content": content, **more})
    return number


def uploaded(api, name):
    return api.call("POST", "/v1/upload", expect=201, content=picture(0.4), headers={"Content-Type": "image/png"},
                    params={"uploadType": "media", "name": name, "parentId": "root"}).json()


def test_what_is_written_is_saved_as_one_types_and_goes_on_where_it_was(account, person):
    write(person.page, "We went **up**.")
    is_saved(person.page)
    assert texts(account) == ["<p>We went <strong>up</strong>.</p>"]
    person.page.reload()
    expect(field(person.page).locator("strong")).to_have_text("up")
    field(person.page).click()
    person.page.keyboard.press("Control+End")
    person.page.keyboard.type(" And down.")
    wait_until(lambda: person.page.evaluate("1") and texts(account) == ["<p>We went <strong>up</strong>. And down.</p>"],
               what="the same draft has more")


def test_the_drafts_are_listed_opened_and_deleted_after_a_question(account, person):
    file = uploaded(account, "hill.png")
    draft(account, "<p>older</p>")
    newer = draft(account, f"<p>newer</p><p>{HOSTILE.replace('<', '&lt;')}</p>", attachments=[
        {"type": "image", "contentUrl": file["downloadUrl"], "caption": "a hill"}])
    open_feed(person).get_by_role("link", name=re.compile("^Drafts")).click()
    person.page.wait_for_url("**/feed/drafts")
    rows = person.page.locator("li.draft")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("newer")
    expect(rows.first).to_contain_text("<script>alert(3)</script>")
    expect(rows.first).to_contain_text("1 picture or video")
    assert person.page.locator("li.draft img").count() == 0
    rows.first.get_by_role("link", name=re.compile("^Open")).click()
    person.page.wait_for_url(f"**/feed/new?draft={newer}")
    expect(field(person.page)).to_contain_text("<script>alert(3)</script>")
    assert field(person.page).locator("img, script, a[href^=javascript]").count() == 0
    assert person.page.get_by_label("What it shows").input_value() == "a hill"
    person.page.goto("/feed/drafts")
    rows.last.get_by_role("button", name=re.compile("^Delete")).click()
    person.page.get_by_text("Delete this draft?").wait_for()
    assert len(drafts(account)) == 2
    person.page.get_by_role("button", name="Delete").click()
    is_said(person.page, "The draft was deleted.")
    assert [one["draftId"] for one in drafts(account)] == [newer]


def test_whom_a_draft_is_to_is_saved_and_taken_up_again(account, person):
    write(person.page, "for those who follow")
    person.page.get_by_label("Who can see it").select_option("followers")
    is_saved(person.page)
    number = drafts(account)[0]["draftId"]
    wait_until(lambda: person.page.evaluate("1") and account.call("GET", f"/v1/drafts/{number}").json().get("audience") ==
               {"kind": "followers"}, what="the draft says to whom")
    person.page.reload()
    expect(person.page.get_by_label("Who can see it")).to_have_value("followers")
    publish(person.page)
    person.page.wait_for_url("**/feed")
    [entry] = account.call("GET", "/v1/feed").json()["feed"]
    assert entry["audience"] == {"kind": "followers"}


def test_who_was_found_by_name_stays_chosen_on_a_page_that_does_not_offer_them(account, person, new_account):
    """The page offers a hundred people. The draft went on without whom it did not offer, and so did the post."""
    ann, name, page, is_down = new_account(), f"Zoe {new_id()}", person.page, [True]
    number = str(ann.user["id"])
    ann.call("PATCH", "/v1/users/me", json={"name": name}, expect=200)

    def serve(route):
        if route.request.method == "POST":
            return route.abort() if is_down else route.continue_()
        answer = route.fetch()
        offer = rf'<label class="switched"><input type="checkbox" name="to" value="{number}".*?</label>'
        return route.fulfill(response=answer, body=re.sub(offer, "", answer.text()))

    page.route(re.compile(r"/feed/new(\?.*)?$"), serve)
    write(page, "for one")
    page.get_by_label("Who can see it").select_option("people")
    assert page.locator(f"[name=to][value='{number}']").count() == 0
    page.get_by_role("searchbox", name="Search people").fill(name[:12])
    page.get_by_role("checkbox", name=name).check()
    wait_until(lambda: [one["to"] for one in kept(page).values()] == [[number]], what="the browser keeps it")
    page.reload()
    expect(field(page)).to_have_text("for one")
    expect(page.get_by_role("checkbox", name=name)).to_be_checked()
    is_down.clear()
    wait_until(lambda: page.evaluate("1") and drafts(account), seconds=30, what="it is saved")
    saved = account.call("GET", f"/v1/drafts/{drafts(account)[0]['draftId']}", expect=200).json()
    assert [str(one["id"]) for one in saved["audience"]["people"]] == [number]


def test_without_drafts_the_list_says_what_comes_here(person):
    person.page.goto("/feed/drafts")
    person.page.get_by_text("No drafts").wait_for()


def test_posting_a_draft_makes_one_post_and_takes_the_draft_with_it(account, person):
    write(person.page, "once")
    is_saved(person.page)
    number = drafts(account)[0]["draftId"]
    publish(person.page)
    person.page.wait_for_url("**/feed")
    assert posts(account) == ["<p>once</p>"] and drafts(account) == []
    [entry] = account.call("GET", "/v1/feed").json()["feed"]
    assert entry["requestId"] == str(number)
    expect(article(person, "once")).to_have_count(1)
    assert person.page.get_by_role("link", name=re.compile("^Drafts")).count() == 0


def test_whoever_posts_at_once_leaves_no_draft_behind(account, person):
    write(person.page, "quick")
    publish(person.page)
    person.page.wait_for_url("**/feed")
    person.page.wait_for_timeout(2_000)
    assert posts(account) == ["<p>quick</p>"] and drafts(account) == [] and kept(person.page) == {}


@pytest.mark.parametrize("trouble", ["delete AbortSignal.any", "AbortController = () => {}"], ids=["an-older-browser", "a-save-that-throws"])
def test_a_save_that_does_not_work_keeps_nothing_from_being_posted_or_signed_out(account, person, trouble):
    """The button did nothing, for good."""
    person.context.add_init_script(trouble)
    write(person.page, "all the same")
    publish(person.page)
    person.page.wait_for_url("**/feed")
    assert posts(account) == ["<p>all the same</p>"]
    write(person.page, "and then I left")
    person.page.get_by_role("button", name="Sign out").click()
    person.page.wait_for_url("**/sign-in")
    person.complaints.clear()  # the save that threw


def test_what_two_browsers_change_stays_twice(browser, account, person):
    number = draft(account, "<p>first</p>")
    person.page.goto(f"/feed/new?draft={number}")
    other = Person(browser, account.url).sign_in(account.email)
    other.page.goto(f"/feed/new?draft={number}")
    field(other.page).fill("from there")
    is_saved(other.page)
    field(person.page).fill("from here")
    expect(person.page.locator(".draft-line")).to_contain_text("changed elsewhere in the meantime")
    assert sorted(texts(account)) == ["<p>from here</p>", "<p>from there</p>"]
    assert not person.page.url.endswith(str(number)) and other.page.url.endswith(str(number))
    field(person.page).fill("from here again")
    is_saved(person.page)
    assert sorted(texts(account)) == ["<p>from here again</p>", "<p>from there</p>"]
    person.page.goto("/feed/drafts")
    expect(person.page.get_by_text("changed in two places")).to_have_count(1)
    other.close()


def test_what_is_written_after_the_draft_was_posted_elsewhere_is_a_draft_of_its_own(account, person):
    number = draft(account, "<p>first</p>")
    person.page.goto(f"/feed/new?draft={number}")
    account.call("POST", "/v1/posts", expect=201, json={"requestId": number, "draftId": number, "content": "<p>first</p>"})
    field(person.page).fill("second")
    expect(person.page.locator(".draft-line")).to_contain_text("This draft was posted already")
    assert posts(account) == ["<p>first</p>"] and texts(account) == ["<p>second</p>"]
    publish(person.page)
    person.page.wait_for_url("**/feed")
    assert posts(account) == ["<p>second</p>", "<p>first</p>"] and drafts(account) == []


def test_a_draft_that_is_gone_says_so(person):
    person.page.goto("/feed/new?draft=4711")
    person.page.wait_for_url("**/feed/drafts")
    is_said(person.page, "This draft is not there any more", failure=True)


def test_a_page_that_is_left_says_the_last_of_it(account, person):
    write(person.page, "left behind")
    person.page.goto("/feed")
    wait_until(lambda: person.page.evaluate("1") and texts(account) == ["<p>left behind</p>"], what="it is a draft")
    wait_until(lambda: kept(person.page) == {}, what="nothing is kept in the browser")


def test_pictures_and_captions_are_saved_too(account, person):
    file = uploaded(account, "hill.png")
    person.page.goto(f"/feed/new?file={file['id']}")
    person.page.wait_for_timeout(2_000)
    assert drafts(account) == [], "nobody has written anything yet"
    person.page.get_by_label("What it shows").fill("a hill, from below")
    is_saved(person.page)
    person.page.reload()
    person.page.locator("#attached img").evaluate("image => image.decode()")
    assert person.page.get_by_label("What it shows").input_value() == "a hill, from below"
    account.call("PATCH", f"/v1/files/{file['id']}", expect=200, json={"requestId": new_id(), "trashed": True})
    field(person.page).fill("with a picture")
    wait_until(lambda: person.page.evaluate("1") and texts(account) == ["<p>with a picture</p>"], what="it is saved")
    assert drafts(account)[0]["attachmentCount"] == 1, "what lies in the trash is still shown"


def test_what_was_typed_without_a_connection_comes_back_and_is_saved(account, person, way):
    person.page.goto("/feed/new")
    way.go_down()
    field(person.page).fill("in the tunnel")
    expect(person.page.locator(".draft-line")).to_contain_text("kept in this browser")
    assert [one["html"] for one in kept(person.page).values()] == ["<p>in the tunnel</p>"]
    way.come_back()
    wait_until(lambda: person.page.evaluate("1") and texts(account) == ["<p>in the tunnel</p>"], seconds=30, what="it is saved")
    wait_until(lambda: kept(person.page) == {}, what="nothing of it is kept here any more")


def test_what_was_typed_before_the_page_went_is_saved(account, person, way):
    person.page.goto("/feed/new")
    way.go_down()
    field(person.page).fill("lost page")
    expect(person.page.locator(".draft-line")).to_contain_text("kept in this browser")
    person.page.goto("about:blank")
    assert drafts(account) == []
    way.come_back()
    person.page.goto("/feed/new")
    expect(field(person.page)).to_have_text("")
    wait_until(lambda: person.page.evaluate("1") and texts(account) == ["<p>lost page</p>"], seconds=30, what="it is saved")
    person.page.goto("/feed/new")
    expect(field(person.page)).to_have_text("")


def test_another_notice_of_success_does_not_count_as_posted(account, person, new_account):
    """What was to be posted and had not come through was forgotten by the next notice of anything."""
    other = new_account()
    person.page.goto(f"/people/{other.user['id']}")
    person.page.evaluate(
        """([person, id]) => localStorage.setItem("bothy-drafts", JSON.stringify({ person, drafts: { [id]: {
            html: "<p>held back</p>", attached: [], time: "", version: "0", editor: "7", isPosting: true, at: Date.now() } } }))""",
        [str(account.user["id"]), "4242"])
    person.page.get_by_role("button", name=f"Follow: {other.user['displayName']}").click()
    is_said(person.page, "comes into your feed from now on")
    wait_until(lambda: person.page.evaluate("1") and texts(account) == ["<p>held back</p>"], what="it is saved")


def test_what_is_kept_in_a_browser_is_nobody_elses(account, new_account, person, way):
    person.page.goto("/feed/new")
    way.go_down()
    field(person.page).fill("mine alone")
    expect(person.page.locator(".draft-line")).to_contain_text("kept in this browser")
    person.page.goto("about:blank")
    way.come_back()
    person.context.clear_cookies()
    email = f"{new_id()}@example.org"
    other = new_account(email=email)
    person.sign_in(email)
    person.page.goto("/feed/new")
    expect(field(person.page)).to_have_text("")
    assert kept(person.page) == {}
    person.page.wait_for_timeout(2_000)
    assert drafts(other) == [] and drafts(account) == []


def signs_in_beside(person, new_account):
    """Somebody else signs in to the same browser, in a tab of their own. The tab of before stands as it was."""
    tab, email = person.page, f"{new_id()}@example.org"
    other = new_account(email=email)
    person.context.clear_cookies()
    person.page = person.new_page()
    person.sign_in(email)
    return tab, other


def test_what_is_written_is_not_saved_for_who_signed_in_meanwhile(account, person, new_account):
    write(person.page, "mine alone")
    is_saved(person.page)
    tab, other = signs_in_beside(person, new_account)
    field(tab).fill("mine alone, still")
    expect(tab.locator(".draft-line")).to_contain_text("Somebody else is signed in to this browser")
    assert kept(tab) == {}
    expect(field(tab)).to_have_text("mine alone, still")
    assert drafts(other) == [] and texts(account) == ["<p>mine alone</p>"]
    person.context.clear_cookies()
    person.sign_in(account.email)
    wait_until(lambda: tab.evaluate("1") and texts(account) == ["<p>mine alone, still</p>"], seconds=30,
               what="it is saved once its author is back")


def test_signing_out_leaves_nothing_in_the_browser(account, person):
    write(person.page, "then I left")
    person.page.get_by_role("button", name="Sign out").click()
    person.page.wait_for_url("**/sign-in")
    assert person.page.evaluate("() => localStorage.getItem('bothy-drafts')") is None
    assert texts(account) == ["<p>then I left</p>"], "what was typed is with the account"


def test_signing_out_in_another_tab_leaves_nothing_in_the_browser_either(account, person):
    """The tab that stood open kept there what it could not save."""
    write(person.page, "on a borrowed computer")
    is_saved(person.page)
    tab, person.page = person.page, person.new_page()
    person.page.goto("/")
    person.page.get_by_role("button", name="Sign out").click()
    person.page.wait_for_url("**/sign-in")
    field(tab).fill("still typing")
    expect(tab.locator(".draft-line")).to_contain_text("not kept in this browser")
    assert kept(tab) == {}
    tab.goto(person.url + "/sign-in")
    assert kept(tab) == {} and texts(account) == ["<p>on a borrowed computer</p>"]


def test_hostile_words_in_a_draft_are_words(account, person):
    write(person.page, HOSTILE)
    is_saved(person.page)
    person.page.reload()
    expect(field(person.page)).to_have_text(HOSTILE)
    assert field(person.page).locator("img, script, a").count() == 0
    person.page.evaluate(
        """(person) => localStorage.setItem("bothy-drafts", JSON.stringify({ person, drafts: { 7: {
            id: "7", version: "0", editor: "e", at: Date.now(), attached: [{ id: "x\\" onerror=alert(5)", name: "<b>n</b>", kind: "image", caption: "<i>c</i>" }],
            html: "<p>kept <img src=x onerror=alert(4)><script>alert(5)</script></p>" } } }))""", str(account.user["id"]))
    person.page.goto("/feed/new?kept=7")
    expect(field(person.page)).to_have_text("kept")
    assert field(person.page).locator("img, script").count() == 0
    assert person.page.locator("#attached .name b").count() == 0


@pytest.mark.parametrize("thing", ["not json", '{"person": 1}', '{"person": "x", "drafts": 7}', "[]", "null"])
def test_what_is_no_draft_in_the_browser_does_no_harm(account, person, thing):
    person.page.evaluate("thing => localStorage.setItem('bothy-drafts', thing)", thing)
    write(person.page, "fine")
    is_saved(person.page)
    assert texts(account) == ["<p>fine</p>"]


def test_a_draft_of_somebody_else_is_not_there(account, new_account, person):
    other = new_account()
    number = draft(other, "<p>theirs</p>")
    person.page.goto(f"/feed/new?draft={number}")
    person.page.wait_for_url("**/feed/drafts")
    token = person.page.locator("[name=token]").first.input_value()
    person.page.request.post(
        "/feed/drafts", form={"token": token, "id": str(number), "act": "delete"}, headers={"Origin": person.url})
    for form in ({"act": "draft", "html": "<p>x</p>"}, {"act": "draft", "html": "<p>x</p>", "request": "-1"}):
        answer = person.page.request.post(
            "/feed/new", form={"token": "made-up", **form}, headers={"Origin": person.url, "Accept": "application/json"})
        assert answer.status == 403
    assert texts(other) == ["<p>theirs</p>"] and drafts(account) == []


def test_without_scripts_a_button_saves_and_the_draft_goes_on_as_markdown(browser, account):
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.goto("/feed/new")
    field(someone.page).fill("We **went** up")
    someone.page.get_by_role("button", name="Save draft").click()
    someone.page.wait_for_url(re.compile(r"/feed/new\?draft=\d+$"))
    someone.page.get_by_text("Draft saved").wait_for()
    assert field(someone.page).input_value() == "We **went** up"
    field(someone.page).fill("We **went** down")
    someone.page.get_by_role("button", name="Save draft").click()
    someone.page.get_by_text("Draft saved").wait_for()
    assert texts(account) == ["<p>We <strong>went</strong> down</p>"]
    someone.page.goto("/feed")
    someone.page.get_by_role("link", name=re.compile("^Drafts")).click()
    someone.page.get_by_role("link", name=re.compile("^Open")).click()
    publish(someone.page)
    someone.page.wait_for_url("**/feed")
    assert posts(account) == ["<p>We <strong>went</strong> down</p>"] and drafts(account) == []
    someone.close()


def test_what_waits_in_a_browsers_outbox_is_no_draft_besides(browser, account, way):
    """The worker keeps the post; the browser's own copy of the draft goes."""
    someone = Person(browser, way.url, service_workers="allow").sign_in(account.email)
    page = someone.page
    page.goto("/feed")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.goto("/feed/new")
    page.goto("/feed")
    pages = "async () => (await (await caches.open('pages')).keys()).map(({ url }) => new URL(url).pathname)"
    wait_until(lambda: {"/feed", "/feed/new"} <= set(page.evaluate(pages)), what="the pages are kept")
    way.go_down()
    write(page, "later")
    expect(page.locator(".draft-line")).to_contain_text("kept in this browser")
    publish(page)
    page.wait_for_url("**/feed")
    expect(page.locator("#kept article.post")).to_have_count(1)
    wait_until(lambda: kept(page) == {}, what="it is in one place")
    way.come_back()
    page.goto("/feed")
    wait_until(lambda: page.evaluate("1") and posts(account) == ["<p>later</p>"], what="it is posted")
    assert drafts(account) == []
    someone.close()


def test_a_script_is_told_what_became_of_a_draft(account, person):
    person.page.goto("/feed/new")
    form = person.page.evaluate("() => Object.fromEntries(new FormData(document.querySelector('form#content')))")

    def sent(**changed):
        answer = person.page.request.post(
            "/feed/new", form={**form, "act": "draft", **changed}, headers={"Origin": person.url, "Accept": "application/json"})
        return answer.status, json.loads(answer.text())

    assert sent(html="")[0] == 422 and drafts(account) == []
    status, first = sent(html="<p>a</p>")
    assert (status, first["isDone"], first["id"], first["version"]) == (200, True, form["request"], "1")
    assert sent(html="<p>a</p>")[1]["version"] == "1", "the same once more is the same"
    assert sent(html="<p>b</p>", version="1")[1]["version"] == "2"
    assert sent(html="<p>" + "word " * 14_000 + "</p>", version="2")[0] == 422
    assert texts(account) == ["<p>b</p>"]
