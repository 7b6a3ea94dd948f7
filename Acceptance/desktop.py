"""A desktop's session: a real bus, and somebody on it who shows notifications (Desktop Notifications Specification 1.2)."""

import queue
import shutil
import subprocess
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return
from jeepney.io.blocking import open_dbus_connection

BUS = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus")
DBUS_DAEMON = shutil.which("dbus-daemon")


class Bus:
    """A bus, and from `begin` on somebody on it who answers to `NAME`."""

    def __init__(self):
        self.bus = subprocess.Popen(
            [DBUS_DAEMON, "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.connection = None

    def begin(self):
        self.connection = open_dbus_connection(self.address)
        self.connection.send_and_get_reply(new_method_call(BUS, "RequestName", "su", (self.NAME, 4)))
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def serve(self):
        while True:
            try:
                message = self.connection.receive()
            except OSError:
                return
            if message.header.message_type is not MessageType.method_call:
                continue
            answer = self.answer(message, message.header.fields[HeaderFields.member])
            if answer is None:
                answer = new_error(message, f"{self.NAME}.Unknown", "s", (str(message.body),))
            try:
                self.connection.send(answer)
            except OSError:  # the bus has ended meanwhile
                return

    def end(self):
        self.bus.terminate()
        self.bus.wait(timeout=60)


class Desktop(Bus):
    """`shown` has what was asked to be shown: a heading and a text each."""

    NAME = "org.freedesktop.Notifications"

    def __init__(self):
        super().__init__()
        self.shown = queue.Queue()

    def answer(self, message, member):
        match member:
            case "GetServerInformation":
                return new_method_return(message, "ssss", ("made-up", "bothy", "1", "1.2"))
            case "Notify":
                app, replaces, _, title, text, actions, hints, timeout = message.body
                assert (app, replaces, actions, hints, timeout) == ("Bothy", 0, [], {}, -1), message.body
                self.shown.put((title, text))
                return new_method_return(message, "u", (1,))

    def next(self, seconds=60):
        return self.shown.get(timeout=seconds)


class Network(Bus):
    """A NetworkManager. `is_metered` is what it tells from then on, as it guesses it."""

    NAME = "org.freedesktop.NetworkManager"
    GUESSED = {True: 3, False: 4}

    def __init__(self):
        super().__init__()
        self.is_metered = False

    def of(self, device):
        """It is this device's, as of the next start of its agent."""
        device.environment["DBUS_SYSTEM_BUS_ADDRESS"] = self.address
        return self

    def answer(self, message, member):
        if member == "Get" and message.body == (self.NAME, "Metered"):
            return new_method_return(message, "v", (("u", self.GUESSED[self.is_metered]),))
