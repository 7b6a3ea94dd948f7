"""What tests need of their machine.

What `make setup` gets, or `make dist` makes, is there wherever all tests should run: scripts/test --long and .ci/run say so
with BOTHY_TEST_COMPLETE, and what is missing is a failure then, because a skip would pass for a success for ever. A machine that
cannot get it names it in BOTHY_TEST_WITHOUT, with commas: axe, caddy, chromium, compiler, dist, fish, nginx, zsh. What only
the machine itself can give (mounts, room) is always a skip. The last lines of a run say what was left out.
"""

import os

import pytest

COMPLETE = os.environ.get("BOTHY_TEST_COMPLETE", "") not in ("", "0")
WITHOUT = {name.strip() for name in os.environ.get("BOTHY_TEST_WITHOUT", "").split(",")}


def missing(name, reason):
    """Ends the test: `name`, which could be got, is not here."""
    if COMPLETE and name not in WITHOUT:
        pytest.fail(f"{reason}. A machine that cannot get it says so: BOTHY_TEST_WITHOUT={name}", pytrace=False)
    pytest.skip(reason)


def machine_cannot(reason):
    """Ends the test: nothing that is installed would help."""
    pytest.skip(reason)


def left_out(reports):
    """What the last lines of a run say: each reason, with how many tests it left out."""
    reasons = {}
    for report in reports:
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] = reasons.get(reason.removeprefix("Skipped: "), 0) + 1
    return [f"{count} left out: {reason}" for reason, count in sorted(reasons.items())]
