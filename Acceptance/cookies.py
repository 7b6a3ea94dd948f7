"""The cookies of the web app, whose names end with what tells one server of a host from another."""

import re


def ticket_of(client):
    """The name of the cookie that keeps a browser signed in."""
    (name,) = (name for name in client.cookies if re.fullmatch(r"(__Host-)?bothy-[0-9a-f]{8}", name))
    return name
