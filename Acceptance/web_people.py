"""People with an account of their own at a browser, for tests of the web app."""

import pytest

from api import new_id
from browser import Person, chromium, end_driver
from fault_proxy import FaultProxy

#: What a page may complain of where a test's module says nothing else (`COMPLAINTS`): requests that are refused.
COMPLAINTS = ("status of 4",)


@pytest.fixture(scope="session", autouse=True)
def ends_driver():
    yield
    end_driver()


@pytest.fixture(scope="session")
def browser(ends_driver):
    """A Chromium for all tests of a worker. Each `Person` has a profile of their own in it."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def account(new_account):
    """An account of this test alone, with the address to sign in with."""
    email = f"{new_id()}@example.org"
    api = new_account(email=email)
    api.email = email
    return api


@pytest.fixture
def way(account):
    """What lies between a browser and the server: a test can cut it, and sees what goes through."""
    proxy = FaultProxy(account.url)
    yield proxy
    proxy.stop()


@pytest.fixture
def person(request, browser, account):
    """Somebody signed in to that account, whose pages complained of nothing when the test is over."""
    url = request.getfixturevalue("way").url if "way" in request.fixturenames else account.url
    someone = Person(browser, url).sign_in(account.email)
    someone.page.wait_for_url(url + "/")
    yield someone
    expected = getattr(request.module, "COMPLAINTS", COMPLAINTS)
    complaints = [said for said in someone.complaints if not any(words in said for words in expected)]
    someone.close()
    assert not complaints, complaints
