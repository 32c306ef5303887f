"""Whole pictures of a session: the states of all its components at one instant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import scene as scenes
from .actions import Body, Give

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from .watching import Watch

# Transitions that wait for a whole frame: a frame of 32 components has few.
TRANSITIONS_MAX = 1_000
# The members of a view that are numbers.
NUMBERS = ("x", "y", "w", "h", "rotation", "scale", "alpha", "z")


@dataclass(frozen=True)
class Frame:
    """One picture of a session, complete, with what has happened since the one before."""

    session: str
    # One life of the session.
    epoch: str
    # The instant on the session's timeline, in milliseconds since the Unix epoch.
    t: float
    # The state of each component by its id: `phase`, `model`, `views` and more, as on `state/`.
    states: dict[str, Body]
    # The scene of the states, as on `scene/`.
    scene: Body | None = None
    # Passages that began or ended since the last frame, each with its `component`.
    transitions: list[Body] = field(default_factory=list)
    # The session's counts: `version`, `total`, `counts`; None until some came.
    badge: Body | None = None
    # The scene's variables: `version`, `values`; None where it has none.
    variables: Body | None = None
    # The rows that lists have told, by component: `version`, `count`, `from` and `rows`.
    rows: dict[str, Body] = field(default_factory=dict)
    # The contacts that are down: `pointer`, `x`, `y`, `kind`, `color`, and where they are known
    # `pressure` and `user`.
    touches: list[Body] = field(default_factory=list)

    @property
    def names(self) -> list[tuple[str, str]]:
        """All views as (component, view), in the order of the states; the rows of `array`."""
        return [(name, view) for name, state in self.states.items() for view in state["views"]]

    def view(self, component: str, view: str) -> Body:
        """One view's fields, in points and radians.

        Raises KeyError for a view that is not there: ask `names` for those that come and go.
        """
        state = self.states.get(component)
        if state is None:
            raise KeyError(f"no component {component!r}, only {', '.join(self.states)}")
        views: dict[str, Body] = state["views"]
        if view not in views:
            raise KeyError(f"{component!r} shows no view {view!r} now, only {', '.join(views)}")
        return views[view]

    def layers(self) -> list[scenes.Layer]:
        """All painted views, the one at the back first. Raises ValueError without a scene."""
        if self.scene is None:
            raise ValueError("this frame came without a scene")
        return scenes.layers(self.scene, self.states)

    def array(self, fields: tuple[str, ...] = NUMBERS) -> numpy.typing.NDArray[numpy.float64]:
        """The views as numbers: shape (n, k), a row for each of `names`, a column for each field.

        `x`, `y`, `w`, `h` are in points of the component, `rotation` in radians. Needs NumPy (the
        extra `arrays`). Raises KeyError for a field that views do not have.
        """
        import numpy

        if isinstance(fields, str):
            raise TypeError(f"fields are a tuple of names, not the text {fields!r}")
        wrong = [name for name in fields if name not in (*NUMBERS, "cut")]
        if wrong:
            raise KeyError(f"views have no field {wrong[0]!r}, only {', '.join(NUMBERS)}, cut")
        rows = [[view.get(name, 0) for name in fields] for view in self._views()]
        return numpy.array(rows, dtype=numpy.float64).reshape(len(rows), len(fields))

    def numpy(self) -> numpy.typing.NDArray[Any]:
        """The views as a structured array of shape (n,): component, view, and all numbers."""
        import numpy

        kinds = [("component", "U64"), ("view", "U128")]
        rows = [(*name, *(view[number] for number in NUMBERS))
                for name, view in zip(self.names, self._views(), strict=True)]
        numbers = [(number, numpy.int64 if number == "z" else numpy.float64) for number in NUMBERS]
        return numpy.array(rows, dtype=[*kinds, *numbers])

    def _views(self) -> Iterator[Body]:
        return (view for state in self.states.values() for view in state["views"].values())


class Merger:
    """Makes whole frames of the updates of `scene/` and `frame/`. Touches no socket."""

    def __init__(self, session: str) -> None:
        self.session = session
        self._epoch = ""
        self._scene: Body | None = None
        self._states: dict[str, Body] = {}
        self._badge: Body | None = None
        self._variables: Body | None = None
        self._rows: dict[str, Body] = {}
        self._touches: list[Body] = []
        self._transitions: list[Body] = []
        # The instant of a frame that waits for its scene.
        self._due: float | None = None
        # Updates that were no scenes and no frames.
        self.skipped = 0

    def take(self, give: Give) -> Frame | None:
        """The whole frame that an update completes, if it completes one."""
        try:
            return self._take(give)
        except (KeyError, TypeError, AttributeError, ValueError):
            self.skipped += 1
            return None

    def _take(self, give: Give) -> Frame | None:
        body = give.body
        if give.topic == f"scene/{self.session}":
            self._begin(body["epoch"])
            self._scene = body
            names = {component["id"] for component in body["components"]}
            self._states = {name: self._states[name] for name in self._states if name in names}
            self._rows = {name: self._rows[name] for name in self._rows if name in names}
            due, self._due = self._due, None
            return None if due is None else self._whole(due)
        if give.topic != f"frame/{self.session}":
            return None
        self._begin(body["epoch"])
        shown = {state["component"]: {
            key: value for key, value in state.items() if key != "component"}
            for state in body["states"]}
        self._states |= shown
        self._rows |= body.get("rows", {})
        self._badge = body.get("badge", self._badge)
        self._variables = body.get("variables", self._variables)
        self._touches = body.get("touches", self._touches)
        # The latest ones: torn frames may follow each other for as long as no snapshot comes.
        passages = [*self._transitions, *body.get("transitions", [])]
        self._transitions = passages[-TRANSITIONS_MAX:]
        if give.is_torn:
            # States of a lost frame are missing until the snapshot comes.
            return None
        if self._scene is None:
            # The first frame of a new life may come before its scene.
            self._due = body["t"]
            return None
        return self._whole(body["t"])

    def _whole(self, t: float) -> Frame:
        transitions, self._transitions = self._transitions, []
        return Frame(self.session, self._epoch, t, dict(self._states), self._scene, transitions,
                     self._badge, self._variables, dict(self._rows), list(self._touches))

    def _begin(self, epoch: str) -> None:
        if epoch != self._epoch:
            self._epoch, self._scene, self._states, self._badge = epoch, None, {}, None
            self._transitions, self._due = [], None
            self._variables, self._rows, self._touches = None, {}, []


class Frames:
    """An iterator of whole frames; see `Client.frames`. For one thread at a time."""

    def __init__(self, watch: Watch, session: str) -> None:
        self.watch = watch
        self._merger = Merger(session)

    def __iter__(self) -> Frames:
        return self

    def __enter__(self) -> Frames:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> Frame:
        while give := self.watch.next_give(self.watch.quiet):
            if frame := self._merger.take(give):
                return frame
        raise StopIteration

    def close(self) -> None:
        self.watch.close()
