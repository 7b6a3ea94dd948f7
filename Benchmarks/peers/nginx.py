"""curl against nginx's WebDAV module: what moving the bytes alone costs."""

from pathlib import Path

from peers import Peer, Unsupported
from processes import Run, Server, free_port, program, run, wait_for_port

CONFIGURATION = """
daemon off;
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    sendfile on;
    client_max_body_size 0;
    client_body_temp_path {folder}/temporary;
    proxy_temp_path {folder}/temporary-proxy;
    fastcgi_temp_path {folder}/temporary-fastcgi;
    uwsgi_temp_path {folder}/temporary-uwsgi;
    scgi_temp_path {folder}/temporary-scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
        location / {{ dav_methods PUT DELETE; create_full_put_path on; }}
    }}
}}
"""


class Nginx(Peer):
    name = "nginx+curl"

    def missing(self):
        return next((f"{name} is not installed" for name in ("nginx", "curl") if not program(name)), None)

    def start(self, folder: Path):
        (folder / "files").mkdir()
        folder.chmod(0o755)
        (folder / "files").chmod(0o777)
        self.port = free_port()
        configuration = folder / "nginx.conf"
        user = "user root;\n" if Path("/proc/self").stat().st_uid == 0 else ""
        configuration.write_text(user + CONFIGURATION.format(folder=folder, port=self.port))
        self.server = Server(["nginx", "-p", folder, "-c", configuration], log=folder / "log")
        wait_for_port(self.port)

    def servers(self):
        return [self.server]

    def put(self, file) -> Run:
        return run(["curl", "-sSf", "-T", file, self._url(file.name)])

    def get(self, name, destination) -> Run:
        """As P2 says: hashed, and kept nowhere."""
        script = f"curl -sSf '{self._url(name)}' | sha256sum"
        return run(["bash", "-o", "pipefail", "-c", script])

    def get_without_hash(self, name, destination) -> Run:
        return run(["curl", "-sSf", "-o", destination, self._url(name)])

    def put_tree(self, folder) -> Run:
        raise Unsupported("curl sends no folders")

    def _url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"
