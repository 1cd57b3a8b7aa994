"""The command that serves the page."""

import contextlib
import logging
import os
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from neural_programmer.base.limits import hurry
from neural_programmer.base.threads import one_thread
from neural_programmer.cli import show
from neural_programmer.cli.models import chosen_model
from neural_programmer.errors import NeuralProgrammerError, not_installed
from neural_programmer.page.config import PageConfig


def serve(
    *offered: str,
    config: Annotated[PageConfig, Parameter(name="*")] = PageConfig(),  # noqa: B008  frozen
    model: str | None = None,
    operations: Annotated[list[Path] | None, Parameter(negative="")] = None,
    browser: bool = True,
) -> None:
    """Serve the page (what the help says first stands in __init__.py, which does not read this file).

    Parameters
    ----------
    offered
        Tables that everybody may ask; the page opens with the first of them.
    model
        The name of a model that comes with this program, or the path of another [default: ask].
    operations
        A Python file that defines operations of your own, which the model was trained with; it is run.
    browser
        Whether to open the page in a browser.
    """
    try:
        import uvicorn

        from neural_programmer.page.app import application
        from neural_programmer.page.connections import Serving
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("neural_programmer"):
            raise
        raise not_installed("the page needs", str(error.name), "serve") from None
    with contextlib.closing(_bound(config)) as listening:
        config = replace(config, port=listening.getsockname()[1])
        app = application(chosen_model(model, operations), config, offered)
        logging.basicConfig(format="neural-programmer: %(message)s", level=logging.INFO, stream=sys.stderr)
        server = uvicorn.Server(Serving(app, config))
        places = addresses(config)
        shown = " and ".join(f"{address}{'?token=...' if config.token else ''}" for address in places)
        show.err.print(f"the page is at {shown} (Ctrl-C stops it)")
        if browser and _has_screen():
            webbrowser.open(f"{places[0]}?token={config.token}" if config.token else places[0])
        with contextlib.suppress(KeyboardInterrupt), one_thread():  # each question has a thread of its own
            server.run(sockets=[listening])
        hurry()  # what is still at work is not waited for
        show.err.print("stopped; what was uploaded is removed")


def addresses(config: PageConfig) -> list[str]:
    """Return where a browser finds the page; if it listens everywhere, here and by the name of this machine."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}
    hosts = [config.host]
    if config.host in everywhere:
        hosts = [everywhere[config.host], socket.gethostname().lower()]
    return [f"http://{f'[{host}]' if ':' in host else host}:{config.port}/" for host in hosts]


def _bound(config: PageConfig) -> socket.socket:
    """Return a socket that listens, so that whoever comes early waits."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(128)
        except BaseException:
            listening.close()
            raise
    except OSError as error:
        advice = "choose another with --port, or --port 0 for one that is free"
        raise NeuralProgrammerError(
            f"cannot listen at {config.host} port {config.port}: {error.strerror}; {advice}"
        ) from None
    return listening


def _has_screen() -> bool:
    """Return whether a browser would show itself on a screen, rather than take over the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
