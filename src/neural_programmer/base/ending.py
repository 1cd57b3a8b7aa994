"""End a process together with the one that started it, however that one ends."""

import os
import sys
import threading


def end_with_input() -> None:
    """End this process at once when its standard input is closed, whatever it does then."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    while os.read(sys.stdin.fileno(), 1):  # not by sys.stdin, whose lock would be held at the end
        pass
    os._exit(0)
