"""Three homes on real disks change at random while processes are killed and networks cut: then they rest, and nothing is lost.

`make test` plays one round of one seed, `make test-long` ten minutes of a new one. `BOTHY_TEST_SEED=…` draws the same acts again;
what the machine does meanwhile is its own.
"""

import os
import random
import re
import time

import pytest

from people import GENTLE, Ledger, Person
from three_homes import ThreeHomes

MINUTE = 60
ROUND = 12
"""Seconds between two rests: a fault is found near to what made it."""


@pytest.fixture
def homes(tmp_path, proxy_to, minutes):
    seed = int(os.environ.get("BOTHY_TEST_SEED", random.SystemRandom().randrange(1 << 32) if minutes else 1))
    homes = ThreeHomes(tmp_path, random.Random(f"{seed} troubles"), proxy_to)
    homes.seed = seed
    yield homes
    homes.close()


@pytest.mark.parametrize("minutes", [pytest.param(0, id="one round"), pytest.param(10, marks=pytest.mark.long)])
def test_nothing_is_lost_among_three_homes(homes, minutes):
    steps = []

    def tell(*words):
        steps.append(f"{time.monotonic() - began:7.2f} {' '.join(map(str, words))}")

    began = time.monotonic()
    chance, ledger = random.Random(f"{homes.seed} acts"), Ledger()
    people = [Person(home.name, home.folder.path, chance, ledger, tell) for home in homes.homes]
    try:
        while True:
            change_at_random(homes, people, chance, tell)
            own = {person.name: person.own_tree() for person in people}
            tell("all rest")
            homes.come_to_rest()
            homes.judge(ledger, own)
            change_a_little(homes, people)
            if time.monotonic() - began >= minutes * MINUTE:
                break
    except BaseException as error:
        report(homes, steps, error)
        raise


def change_a_little(homes, people):
    """Nothing fails, and nobody types a command."""
    homes.begin()
    for person in people:
        for _ in range(3):
            person.act(GENTLE)
    homes.wait_until_equal(seconds=60)


def change_at_random(homes, people, chance, tell):
    homes.begin()
    end = time.monotonic() + ROUND
    while time.monotonic() < end:
        if chance.random() < 0.06:
            homes.trouble(tell)
        person = chance.choice(people)
        person.act()
        for other in people:
            if chance.random() < 0.02:
                homes_disk = {facts[0] for facts in homes.of(other.name).tree().values() if facts}
                person.ledger.sees(other.name, homes_disk)
        time.sleep(chance.random() * 0.05)


def report(homes, steps, error):
    """What whoever mends it needs."""
    print(f"\nBOTHY_TEST_SEED={homes.seed}, {len(steps)} steps; the last:")
    print("\n".join(steps[-400:]))
    for home in homes.homes:
        for path in named_in(str(error)):
            print(f"\n{home.name}: bothy why {path}")
            print(home.device.run("why", home.folder.path / path, check=False).text)
            print(home.device.run("log", home.folder.path / path, check=False).text)


def named_in(text):
    """The first few paths of a complaint; a conflict's copy has a quote in its name."""
    return list(dict.fromkeys(re.findall(r"""["']((?:shared|same|only).*?)(?: holds what|["'](?=[,:\]}]))""", text)))[:3]
