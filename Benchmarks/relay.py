"""A wire between two programs that counts what goes over it, both ways."""

import socket
import threading
import time

from processes import free_port

PIECE = 1 << 18


class Relay:
    """Listens on a port of its own, and passes everything on to another port of this machine."""

    def __init__(self, target: int):
        self.target, self.port, self.bytes = target, free_port(), 0
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def forget(self) -> None:
        self.bytes = 0

    def wait_until_quiet(self, seconds: float = 4, most: float = 60) -> None:
        """Until nothing has gone over the wire for so long: who speaks by himself, and of several things, has ended then."""
        deadline, known, since = time.monotonic() + most, self.bytes, time.monotonic()
        while time.monotonic() - since < seconds:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the wire is not quiet after {most} s")
            time.sleep(0.05)
            if self.bytes != known:
                known, since = self.bytes, time.monotonic()

    def stop(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while piece := one.recv(PIECE):
                with self._lock:
                    self.bytes += len(piece)
                other.sendall(piece)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            one.close()
            other.close()
