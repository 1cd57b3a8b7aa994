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

from neural_programmer import show
from neural_programmer.cli_ask import chosen_model
from neural_programmer.config import PageConfig
from neural_programmer.errors import NeuralProgrammerError

MISSING = "the page needs more packages; install them: pip install '.[serve]'"
CONNECTIONS = 500  # at the same time


def serve(
    *offered: str,
    config: Annotated[PageConfig, Parameter(name="*")] = PageConfig(),  # noqa: B008  frozen
    model: str | None = None,
    operations: Annotated[list[Path] | None, Parameter(negative="")] = None,
    browser: bool = True,
) -> None:
    """Serve the page (what the help says first stands in cli.py, which does not read this file).

    Parameters
    ----------
    offered
        Tables that everybody may ask.
    model
        The name of a model that comes with this program, or the path of another [default: ask].
    operations
        A Python file that defines operations of your own, which the model was trained with; it is run.
    browser
        Whether to open the page in a browser.
    """
    try:
        import uvicorn
        from threadpoolctl import threadpool_limits

        from neural_programmer.page.app import application
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("neural_programmer"):
            raise
        raise NeuralProgrammerError(MISSING) from None
    with contextlib.closing(_bound(config)) as listening:
        config = replace(config, port=listening.getsockname()[1])
        app = application(chosen_model(model, operations), config, offered)
        logging.basicConfig(format="neural-programmer: %(message)s", level=logging.INFO, stream=sys.stderr)
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                limit_concurrency=CONNECTIONS,
                timeout_graceful_shutdown=2,
            )
        )
        address = f"http://{'[' + config.host + ']' if ':' in config.host else config.host}:{config.port}/"
        show.err.print(f"the page is at {address}{'?token=...' if config.token else ''} (Ctrl-C stops it)")
        if browser and _has_screen():
            webbrowser.open(f"{address}?token={config.token}" if config.token else address)
        with threadpool_limits(1):  # questions are answered side by side: each has a thread of its own
            server.run(sockets=[listening])


def _bound(config: PageConfig) -> socket.socket:
    """A socket that listens, so that whoever comes early waits."""
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
    """Whether a browser would show itself on a screen, rather than take over the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
