"""Give connections deadlines and each visitor a share of them; uvicorn has neither."""

import asyncio
from dataclasses import dataclass
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from neural_programmer.page.config import PageConfig
from neural_programmer.page.shares import Network, Shares, is_among, visitor_of

TOO_SLOW = "this took too long to arrive; send it again, faster"
TOO_MANY = "too many connections are open; close some, or try again later"
STOPPING = 2  # seconds that requests have to be answered once the server is asked to stop


@dataclass(frozen=True)
class Patience:
    """How long connections may take, and how many there may be."""

    connections: int = 500
    """At the same time."""
    share: int = 125
    """Of them for one visitor."""
    head: float = 10
    """Seconds until the head of a request has come, or the next one begins."""
    body: float = 20
    """Seconds until its body has come, and one more for every `rate` bytes that came."""
    reader: float = 20
    """The same until what is sent was taken."""
    rate: int = 20_000
    """Bytes a second."""
    looks: float = 1
    """Seconds from one look at a connection to the next."""


class Serving(uvicorn.Config):
    """How uvicorn serves the page."""

    def __init__(self, app: Any, config: PageConfig, patience: Patience = Patience(), **options: Any) -> None:
        super().__init__(
            app,
            http=Connection,
            ws="none",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=bool(config.proxy),
            forwarded_allow_ips=[name for network in config.proxies for name in _names(network)],
            timeout_graceful_shutdown=STOPPING,
            **options,
        )
        self.page, self.patience = config, patience
        self.shares = Shares(patience.share, patience.connections)


class Connection(H11Protocol):
    """One connection, closed where its visitor has too many, or takes too long to send or to read."""

    config: Serving

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        host, _ = get_remote_addr(transport) or ("", 0)
        self._visitor, self._came, self._phase = visitor_of(host), 0, None
        self._is_open = self.config.shares.take(self._visitor, shared=is_among(host, self.config.page.proxies))
        if self._is_open:
            super().connection_made(transport)
            self._look()
        else:
            transport.write(_plain("503 Service Unavailable", TOO_MANY))
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_open:
            self._next_look.cancel()
            self.config.shares.give_back(self._visitor)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._came += len(data)
        super().data_received(data)

    def shutdown(self) -> None:
        if self.transport.is_closing():  # which it does not do as long as nobody reads
            self.transport.abort()
        else:
            super().shutdown()

    def _look(self) -> None:
        """Close the connection if its visitor was waited for for too long; else look again."""
        patience, now, phase = self.config.patience, self.loop.time(), self._awaited()
        unread = self.transport.get_write_buffer_size()
        if self._phase != (phase, self.cycle):
            self._phase, self._since, self._before, self._unread = (phase, self.cycle), now, self._came, unread
        allowed = {
            "head": patience.head,
            "body": patience.body + (self._came - self._before) / patience.rate,
            "reader": patience.reader + (self._unread - unread) / patience.rate,
        }
        if phase and now - self._since > allowed[phase]:
            unanswered = self.conn.our_state is h11.IDLE if phase == "head" else not self.cycle.response_started
            if unanswered:
                self.transport.write(_plain("408 Request Timeout", TOO_SLOW))
            self.transport.abort()
        self._next_look = self.loop.call_later(patience.looks, self._look)

    def _awaited(self) -> str | None:
        """Return how long to wait for the visitor; None while the visitor waits for us."""
        if self.flow.write_paused:
            return "reader"
        if self.cycle is None or self.cycle.response_complete:  # what is left of a body is not waited for
            return "head"
        return "body" if self.conn.their_state is h11.SEND_BODY and not self.flow.read_paused else None


def _names(network: Network) -> list[str]:
    """Return a network, and how its addresses are written where the server listens at IPv4 and IPv6."""
    both = f"::ffff:{network.network_address}/{96 + network.prefixlen}"
    return [str(network), both] if network.version == 4 else [str(network)]


def _plain(status: str, sentence: str) -> bytes:
    """Return a plain answer to what is not a request, or not yet."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(sentence)}"
    return f"{head}\r\nConnection: close\r\n\r\n{sentence}".encode()
