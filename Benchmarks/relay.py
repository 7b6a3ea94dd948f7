"""A wire between two programs that counts what goes over it, both ways."""

import socket
import threading

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

    def stop(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
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
