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
    """The address to listen at; another than this machine's own demands a token."""
    port: int = 8000
    """The port to listen at; 0 takes one that is free."""
    token: str | None = field(default=None, repr=False)
    """What people must know to be let in, at least 16 characters."""
    names: tuple[str, ...] = ()
    """Other names under which people reach this machine, besides its own and its addresses."""
    proxy: tuple[str, ...] = ()
    """The addresses of proxies before this server, or their networks: who visits, and whether by HTTPS, is what they
    say (X-Forwarded-For, X-Forwarded-Proto), and what nobody else says."""
    megabytes: int = 100
    """The size of an upload."""
    tables: int = 10
    """How many tables one person may have."""
    rows: int = 2_000_000
    """How many rows a table may have."""
    minutes: float = 60
    """How long a person's tables are kept after the last visit."""
    seconds: float = 10
    """How long a question may take."""
    memory: int = 500
    """Megabytes of memory that one table and its queries may take."""
    disk: int = 5_000
    """Megabytes on the disk that all uploads together may take."""

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
