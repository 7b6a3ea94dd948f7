"""Waiting for what a test is about to look at. Nothing here sleeps for a while and hopes."""

import time


class TookTooLong(AssertionError):
    pass


def wait_until(condition, seconds=120.0, what="the condition", every=0.01):
    """Calls `condition` until it answers something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise TookTooLong(f"{what} did not come true within {seconds} s")
        time.sleep(every)
