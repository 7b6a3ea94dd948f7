"""A person's terminal: what a command writes there, and whether anything of it acts instead of being shown."""

import os
import pty
import re
import subprocess
import unicodedata

from server import BINARY

REDRAWN = re.compile(r"\x1b\[\d+A\r\x1b\[J")
"""How the progress of transfers is drawn anew."""


def acts(character):
    """Moves the cursor, answers for the person, turns the text around or hides a part of it."""
    return character not in "\u200c\u200d" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")


def written_out(name):
    return "".join(f"\\u{{{ord(c):X}}}" if acts(c) else c for c in name)


class Screen:
    """Runs a device's commands on a pseudo-terminal, and looks at every byte that they write there."""

    def __init__(self, device):
        self.device = device

    def __call__(self, *words, typed="", code=0, until=None, cwd=None):
        """What the command said. It is stopped once `until` is on the screen."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([BINARY, *map(str, words)], stdin=follower, stdout=follower, stderr=follower,
                                   cwd=cwd or self.device.home, env={**self.device.environment, "TERM": "xterm"})
        os.close(follower)
        os.write(leader, typed.encode())
        said = b""
        try:
            while piece := os.read(leader, 4096):
                said += piece
                if until is not None and until in said.decode(errors="replace"):
                    process.terminate()
        except OSError:  # nobody has the other end any more
            pass
        os.close(leader)
        ended, text = process.wait(60), said.decode()
        shown = REDRAWN.sub("", text).replace("\r\n", "\n")
        acted = {f"U+{ord(c):04X}" for c in shown if acts(c) and c != "\n"}
        assert not acted, f"bothy {words!a} lets {acted} act on the terminal: {text!a}"
        assert code is None or ended == code, f"bothy {words!a} ended with {ended}: {text!a}"
        return shown
