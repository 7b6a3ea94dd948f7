"""What a person who signed out of a browser has shown there is not to be had any more."""

import httpx

from api import problem
from browser import Person
from test_feed import PIXEL, posted, read
from test_web_browse import put


def get(account, address):
    return httpx.get(account.url + address, trust_env=False)


def address_in(person, file):
    """The signed address that this browser is sent to for a content, as whoever looks over a shoulder has it."""
    answer = person.context.request.get(f"/file/{file['id']}/content", max_redirects=0)
    assert answer.status == 303
    return answer.headers["location"]


def test_signed_addresses_end_with_the_sign_in(account, browser):
    """They were good for an hour after it."""
    file = put(account, "a.txt")
    one, other = (Person(browser, account.url).sign_in(account.email) for _ in range(2))
    shown, elsewhere, of_the_device = address_in(one, file), address_in(other, file), account.file(file["id"])["downloadUrl"]
    for address in (shown, elsewhere, of_the_device):
        assert get(account, address).content == b"hello"
    one.page.get_by_role("button", name="Sign out").click()
    one.page.wait_for_url("**/sign-in*")
    for address in (shown, shown + "&quality=low"):
        problem(get(account, address), 403, "url_expired")
    assert get(account, elsewhere).status_code == get(account, of_the_device).status_code == 200
    # Signed in anew, the address of before stays what it is.
    one.sign_in(account.email)
    problem(get(account, shown), 403, "url_expired")
    fresh = address_in(one, file)
    assert get(account, fresh).status_code == 200
    account.call("POST", "/v1/auth/logout", expect=204)
    problem(get(account, of_the_device), 403, "url_expired")
    assert get(account, fresh).status_code == 200
    one.close()
    other.close()


def test_a_signed_address_holds_over_a_refresh_of_the_sign_in(account):
    file = put(account, "a.txt")
    address = account.file(file["id"])["downloadUrl"]
    answer = account.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": account.refresh_token}, expect=200)
    account.signed_in(answer.json())
    assert get(account, address).status_code == 200


def test_what_a_post_shows_ends_with_the_readers_sign_in(account, new_account):
    reader = new_account()
    picture = put(account, "a.png", PIXEL, mime="image/png")
    post = posted(account, attachments=[{"type": "image", "contentUrl": picture["downloadUrl"]}])
    address = read(reader, post)["attachments"][0]["contentUrl"]
    assert get(account, address).status_code == 200
    reader.call("POST", "/v1/auth/logout", expect=204)
    problem(get(account, address), 403, "url_expired")
