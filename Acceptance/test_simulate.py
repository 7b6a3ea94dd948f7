"""Made-up worlds that anyone can run."""

import json
import signal

from waiting import wait_until


def test_ctrl_c_ends_it_with_what_was_found_so_far(new_device):
    device = new_device("laptop")
    process = device.start("simulate", "--seeds", "1000000", "--steps", "2", "--devices", "1")
    wait_until(lambda: "100 of 1000000 worlds" in device.started_log(), 120, "the first hundred")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    last = device.started_log().splitlines()[-1]
    assert "nothing was lost" in last and "1000000 were asked for" in last and "went wrong" not in last


def test_it_tells_of_all_worlds_in_the_end(new_device):
    device = new_device("laptop")
    said = device.run("simulate", "--all", "--seeds", "3", "--steps", "3", "--json")
    summary = said.json_lines()[-1]
    assert (summary["event"], summary["worlds"], summary["failing"], summary["interrupted"]) == ("summary", 3, [], False)
    assert json.loads(said.stdout) == summary


def test_one_world_says_what_is_in_it(new_device):
    said = new_device("laptop").run("simulate", "--seed", "5", "--steps", "20", "--devices", "3")
    assert "3 devices (kitchen, laptop, phone) and 20 steps" in said.stderr, said
    assert "nothing was lost" in said.stdout


def test_worlds_of_a_feed_come_to_rest(new_device):
    said = new_device("laptop").run("simulate", "--feed", "--seeds", "2", "--people", "5", "--steps", "30")
    assert "2 worlds" in said.stdout and "nothing was lost" in said.stdout, said
