"""Hearing of changes through what networks put in the way."""

import pytest

from api import Api, new_id
from fault_proxy import answer, hold_back
from waiting import wait_until


def is_stream(request):
    return request.path == "/v1/events"


def is_wait(request):
    return request.path == "/v1/changes/wait"


@pytest.fixture
def watching(new_device, proxy, tmp_path):
    """A device that watches through the proxy, and a way to change something from elsewhere."""
    email = f"{new_id()}@example.org"
    device = new_device().register(proxy.url, email)
    watchers = []

    def start():
        watchers.append(device.start("watch", "--json"))
        return lambda name: name in device.started_log()

    other = Api(f"http://{proxy.upstream[0]}:{proxy.upstream[1]}").login(email, password="correct horse battery")
    yield start, other
    for watcher in watchers:
        watcher.terminate()
        watcher.wait(60)
    other.close()


def test_a_change_is_heard_of_by_the_event_stream(watching, proxy):
    start, other = watching
    heard = start()
    wait_until(lambda: proxy.seen(is_stream), what="the stream")
    wait_until(lambda: proxy.seen(is_stream)[0].sent_down > 0, what="its greeting")
    for number in range(3):
        other.folder(f"n{number}")
        wait_until(lambda: heard(f"n{number}"), what="the change")
    assert len(proxy.seen(is_stream)) == 1 and not proxy.seen(is_wait)


def test_a_stream_that_is_cut_is_opened_again_and_misses_nothing(watching, proxy):
    start, other = watching
    heard = start()
    for number in range(2):
        wait_until(lambda: len(proxy.seen(is_stream)) > number and proxy.seen(is_stream)[-1].sent_down,
                   what="the stream")
        proxy.disconnect()
        other.folder(f"missed{number}")
        wait_until(lambda: heard(f"missed{number}"), what="the change")


def test_where_a_proxy_holds_streams_back_changes_come_by_long_poll(watching, proxy):
    start, other = watching
    proxy.add(hold_back(matches=is_stream, times=1000))
    heard = start()
    wait_until(lambda: proxy.seen(is_wait), what="a long poll")
    other.folder("through")
    wait_until(lambda: heard("through"), what="the change")


def test_where_streams_are_refused_changes_come_by_long_poll(watching, proxy):
    start, other = watching
    proxy.add(answer(501, matches=is_stream, times=1000))
    heard = start()
    wait_until(lambda: proxy.seen(is_wait), what="a long poll")
    other.folder("through")
    wait_until(lambda: heard("through"), what="the change")

