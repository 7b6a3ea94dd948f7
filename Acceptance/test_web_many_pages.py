"""Many open pages on one server: each hears of a change, and the server stays itself. In `make test-long` a thousand, and soon."""

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest

from api import new_id
from device import PASSWORD
from test_web_browse import put

PAGES_EACH = 50
#: Seconds within which the last of a thousand has to know; it is 300 ms for one page (docs/performance.md).
PATIENCE = 10


def come_in(url, email):
    """Signs in by the form, as a browser does: what it carries from then on, and the mark of the page that it gets."""
    with httpx.Client(base_url=url, headers={"Origin": url}, follow_redirects=True) as browser:
        token = re.search(r'name="token" value="([^"]+)"', browser.get("/sign-in").text)[1]
        page = browser.post("/sign-in", data={"token": token, "email": email, "password": PASSWORD})
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        return cookie, re.search(r'data-mark="([^"]+)"', page.text)[1]


async def follow(address, cookie, mark, opened):
    """One page's stream: the moment at which it was told of a change."""
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(f"GET /folder/root/events?order=name&after={mark} HTTP/1.1\r\nHost: {address.netloc}\r\n"
                 f"Cookie: {cookie}\r\nAccept: text/event-stream\r\n\r\n".encode())
    try:
        assert b" 200 " in await reader.readline()
        await reader.readuntil(b"retry: ")
        opened.release()
        await reader.readuntil(b"everybody.txt")
        return time.monotonic()
    finally:
        writer.close()


async def crowd(url, people, change):
    """Everybody opens their pages; then something happens to each of them. Seconds that each page waited, in order."""
    address, opened = urlsplit(url), asyncio.Semaphore(0)
    pages = [asyncio.create_task(follow(address, *person, opened)) for person in people for _ in range(PAGES_EACH)]
    for _ in pages:
        await asyncio.wait_for(opened.acquire(), 60)
    began = time.monotonic()
    await asyncio.to_thread(change)
    return sorted(end - began for end in await asyncio.wait_for(asyncio.gather(*pages), 60))


@pytest.mark.parametrize("count", [
    pytest.param(4, id="200 pages"), pytest.param(20, id="1000 pages", marks=[pytest.mark.alone, pytest.mark.long])])
def test_many_open_pages_hear_of_a_change(shared_server, new_account, count):
    accounts = []
    for _ in range(count):
        email = f"{new_id()}@example.org"
        accounts.append((email, new_account(email=email)))
    people = [come_in(shared_server.url, email) for email, _ in accounts]

    def change():
        for _, account in accounts:
            put(account, "everybody.txt")

    with ThreadPoolExecutor(1) as pool:  # the thread of the tests may have a loop already, that of the browser
        waited = pool.submit(asyncio.run, crowd(shared_server.url, people, change)).result()
    print(f"{len(waited)} pages: the first knows after {waited[0]:.3f} s, half of them after "
          f"{waited[len(waited) // 2]:.3f}, the last after {waited[-1]:.3f}")
    assert len(waited) == count * PAGES_EACH
    # Whoever comes now is answered as ever.
    began = time.monotonic()
    come_in(shared_server.url, accounts[0][0])
    if count == 20:
        assert waited[-1] < PATIENCE and time.monotonic() - began < PATIENCE
