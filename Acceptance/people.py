"""What people do in a folder: drawn from a seed, done on the real disk, and remembered as far as a judge must know it."""

import errno
import hashlib
import itertools
import os
import re
import shutil
import stat
from pathlib import Path

NUMBER = re.compile(r" \(\d+\)(?=(\.[^.]*)?$)")
CONFLICT = re.compile(r" \((\w+)'s conflict \d{4}-\d\d-\d\d(?: \d+)?\)")
"""What the name of a conflict's copy says, and of whose device."""

LARGEST = 300 << 10
"""Bytes of the larger files; now and then one is so large that it goes in pieces, or even beside the passes of a watch."""
IN_PIECES = 6 << 20
BESIDE = 17 << 20


class Ledger:
    """Every content that was ever written, and which of them its writer threw away before anybody else had it."""

    def __init__(self):
        self.written = {}  # sha256: where and by whom
        self.thrown_away = set()
        self.elsewhere = set()  # seen on a disk that it was not written on
        self.placed = set()  # sha256 and name, where a person gave a content the name of a conflict's copy
        self.moved = set()  # device and sha256, where a person put a content in another place, which may be another file's
        self.numbers = itertools.count(1)

    def writes(self, device, place, data):
        self.written[digest(data)] = (device, place)
        self.places(device, Path(place).name, data)

    def places(self, device, name, data):
        self.moved.add((device, digest(data)))
        if CONFLICT.search(name):
            self.placed.add((digest(data), name))

    def false_conflict(self, path, tree):
        """Why a conflict's copy is of no conflict; None where it is of one, or no copy.

        A copy holds what was done at the device that it names: written, or put in its place there. What others wrote and put is
        nobody's side of a conflict there. And both sides differ.
        """
        content, path = tree[path] and tree[path][0], Path(path)
        # A copy may be in conflict itself: the last name is that of whoever set it aside.
        copy = next(reversed(list(CONFLICT.finditer(path.name))), None)
        # Under the name that a person gave it, or with a number since something else has that by now.
        names = {path.name, NUMBER.sub("", path.name)}
        if not copy or not content or any((content, name) in self.placed for name in names):
            return None
        other = tree.get(str(path.with_name(path.name.replace(copy[0], "", 1))))
        if other and other[0] == content:
            return f"{path} is the same as what it is a copy of"
        writer = self.written.get(content, (copy[1],))[0]
        if writer == copy[1] or (copy[1], content) in self.moved:
            return None
        return f"{path} holds what {writer} wrote"

    def throws_away(self, device, data):
        known = digest(data)
        if known in self.written and self.written[known][0] == device and known not in self.elsewhere:
            self.thrown_away.add(known)

    def sees(self, device, contents):
        self.elsewhere |= {known for known in contents if known in self.written and self.written[known][0] != device}

    def must_be_kept(self):
        return {known: where for known, where in self.written.items() if known not in self.thrown_away}


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Person:
    """One person at one disk. Each act is one word and its arguments in `steps`."""

    def __init__(self, name, root, chance, ledger, tell):
        self.name, self.root, self.chance, self.ledger, self.tell = name, Path(root), chance, ledger, tell
        self.own = f"only {name}"
        self.own_seen = None

    # What there is

    def entries(self, area, folders):
        found = []
        for folder, below, files in os.walk(self.root / area):
            for name in below if folders else files:
                path = Path(folder) / name
                if not path.is_symlink():
                    found.append(path)
        return sorted(found)

    def some_file(self, area):
        files = self.entries(area, False)
        return self.chance.choice(files) if files else None

    def some_folder(self, area, itself=True):
        folders = self.entries(area, True) + ([self.root / area] if itself else [])
        folders = [folder for folder in folders if len(folder.relative_to(self.root).parts) < 7]
        return self.chance.choice(folders) if folders else None

    def new_name(self):
        # Few names, so that the devices meet in them.
        return f"{self.chance.choice('abcdefghij')}{self.chance.randrange(3)}" + self.chance.choice(["", ".txt", ".Ä ☃"])

    def new_content(self):
        """Never the same twice, of any size."""
        line = f"{self.name} {next(self.ledger.numbers)} ".encode()
        size = self.chance.choice([0, 10, 100, 5000, 70_000, LARGEST])
        if self.chance.random() < 0.01:
            size = self.chance.choice([IN_PIECES, BESIDE])
        return line + self.chance.randbytes(size)

    # Doing something

    def act(self, acts=None):
        """Does something somewhere, and says what; what the engine changes underfoot meanwhile is taken as it comes."""
        area = self.chance.choice(["shared", "shared", self.own])
        if area == self.own:
            self.look_that_nobody_touched_it()
        (self.root / area).mkdir(exist_ok=True, parents=True)
        act = self.chance.choice(acts) if acts else self.chance.choices(ACTS, WEIGHTS)[0]
        try:
            act(self, area)
        except (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError) as error:
            self.say("was too late", str(error.filename))
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EINVAL):
                raise
            self.say("was refused", str(error.filename))
        if area == self.own:
            self.own_seen = self.own_tree()

    def say(self, *words):
        self.tell(self.name, *[str(word.relative_to(self.root)) if isinstance(word, Path) else word for word in words])

    def own_tree(self):
        return tree_of(self.root / self.own)

    def look_that_nobody_touched_it(self):
        if self.own_seen is not None:
            now = self.own_tree()
            assert now == self.own_seen, f"what only {self.name} writes was changed under it: {differences(now, self.own_seen)}"

    def write(self, path, data, flags):
        with open(path, flags) as file:
            if "+" in flags:
                self.ledger.throws_away(self.name, file.read())
                file.seek(0)
                file.truncate()
            file.write(data)
        self.ledger.writes(self.name, str(path.relative_to(self.root)), data)

    def create(self, area):
        path = self.some_folder(area) / self.new_name()
        if not path.exists():
            self.say("creates", path)
            self.write(path, self.new_content(), "xb")

    def edit(self, area):
        if path := self.some_file(area):
            self.say("edits", path)
            self.write(path, self.new_content(), "r+b")

    def save_by_rename(self, area):
        if path := self.some_file(area):
            self.say("saves by rename", path)
            data = self.new_content()
            swap = path.with_name(f".{path.name}.swp{next(self.ledger.numbers)}")
            swap.write_bytes(data)
            self.ledger.writes(self.name, str(path.relative_to(self.root)), data)
            before = path.read_bytes() if path.is_file() else b""
            os.replace(swap, path)
            self.ledger.throws_away(self.name, before)

    def append(self, area):
        if path := self.some_file(area):
            self.say("appends to", path)
            with open(path, "r+b") as file:
                before = file.read()
                more = f"and {self.name} {next(self.ledger.numbers)}\n".encode()
                file.write(more)
            self.ledger.throws_away(self.name, before)
            self.ledger.writes(self.name, str(path.relative_to(self.root)), before + more)

    def edit_without_a_trace(self, area):
        """The same size and the same time as before: as some tools do."""
        if path := self.some_file(area):
            before = path.stat()
            if before.st_size < 40:
                return
            self.say("edits, putting its time back,", path)
            line = f"{self.name} {next(self.ledger.numbers)} ".encode()
            self.write(path, line + self.chance.randbytes(before.st_size - len(line)), "r+b")
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def rename(self, area):
        if path := self.some_file(area):
            self.move_to(path, path.with_name(self.new_name()))

    def move(self, area):
        if path := self.some_file(area):
            self.move_to(path, self.some_folder(area) / path.name)

    def move_folder(self, area):
        if path := self.some_folder(area, itself=False):
            self.move_to(path, self.some_folder(area) / self.new_name())

    def move_to(self, path, target):
        if not target.exists():
            self.say("moves", path, target)
            for file in [path] if path.is_file() else path.rglob("*"):
                if file.is_file():
                    self.ledger.places(self.name, (target / file.relative_to(path)).name, file.read_bytes())
            os.rename(path, target)

    def swap(self, area):
        one, other = self.some_file(area), self.some_file(area)
        if one and other and one != other:
            self.say("swaps", one, other)
            self.ledger.places(self.name, other.name, one.read_bytes())
            self.ledger.places(self.name, one.name, other.read_bytes())
            between = one.with_name(f"between {next(self.ledger.numbers)}")
            os.rename(one, between)
            os.rename(other, one)
            os.rename(between, other)

    def make_folder(self, area):
        path = self.some_folder(area) / self.new_name()
        self.say("makes folder", path)
        path.mkdir()

    def delete(self, area):
        if path := self.some_file(area):
            self.say("deletes", path)
            before = path.read_bytes()
            path.unlink()
            self.ledger.throws_away(self.name, before)

    def delete_folder(self, area):
        if (path := self.some_folder(area, itself=False)) and sum(1 for _ in path.rglob("*")) < 12:
            self.say("deletes folder", path)
            for file in path.rglob("*"):
                if file.is_file():
                    self.ledger.throws_away(self.name, file.read_bytes())
            shutil.rmtree(path)

    def file_becomes_folder(self, area):
        if path := self.some_file(area):
            self.say("puts a folder in the place of", path)
            before = path.read_bytes()
            path.unlink()
            self.ledger.throws_away(self.name, before)
            path.mkdir()
            self.write(path / self.new_name(), self.new_content(), "xb")

    def folder_becomes_file(self, area):
        if (path := self.some_folder(area, itself=False)) and len(list(path.rglob("*"))) < 4:
            self.say("puts a file in the place of", path)
            for file in path.rglob("*"):
                if file.is_file():
                    self.ledger.throws_away(self.name, file.read_bytes())
            shutil.rmtree(path)
            self.write(path, self.new_content(), "xb")

    def touch_back(self, area):
        if path := self.some_file(area):
            moment = self.chance.randrange(-10 ** 9, 10 ** 9) * 10 ** 9 + self.chance.randrange(10 ** 9)
            self.say("puts back the time of", path)
            os.utime(path, ns=(moment, moment))

    def make_executable(self, area):
        if path := self.some_file(area):
            self.say("turns the executable bit of", path)
            path.chmod(path.stat().st_mode ^ 0o111)

    def write_what_others_write(self, _):
        """The same name and the same bytes as others write: that is one file."""
        number = self.chance.randrange(40)
        path = self.root / "same" / f"{number // 8}" / f"{number}"
        if not path.exists():
            self.say("writes, as others do,", path)
            path.parent.mkdir(parents=True, exist_ok=True)
            self.write(path, f"everybody's {number}\n".encode() * (number + 1), "xb")


