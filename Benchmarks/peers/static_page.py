"""A page that was shown, as plain files behind nginx or, where that is not installed, behind Python's own server."""

import sys
from pathlib import Path

from processes import Server, free_port, program, wait_for_port

CONFIGURATION = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    types {{ text/html html; text/css css; text/javascript js; image/svg+xml svg; image/webp webp; }}
    gzip on;
    gzip_types text/css text/javascript image/svg+xml;
    client_body_temp_path {folder}/temporary;
    proxy_temp_path {folder}/temporary-proxy;
    fastcgi_temp_path {folder}/temporary-fastcgi;
    uwsgi_temp_path {folder}/temporary-uwsgi;
    scgi_temp_path {folder}/temporary-scgi;
    server {{ listen 127.0.0.1:{port}; root {folder}/files; }}
}}
"""


class StaticPage:
    def keep(self, folder: Path, files: dict[str, bytes]) -> None:
        """What the server sends: contents by their paths, `/` for the page itself."""
        for path, content in files.items():
            file = folder / (path.lstrip("/") or "index.html")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    def start(self, folder: Path) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "http.server", "--protocol", "HTTP/1.1", "--bind", "127.0.0.1",
                   "--directory", folder / "files", str(self.port)]
        if program("nginx"):
            folder.chmod(0o755)
            user = "user root;\n" if Path("/proc/self").stat().st_uid == 0 else ""
            configuration = folder / "nginx.conf"
            configuration.write_text(user + CONFIGURATION.format(folder=folder, port=self.port))
            command = ["nginx", "-p", folder, "-c", configuration]
        self.server = Server(command, log=folder / "log")
        wait_for_port(self.port)

    def stop(self) -> None:
        self.server.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"
