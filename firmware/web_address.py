"""Where a server listens."""

from typing import NamedTuple

from engine.phrases import Phrase

HOST, PORT = "127.0.0.1", 8042
EVERYWHERE = ("0.0.0.0", "::")
"""The hosts that stand for all addresses of this machine."""


class Address(NamedTuple):
    """A host and a port."""

    host: str = HOST
    port: int = PORT

    @property
    def url(self) -> str:
        """What to open in a browser of this machine, or of another one in its network."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"


def address_of(text: str) -> Address:
    """The address in `HOST:PORT`, `HOST` or `PORT`; raises ValueError."""
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = (HOST, text) if text.isdigit() else (text, str(PORT))
    elif host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    if not port.isdigit() or not host or int(port) > 65535:
        raise ValueError(Phrase("{text!r} is no address; expected HOST:PORT, such as 127.0.0.1:8042", text=text))
    return Address(host, int(port))
