"""The settings of the page: how it is served, and what one person may take of the machine."""

import ipaddress
from dataclasses import dataclass, field

from neural_programmer.base.settings import between
from neural_programmer.errors import NeuralProgrammerError

TOKEN = 16  # characters of a token at least: more than can be guessed


@dataclass(frozen=True)
class PageConfig:
    """How the page is served, and what one person may take of the machine."""

    host: str = "127.0.0.1"
    """The address to listen at. Any but this machine's own needs --token."""
    port: int = 8000
    """The port to listen at; 0 takes a free one."""
    token: str | None = field(default=None, repr=False)
    """A secret that people need to be let in, of at least 16 characters."""
    names: tuple[str, ...] = ()
    """Names by which people reach this machine, besides its own name and its addresses."""
    proxy: tuple[str, ...] = ()
    """Addresses or networks of proxies before this server. X-Forwarded-For and X-Forwarded-Proto, which say who visits
    and whether by HTTPS, are believed from these alone."""
    megabytes: int = 100
    """How large an upload may be."""
    tables: int = 10
    """How many tables one person may have."""
    rows: int = 2_000_000
    """How many rows a table may have."""
    minutes: float = 60
    """How many minutes a person's tables are kept after the last visit."""
    seconds: float = 10
    """How many seconds a question may take."""
    memory: int = 500
    """How many megabytes of memory one table and its queries may take."""
    disk: int = 5_000
    """How many megabytes on the disk all uploads together may take."""

    def __post_init__(self) -> None:
        between(self, 0, 65_535, "port")
        between(self, 1, 10_000, "megabytes")
        between(self, 1, 1_000, "tables")
        between(self, 1, 10**9, "rows")
        between(self, 0.01, 100_000, "minutes", "seconds")
        between(self, 50, 10**6, "memory", "disk")
        if self.disk < self.megabytes:
            raise NeuralProgrammerError(f"disk must hold one upload, {self.megabytes} megabytes, not {self.disk}")
        _ = self.proxies
        if self.token is None and not is_loopback(self.host):
            raise NeuralProgrammerError(
                f"at {self.host} others can reach the page; give a --token that they must know, or leave out --host"
            )
        if self.token is not None and len(self.token) < TOKEN:
            raise NeuralProgrammerError(f"a token has at least {TOKEN} characters, and this one {len(self.token)}")

    @property
    def proxies(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        """The networks of the proxies."""
        try:
            return tuple(ipaddress.ip_network(each, strict=False) for each in self.proxy)
        except ValueError:
            known = ", ".join(self.proxy)
            raise NeuralProgrammerError(
                f"a proxy is an address, as 127.0.0.1, or a network, as 10.0.0.0/8, not {known[:60]!r}"
            ) from None


def is_loopback(host: str) -> bool:
    """Return whether an address is this machine's own, which no other machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
