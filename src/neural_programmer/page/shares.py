"""Share what is scarce, such as connections and threads, among visitors.

A visitor is known by an address, for cookies can be thrown away at will; those addresses that one machine chooses from
as it likes are one.
"""

import ipaddress
import math
from collections import Counter
from collections.abc import Sequence

PREFIX = 64  # bits of an IPv6 address that its owner cannot choose
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def visitor_of(host: str) -> str:
    """Return the visitor that an address belongs to: itself, all of this machine's, or the network of an IPv6 one."""
    address = _address(host)
    if address is None:
        return host
    if address.is_loopback:
        return "loopback"
    return str(address if address.version == 4 else ipaddress.ip_network((address, PREFIX), strict=False))


def is_among(host: str, networks: Sequence[Network]) -> bool:
    """Return whether an address is in one of these networks."""
    address = _address(host)
    return address is not None and any(address in network for network in networks)


def _address(host: str) -> Address | None:
    """Return an address, of version 4 where it is one of these in the clothes of version 6."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address


class Shares:
    """How many of something there are, and how many of them each visitor has."""

    def __init__(self, share: int, most: float = math.inf) -> None:
        self.share, self.most = share, most
        self._taken: Counter[str] = Counter()

    def take(self, visitor: str, shared: bool = False) -> bool:
        """Take one, and return whether that was possible; who is `shared` by many visitors has no share."""
        if self._taken.total() >= self.most or (self._taken[visitor] >= self.share and not shared):
            return False
        self._taken[visitor] += 1
        return True

    def give_back(self, visitor: str) -> None:
        """Give one back."""
        self._taken[visitor] -= 1
        if not self._taken[visitor]:
            del self._taken[visitor]
