"""A desktop's session: a real bus, and somebody on it who shows notifications (Desktop Notifications Specification 1.2)."""

import queue
import shutil
import subprocess
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return
from jeepney.io.blocking import open_dbus_connection

NAME = "org.freedesktop.Notifications"
BUS = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus")
DBUS_DAEMON = shutil.which("dbus-daemon")


class Desktop:
    """`shown` has what was asked to be shown: a heading and a text each."""

    def __init__(self):
        self.bus = subprocess.Popen(
            [DBUS_DAEMON, "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.shown = queue.Queue()
        self.connection = None

    def begin(self):
        """From now on there is somebody who shows them."""
        self.connection = open_dbus_connection(self.address)
        self.connection.send_and_get_reply(new_method_call(BUS, "RequestName", "su", (NAME, 4)))
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
            match message.header.fields[HeaderFields.member]:
                case "GetServerInformation":
                    answer = new_method_return(message, "ssss", ("made-up", "bothy", "1", "1.2"))
                case "Notify":
                    app, replaces, _, title, text, actions, hints, timeout = message.body
                    assert (app, replaces, actions, hints, timeout) == ("Bothy", 0, [], {}, -1), message.body
                    self.shown.put((title, text))
                    answer = new_method_return(message, "u", (1,))
                case other:
                    answer = new_error(message, f"{NAME}.Unknown", "s", (other,))
            try:
                self.connection.send(answer)
            except OSError:  # the bus has ended meanwhile
                return

    def next(self, seconds=60):
        return self.shown.get(timeout=seconds)

    def end(self):
        self.bus.terminate()
        self.bus.wait(timeout=60)
