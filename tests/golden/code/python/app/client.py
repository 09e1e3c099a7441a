"""Talks to the server; see Client.send."""
from typing import Dict, List, Optional

from . import codecs


class Base:
    retries = 3

    def close(self) -> None:
        self.closed = True


class Client(Base):
    def __init__(self, url: str, headers: Optional[Dict[str, str]] = None):
        self.url = url
        self.codec = codecs.Json()
        self.sent: List["Request"] = []

    @property
    def last(self) -> "Request":
        return self.sent[-1]

    @classmethod
    def local(cls) -> "Client":
        return cls("http://localhost")

    def send(self, body):
        request = Request(self.codec.encode(body))
        self.sent.append(request)
        for each in self.sent:
            each.check()
        return self.last.check() and super().close()


class Request:
    def __init__(self, data):
        self.data = data

    def check(self) -> bool:
        return bool(self.data)
