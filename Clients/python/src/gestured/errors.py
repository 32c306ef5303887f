"""Everything that this package raises for what a daemon, or its absence, does."""

from __future__ import annotations


class Error(Exception):
    """The parent of all errors of this package."""


class Refused(Error):
    """The daemon refused: `code` is one of docs/protocol/publish.md, `message` is for a person.

    `owner` comes with the code `moved`: the member that has the session, None where none has it.
    """

    def __init__(self, code: str, message: str, owner: object = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.owner = owner


class NoAnswer(Error):
    """Nothing came from `endpoint` within `seconds`, over all tries: perhaps no daemon is there.

    A request that was not answered may or may not have taken effect.
    """

    def __init__(
        self, endpoint: str, seconds: float, what: str = "no answer", why: str = "",
    ) -> None:
        super().__init__(f"{what} from {endpoint} within {seconds:g} s{why and f': {why}'}")
        self.endpoint = endpoint
        self.seconds = seconds


class Closed(Error):
    """The client was closed."""


class TooManyWatches(Error):
    """The client has `watching.WATCHES_MAX` open watches: close those that you do not read."""


class BadCertificate(Error, ValueError):
    """The keys that were given cannot be used: names the file, its line where one is at fault."""

    def __init__(self, path: str | None, line: int | None, message: str) -> None:
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + message)
        self.path = path
        self.line = line
