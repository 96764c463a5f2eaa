# SPDX-License-Identifier: BSD-3-Clause
"""The explorer's server. Only programs of this machine reach it, and only with the token in its address.

- It listens on the loopback address.
- Each path begins with a random token. Requests without it are refused.
- Requests whose Host header names another host or port are refused, so that a page of another site cannot reach the
  server by a name that resolves to this machine (DNS rebinding).
- The page may load nothing from elsewhere (Content-Security-Policy).
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import threading
from typing import TYPE_CHECKING, Any

from hypermon.errors import UserError
from hypermon.explorer.answers import Answers

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.serving import BaseWSGIServer

HOST = "127.0.0.1"
SELF = "'self' 'unsafe-inline' 'unsafe-eval'"  # Dash and Plotly need both
POLICY = f"default-src 'self'; script-src {SELF}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:"
FRAMES = f"'self' http://{HOST}:* http://localhost:*"


class Served:
    """A running explorer.

    Attributes:
        address: The page's address, with its token.
    """

    def __init__(self, server: BaseWSGIServer, address: str) -> None:
        self.address = address
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, name="hypermon-explorer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the server."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __repr__(self) -> str:
        return f"Explorer at {self.address}"

    def _repr_html_(self) -> str:
        style = "width:100%;height:1000px;border:0"
        return (
            f'<iframe src="{self.address}" style="{style}" title="hypermon explorer" allow="clipboard-write"></iframe>'
        )


def serve(answers: Answers, port: int, framed: bool) -> Served:
    """Starts the server on a port. Raises a UserError if Dash is missing or the port cannot be used."""
    try:
        import dash  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "dash":
            raise
        raise UserError("Dash is not installed: pip install 'hypermon[explore]'") from None
    from werkzeug.serving import WSGIRequestHandler, make_server

    from hypermon.explorer import page

    class Quiet(WSGIRequestHandler):
        def log_request(self, *_: Any) -> None:
            pass

    listening = _listening(port)
    with listening:
        port = listening.getsockname()[1]
        token = secrets.token_urlsafe(24)
        app: Flask = page.application(answers, f"/{token}/").server
        guard(app, token, port, framed)
        # The server makes a socket of its own from a copy of this one.
        server = make_server(HOST, port, app, threaded=True, request_handler=Quiet, fd=os.dup(listening.fileno()))
    return Served(server, f"http://{HOST}:{port}/{token}/")


def _listening(port: int) -> socket.socket:
    """Binds the port. Werkzeug would end the process if the port is in use."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen()
    except OSError as error:
        made.close()
        raise UserError(f"--port {port}: cannot be used: {os.strerror(error.errno or 0)}") from None
    return made


def guard(app: Flask, token: str, port: int, framed: bool) -> None:
    """Refuses requests without the token or for another host, and sets the headers of all answers."""
    from flask import Response, request

    allowed = FRAMES if framed else "'none'"
    hosts = {f"{HOST}:{port}", f"localhost:{port}"}

    @app.before_request
    def check() -> Response | None:
        given = request.path.removeprefix("/").partition("/")[0]
        if request.host not in hosts:
            return Response("This server answers only requests for this machine.\n", 403, mimetype="text/plain")
        if not hmac.compare_digest(given.encode(), token.encode()):
            return Response("The address lacks the token that hypermon explore printed.\n", 403, mimetype="text/plain")
        return None

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = f"{POLICY}; frame-ancestors {allowed}"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response
