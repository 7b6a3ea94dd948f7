"""One device: the command line with a home of its own."""

import json
import subprocess
from pathlib import Path

from server import BINARY, clean_environment

PASSWORD = "correct horse battery"

#: How a command ends that only wrote down what it was to do, to be sent when there is a connection.
QUEUED = 6
#: What it says then.
LATER = "will be sent when there is"


class Device:
    def __init__(self, home, name="laptop", prefix=(), environment=None):
        self.home = Path(home)
        self.name = name
        self.prefix = list(prefix)  # a command that runs it elsewhere: on another disk
        self.environment = clean_environment(
            **{"BOTHY_HOME": str(self.home / "bothy"), "HOME": str(self.home), **(environment or {})})
        self.home.mkdir(parents=True, exist_ok=True)

    def starts_its_agent(self):
        """As for a person: what a command leaves for later, its agent goes on with."""
        del self.environment["BOTHY_AGENT"]
        return self

    def run(self, *arguments, check=True, code=None, stdin=None, seconds=120, cwd=None, environment=None):
        """Runs a command. Unless `check` is false it must end with `code`; where none is named, with 0, or with `QUEUED` where it says
        that something waits."""
        result = subprocess.run(
            [*self.prefix, BINARY, *map(str, arguments)], capture_output=True, timeout=seconds, cwd=cwd or self.home,
            env={**self.environment, **(environment or {})},
            **({"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}))
        said = Said(arguments, result)
        expected = (code,) if code is not None else (0, QUEUED) if LATER in said.text else (0,)
        if check and said.code not in expected:
            raise AssertionError(f"{said} should have ended with {expected[0]}")
        return said

    def start(self, *arguments, cwd=None, environment=None, stdin=subprocess.DEVNULL):
        """Starts a command and does not wait for it. Its output goes to `home/started.log`."""
        with open(self.home / "started.log", "ab") as log:
            return subprocess.Popen(
                [*self.prefix, BINARY, *map(str, arguments)], stdin=stdin, stdout=log, stderr=subprocess.STDOUT,
                cwd=cwd or self.home, env={**self.environment, **(environment or {})})

    def started_log(self):
        return (self.home / "started.log").read_text(errors="replace")

    def json(self, *arguments, **options):
        return self.run(*arguments, "--json", **options).json()

    def json_lines(self, *arguments, **options):
        return self.run(*arguments, "--json", **options).json_lines()

    def register(self, url, email, password=PASSWORD):
        self.run("register", "--server", url, "--email", email, "--device", self.name, "--password-stdin",
                 stdin=password.encode() + b"\n")
        return self

    def login(self, url, email, password=PASSWORD):
        self.run("login", "--server", url, "--email", email, "--device", self.name, "--password-stdin",
                 stdin=password.encode() + b"\n")
        return self

    def put(self, *arguments, **options):
        return self.run("put", *arguments, **options)

    def get(self, *arguments, **options):
        return self.run("get", *arguments, **options)

    def cat(self, remote):
        return self.run("cat", remote).stdout_bytes


class Said:
    """What a command said, and how it ended."""

    def __init__(self, arguments, result):
        self.arguments = arguments
        self.code = result.returncode
        self.stdout_bytes = result.stdout
        self.stdout = result.stdout.decode(errors="replace")
        self.stderr = result.stderr.decode(errors="replace")

    @property
    def text(self):
        return self.stdout + self.stderr

    def json(self):
        return json.loads(self.stdout)

    def json_lines(self):
        return [json.loads(line) for line in self.stdout.splitlines() if line.strip()]

    def __str__(self):
        return f"bothy {' '.join(map(str, self.arguments))} (exit {self.code})\n{self.stdout[-3000:]}{self.stderr[-3000:]}"
