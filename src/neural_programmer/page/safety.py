"""Check hosts, origins, tokens and sizes of requests before anything else; send headers that keep browsers safe."""

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import socket
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neural_programmer.errors import NeuralProgrammerError, NoRoomError, is_of_full_disk
from neural_programmer.page.config import PageConfig, is_loopback
from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.responses import sorry
from neural_programmer.page.shares import Shares, visitor_of

log = logging.getLogger("neural_programmer.page")
REQUESTS = 64  # of one visitor at the same time
UPLOADS = ("/tables", "/api/tables")
SMALL_REQUEST = 200_000  # bytes of a request that uploads nothing: the longest question, whatever its letters
STOPPED = "the server was stopped before this was done; ask again when it is back"
NO_ROOM = "the disk of this server has no room for this now; try again later"
AROUND = 10_000  # bytes around the file of an upload
UNLOCKED = ("/static/", "/enter", "/api/openapi.json")  # for those who have not said the token
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """The first check of every request: host, origin, token, size."""

    def __init__(self, app: ASGIApp, reception: Reception) -> None:
        self.app, self.reception, self.config = app, reception, reception.config
        self.requests = Shares(REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request, started = Request(scope), False
        visitor = visitor_of(request.client.host if request.client else "")
        request.state.visitor, request.state.session, known = visitor, None, True

        async def safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if "cache-control" not in headers:
                    headers["Cache-Control"] = "no-store"
                if not known and request.state.session is not None:
                    headers.append("Set-Cookie", cookie(self.config, request.state.session.key, scope["scheme"]))
            await send(message)

        try:
            check_host(request.headers, self.config)
            check_origin(request.headers, request.method, request.scope["path"])
            request.state.session = self.reception.sessions.find(request.cookies.get(cookie_name(self.config)), visitor)
            known = request.state.session is not None
            if not known:
                self._check_token(request)
            with self._one_of_few(visitor), self.reception.sessions.arriving() as arrive:
                await self.app(scope, self._counted(receive, request, arrive), safely)
        except asyncio.CancelledError:  # by the server, which was asked to stop and waits no longer
            if not started:
                await sorry(request, STOPPED, 503)(scope, receive, safely)
        except ClientDisconnect:
            log.warning("%s %s: the connection was cut off", request.method, _place(request))
        except NeuralProgrammerError as error:
            if not started:
                await refusal(request, error)(scope, receive, safely)
        except Exception as error:
            if is_of_full_disk(error):
                if not started:
                    await refusal(request, NoRoomError(NO_ROOM))(scope, receive, safely)
                return
            log.error(
                "%s %s: %s: %s",
                request.method,
                _place(request),
                type(error).__name__,
                " ".join(str(error).split()),
            )
            if not started:
                sentence = "this failed, and it is not your fault; the server goes on, try something else"
                await sorry(request, sentence, 500)(scope, receive, safely)

    @contextlib.contextmanager
    def _one_of_few(self, visitor: str) -> Iterator[None]:
        """Refuse a visitor's request where too many others are being answered."""
        if not self.requests.take(visitor):
            raise Refused(f"{REQUESTS} requests of yours are being answered already; wait until one of them is", 429)
        try:
            yield
        finally:
            self.requests.give_back(visitor)

    def _check_token(self, request: Request) -> None:
        """Refuse somebody new who does not know the token; they become a person when something is done for them."""
        if any(request.scope["path"].startswith(path) for path in UNLOCKED) or self._knows_token(request):
            return
        if cookie_name(self.config) in request.cookies:
            kept = f"it is kept for {self.config.minutes:g} minutes"
            raise Refused(f"your visit has ended ({kept}); enter the token again, then upload your tables again", 401)
        raise Refused("this page needs the token that its owner set; enter it", 401)

    def _knows_token(self, request: Request) -> bool:
        scheme, _, said = request.headers.get("authorization", "").partition(" ")
        said = said if scheme.lower() == "bearer" else request.query_params.get("token", "")
        return knows(self.config, said)

    def _counted(self, receive: Receive, request: Request, arrive: Callable[[int], None]) -> Receive:
        """Pass on a request's body while it is not too large and has room, by its stated size and by what comes."""
        uploads = request.method == "POST" and request.scope["path"] in UPLOADS
        most = self.config.megabytes * 1_000_000 + AROUND if uploads else SMALL_REQUEST
        allowed = f"{self.config.megabytes} MB" if uploads else f"{SMALL_REQUEST:,} bytes"
        refused = Refused(f"this is larger than {allowed}, which is not allowed here; send less", 413)
        said = request.headers.get("content-length", "0")
        if not said.isdigit() or int(said) > most:
            raise refused
        if uploads:
            self.reception.sessions.check_room(int(said))
        came = 0

        async def counting() -> MutableMapping[str, Any]:
            nonlocal came
            message = await receive()
            size = len(message.get("body", b""))
            came += size
            if came > most:
                raise refused
            if uploads and size:
                arrive(size)
            return message

        return counting


def knows(config: PageConfig, said: str) -> bool:
    """Return whether this is the token; how long the look takes does not tell how much of it is right."""
    return config.token is None or hmac.compare_digest(said.encode(), config.token.encode())


def cookie_name(config: PageConfig) -> str:
    """Return the cookie's name, one for each port: browsers share cookies between ports."""
    return f"neural-programmer-{config.port}"


def cookie(config: PageConfig, key: str, scheme: str) -> str:
    """Return the header that makes a browser known. No script sees the cookie; one given by HTTPS is never sent
    without.

    It comes along with a link from another site, so that who follows it keeps their tables; `check_origin` refuses
    whatever else another site asks for.
    """
    secure = "; Secure" if scheme == "https" else ""
    return f"{cookie_name(config)}={key}; HttpOnly; SameSite=Lax; Path=/{secure}"


def check_host(headers: Headers, config: PageConfig) -> None:
    """Refuse a name that is not ours: a page elsewhere could give itself our address."""
    said = headers.get("host", "")
    whole, host = _split(f"//{said}")
    host = host if whole == said else ""  # nothing of a path may stand in it
    known = {"localhost", config.host, *config.names}
    if not is_loopback(config.host):
        known.add(socket.gethostname().lower())
    if host not in known and not (_is_address(host) and (is_loopback(host) or not is_loopback(config.host))):
        raise Refused(
            f"this server is not known as {host[:60]!r}; start it with --names {host[:60]} if it should be", 403
        )


def check_origin(headers: Headers, method: str, path: str) -> None:
    """Refuse what another site asks for: it may link to the page, and nothing else."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    other = origin is not None and _split(origin)[0] != headers.get("host")
    links = method == "GET" and path == "/" and headers.get("sec-fetch-mode") == "navigate"
    if (other or site not in ("none", "same-origin")) and not links:
        raise Refused("another site asked for this, and only this page may; open the page itself", 403)


def refusal(request: Request, error: NeuralProgrammerError) -> Any:
    """Answer what cannot be done, and log it in a line; 422 is for a request without a fault in itself."""
    status = error.status if isinstance(error, Refused) else 507 if isinstance(error, NoRoomError) else 422
    log.info("%s %s: %s %s", request.method, _place(request), status, " ".join(str(error).split()))
    return sorry(request, str(error), status)


def _place(request: Request) -> str:
    """Return the path of a request for the log, with unprintable characters escaped."""
    return repr(request.scope["path"][:200])[1:-1]


def _split(address: str) -> tuple[str, str]:
    """Return the host of an address with its port, and without; nothing if it is no address."""
    try:
        parts = urlsplit(address)
        return parts.netloc, parts.hostname or ""
    except ValueError:
        return "", ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
