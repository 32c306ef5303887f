"""A client of gestured, the motion server: publish gestures, watch sessions, read frames.

`connect` gives a `Client`; `gestured.aio.connect` one for asyncio. Topics, bodies, requests and
codes are those of docs/protocol, the contract.
"""

from . import curves, scene
from .client import Client, connect
from .errors import BadCertificate, Closed, Error, NoAnswer, Refused, TooManyWatches
from .frames import Frame, Frames
from .scene import Hit, Layer
from .tables import simulate, table
from .watching import Watch

__all__ = [
    "BadCertificate", "Client", "Closed", "Error", "Frame", "Frames", "Hit", "Layer", "NoAnswer",
    "Refused", "TooManyWatches", "Watch", "connect", "curves", "scene", "simulate", "table",
]
# That of the daemon: a test compares them.
__version__ = "0.1.0"