ACTS, WEIGHTS = zip(
    (Person.create, 22), (Person.edit, 10), (Person.save_by_rename, 8), (Person.append, 8),
    (Person.edit_without_a_trace, 2), (Person.rename, 9), (Person.move, 8), (Person.move_folder, 5), (Person.swap, 2),
    (Person.make_folder, 6), (Person.delete, 6), (Person.delete_folder, 2), (Person.file_becomes_folder, 2),
    (Person.folder_becomes_file, 1), (Person.touch_back, 3), (Person.make_executable, 3),
    (Person.write_what_others_write, 6))

GENTLE = [Person.create, Person.edit, Person.save_by_rename, Person.rename, Person.make_folder, Person.make_executable]
"""Nothing that a guard would ask about."""


def tree_of(root):
    """Each path below: a folder, or a file's content, time and executable bit."""
    found = {}
    for folder, folders, files in os.walk(root):
        if Path(folder) == Path(root):
            folders[:] = [name for name in folders if name != ".bothy"]
        for name in folders:
            found[str((Path(folder) / name).relative_to(root))] = None
        for name in files:
            path = Path(folder) / name
            try:
                facts = path.stat()
                content = digest(path.read_bytes())
            except FileNotFoundError:
                continue  # It was moved meanwhile.
            found[str(path.relative_to(root))] = (content, facts.st_mtime_ns, bool(facts.st_mode & stat.S_IXUSR))
    return found


def differences(one, other):
    """A few of the paths that differ, with both sides."""
    paths = sorted(path for path in one.keys() | other.keys() if one.get(path, 0) != other.get(path, 0))
    return [(path, one.get(path, "absent"), other.get(path, "absent")) for path in paths[:8]]
