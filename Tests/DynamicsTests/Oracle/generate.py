"""Writes scenes.txt: random scenes of one item, and where Box2D 2.3 takes it.

    python3 -m venv venv && venv/bin/pip install Box2D==2.3.10 && venv/bin/python generate.py

Each scene is text, which both this script and the Swift test carry out:

    scene NAME
    gravity X Y                             in units of 1000 pt/s²
    item X Y W H ROTATION DENSITY RESISTANCE ANGULAR_RESISTANCE ROTATES
    do STEP VERB …                          after so many steps, before the next
    at STEP X Y ROTATION                    what must come out

Verbs: attach OX OY AX AY LENGTH|- HZ DAMPING · pin OX OY AX AY · snap X Y DAMPING ·
push once|always X Y · velocity X Y SPIN · move BEHAVIOR X Y · remove BEHAVIOR.
Behaviors are counted from 0 in the order in which they were added.
"""
import math
import random
import sys
from pathlib import Path

from Box2D import b2World

POINTS = 100.0  # per metre
RATE = 120.0
STEPS = 240
SHOWN = {1, 2, 5, 10, 20, 40, 80, 120, 160, 200, 240}


class World:
    """One item and its behaviors in Box2D."""

    def __init__(self):
        self.behaviors = []

    def gravity(self, x, y):
        self.world = b2World(gravity=(x * 10, y * 10), doSleep=True)
        self.world.autoClearForces = False

    def item(self, x, y, w, h, rotation, density, resistance, angular, rotates):
        # This build damps by 1 - h·c; the equivalent of 1/(1 + h·c) is c/(1 + h·c).
        self.body = self.world.CreateDynamicBody(
            position=(x / POINTS, y / POINTS), angle=rotation, fixedRotation=rotates == 0,
            linearDamping=resistance / (1 + resistance / RATE),
            angularDamping=angular / (1 + angular / RATE))
        self.body.CreatePolygonFixture(box=(w / 2 / POINTS, h / 2 / POINTS), density=density)
        self.half = (w / 2 / POINTS, h / 2 / POINTS)

    def ground(self, x, y):
        return self.world.CreateStaticBody(position=(x / POINTS, y / POINTS))

    def added(self, anchor, joints, force=None):
        self.behaviors.append({"anchor": anchor, "joints": joints, "force": force})
        self.body.awake = True

    def pin(self, ox, oy, ax, ay):
        anchor = self.ground(ax, ay)
        self.added(anchor, [self.world.CreateRevoluteJoint(
            bodyA=anchor, bodyB=self.body, localAnchorA=(0, 0),
            localAnchorB=(ox / POINTS, oy / POINTS))])

    def attach(self, ox, oy, ax, ay, length, frequency, damping):
        held = self.body.GetWorldPoint((ox / POINTS, oy / POINTS))
        distance = math.hypot(held[0] - ax / POINTS, held[1] - ay / POINTS)
        if frequency == 0 and length is None and distance < 1 / POINTS:
            return self.pin(ox, oy, ax, ay)
        anchor = self.ground(ax, ay)
        self.added(anchor, [self.world.CreateDistanceJoint(
            bodyA=anchor, bodyB=self.body, localAnchorA=(0, 0),
            localAnchorB=(ox / POINTS, oy / POINTS),
            length=distance if length is None else length / POINTS,
            frequencyHz=frequency, dampingRatio=damping)])

    def snap(self, x, y, damping):
        anchor = self.ground(x, y)
        (w, h), arm = self.half, 0.5
        ends = [((-w - arm, -h), (-w, -h)), ((-w, -h - arm), (-w, -h)),
                ((w + arm, h), (w, h)), ((w, h + arm), (w, h))]
        self.added(anchor, [self.world.CreateDistanceJoint(
            bodyA=anchor, bodyB=self.body, localAnchorA=fixed, localAnchorB=held, length=arm,
            frequencyHz=4, dampingRatio=damping) for fixed, held in ends])

    def push(self, mode, x, y):
        if mode == "once":
            self.added(None, [])
            self.body.ApplyLinearImpulse((x, y), self.body.worldCenter, True)
        else:
            self.added(None, [], (x, y))

    def velocity(self, x, y, spin):
        v = self.body.linearVelocity
        self.body.linearVelocity = (v[0] + x / POINTS, v[1] + y / POINTS)
        if not self.body.fixedRotation:  # Box2D would turn it all the same.
            self.body.angularVelocity += spin
        self.body.awake = True

    def move(self, index, x, y):
        self.behaviors[int(index)]["anchor"].position = (x / POINTS, y / POINTS)
        self.body.awake = True

    def remove(self, index):
        behavior = self.behaviors[int(index)]
        for joint in behavior["joints"]:
            self.world.DestroyJoint(joint)
        self.behaviors[int(index)] = None
        self.body.awake = True
        if not any(self.behaviors):
            self.body.linearVelocity = (0, 0)
            self.body.angularVelocity = 0

    def step(self):
        for behavior in self.behaviors:
            if behavior and behavior["force"]:
                self.body.ApplyForce(behavior["force"], self.body.worldCenter, True)
        self.world.Step(1 / RATE, 8, 3)
        self.world.ClearForces()

    def place(self):
        p = self.body.position
        return p[0] * POINTS, p[1] * POINTS, self.body.angle


def value(word):
    if word == "-":
        return None
    try:
        return float(word)
    except ValueError:
        return word


def run(lines, shift=0.0, kind=World):
    """Where the item is after each step. The shift moves it at the start, by points."""
    world, actions = kind(), {}
    for line in lines:
        words = line.split()
        arguments = [value(word) for word in words[1:]]
        if words[0] == "gravity":
            world.gravity(*arguments)
        elif words[0] == "item":
            world.item(arguments[0] + shift, *arguments[1:])
        elif words[0] == "do":
            actions.setdefault(int(words[1]), []).append((words[2], arguments[2:]))
    places = []
    for step in range(STEPS + 1):
        places.append(world.place())
        for verb, arguments in actions.get(step, []):
            getattr(world, verb)(*arguments)
        world.step()
    return places


def number(x):
    return f"{round(x, 3):g}" if abs(x) < 1e5 else str(round(x, 3))


class Writer:
    """Draws scenes of each kind."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def line(self, *words):
        self.lines.append(" ".join(w if isinstance(w, str) else number(w) for w in words))

    def start(self, name, gravity=None, place=None, size=None, rotation=None, plain=False):
        r = self.random
        self.lines = []
        self.line("scene", name)
        g = gravity if gravity is not None else (0, 0)
        self.line("gravity", *g)
        self.size = size or (round(r.uniform(20, 350)), round(r.uniform(20, 350)))
        self.place = place or (round(r.uniform(0, 600), 1), round(r.uniform(0, 600), 1))
        self.turned = r.uniform(-3, 3) if rotation is None else rotation
        if plain:
            self.line("item", *self.place, *self.size, self.turned, 1, 0.1, 0.1, 1)
        else:
            self.line("item", *self.place, *self.size, self.turned, r.choice([0.3, 1, 1, 4]),
                      r.choice([0, 0.1, 0.1, 2]), r.choice([0, 0.1, 0.1, 2]),
                      0 if r.random() < 0.1 else 1)

    def offset(self):
        r = self.random
        return r.uniform(-0.5, 0.5) * self.size[0], r.uniform(-0.5, 0.5) * self.size[1]

    def near(self, far=250.0):
        r = self.random
        return self.place[0] + r.uniform(-far, far), self.place[1] + r.uniform(-far, far)

    def held(self, offset):
        """Where a point of the item is at the start, to the written digits."""
        offset = [round(v, 3) for v in offset]
        s, c = math.sin(round(self.turned, 3)), math.cos(round(self.turned, 3))
        return (self.place[0] + offset[0] * c - offset[1] * s,
                self.place[1] + offset[0] * s + offset[1] * c)

    def weight(self):
        r = self.random
        return (r.uniform(-1, 1), r.uniform(0.2, 1.2))

    def spin(self):
        r = self.random
        self.line("do", "0", "velocity", r.uniform(-600, 600), r.uniform(-600, 600),
                  r.uniform(-8, 8))

    def spring(self):
        r = self.random
        self.start("spring", gravity=self.weight() if r.random() < 0.5 else None)
        length = "-" if r.random() < 0.4 else r.uniform(0, 250)
        self.line("do", "0", "attach", *self.offset(), *self.near(), length, r.uniform(0.5, 6),
                  r.uniform(0, 1))
        self.spin()

    def springs(self):
        r = self.random
        self.start("springs")
        for _ in range(r.choice([2, 3])):
            self.line("do", "0", "attach", *self.offset(), *self.near(), r.uniform(0, 150),
                      r.uniform(0.5, 4), r.uniform(0.1, 1))
        self.line("do", "100", "move", "0", *self.near())
        self.line("do", "170", "remove", "1")

    def rod(self):
        self.start("rod", gravity=self.weight())
        self.line("do", "0", "attach", 0, 0, *self.near(), "-", 0, 0)
        self.line("do", "0", "velocity", 0, 0, self.random.uniform(-8, 8))

    def rod_held_aside(self):
        self.start("rod-held-aside", gravity=(0, self.random.uniform(0.05, 0.2)))
        self.line("do", "0", "attach", *self.offset(), *self.near(), "-", 0, 0)

    def hung(self):
        """A rigid attachment whose ends coincide: a pin, which the finger then drags."""
        r = self.random
        self.start("hung", gravity=self.weight() if r.random() < 0.5 else None)
        offset = self.offset()
        x, y = self.held(offset)
        self.line("do", "0", "attach", *offset, x, y, "-", 0, 0)
        for step in range(2, 120, 2):
            x, y = x + r.uniform(-12, 16), y + r.uniform(-12, 16)
            self.line("do", str(step), "move", "0", x, y)

    def pinned(self):
        self.start("pin", gravity=self.weight())
        offset = self.offset()
        self.line("do", "0", "pin", *offset, *self.held(offset))
        self.line("do", "0", "velocity", 0, 0, self.random.uniform(-8, 8))

    def pin_apart(self):
        """A pin whose ends are not together at first."""
        self.start("pin-apart")
        self.line("do", "0", "pin", *self.offset(), *self.near(80))

    def snapped(self):
        self.start("snap")
        self.line("do", "0", "snap", *self.near(500), self.random.uniform(0, 1))
        if self.random.random() < 0.5:
            self.spin()

    def snap_moved(self):
        r = self.random
        self.start("snap-moved")
        self.line("do", "0", "snap", *self.near(), r.uniform(0.2, 1))
        self.line("do", "30", "move", "0", *self.near())
        self.line("do", "90", "push", "once", r.uniform(-8, 8), r.uniform(-8, 8))
        self.line("do", "150", "push", "always", r.uniform(-8, 8), r.uniform(-8, 8))

    def pushed(self):
        r = self.random
        self.start("push")
        self.line("do", "0", "push", "once", r.uniform(-40, 40), r.uniform(-40, 40))
        self.line("do", "10", "push", "always", r.uniform(-9, 9), r.uniform(-9, 9))
        self.line("do", "0", "velocity", 0, 0, r.uniform(-10, 9))
        self.line("do", "150", "remove", "1")
        self.line("do", "200", "remove", "0")

    def crowded(self):
        """More joints than most items ever have."""
        r = self.random
        self.start("crowded")
        offset = self.offset()
        self.line("do", "0", "snap", *self.near(), r.uniform(0.2, 1))
        self.line("do", "0", "pin", *offset, *self.held(offset))
        for _ in range(r.choice([1, 3])):
            self.line("do", "0", "attach", *self.offset(), *self.near(), r.uniform(0, 150),
                      r.uniform(0.5, 4), r.uniform(0.1, 1))
        self.line("do", "40", "push", "once", r.uniform(-20, 20), r.uniform(-20, 20))
        self.line("do", "120", "remove", "1")

    def tossed(self):
        """As an app tosses a view: hung on the finger, let go, pushed, turning."""
        r = self.random
        self.start("toss", place=(160, 223), size=(254, 172), rotation=0, plain=True)
        offset = self.offset()
        x, y = self.held(offset)
        self.line("do", "0", "attach", *offset, x, y, "-", 0, 0)
        for step in range(2, 60, 2):
            x, y = x + r.uniform(-10, 20), y + r.uniform(-10, 10)
            self.line("do", str(step), "move", "0", x, y)
        self.line("do", "60", "remove", "0")
        angle = r.uniform(-math.pi, math.pi)
        self.line("do", "60", "push", "once", 60 * math.cos(angle), 60 * math.sin(angle))
        self.line("do", "60", "velocity", 0, 0, r.choice([-10, -3, 5, 9]))

    def tip(self, rotation, name, order="pin snap"):
        """The spinning tip, standing somewhere on its circle."""
        place = (160 + 500 * math.sin(rotation), 784 - 500 * math.cos(rotation))
        place = tuple(round(v, 3) for v in place)
        self.start(name, place=place, size=(300, 400), rotation=rotation, plain=True)
        for word in order.split():
            if word == "pin":
                self.line("do", "0", "pin", 0, 500, 160, 784)
            else:
                self.line("do", "0", "snap", 160, 284, self.random.choice([0.3, 0.5, 0.5, 0.9]))

    def tip_swinging(self):
        r = self.random
        order = r.choice(["pin snap", "snap pin"])
        self.tip(r.choice([-1, 1]) * r.uniform(0.2, 1.6), "tip-swinging", order)

    def tip_dragged(self):
        """At rest, dragged by a rigid rod beside the pin, and let go."""
        r = self.random
        self.tip(0, "tip-dragged", "pin")
        x, y = 160 + r.uniform(-140, 140), 284 + r.uniform(-190, 190)
        self.line("do", "0", "attach", 0, 0, x, y, "-", 0, 0)
        dx, dy = r.uniform(-5, 5), r.uniform(-3, 3)
        for step in range(2, 100, 2):
            x, y = x + dx + r.uniform(-3, 3), y + dy + r.uniform(-3, 3)
            self.line("do", str(step), "move", "1", x, y)
        self.line("do", "110", "remove", "1")
        self.line("do", "110", "snap", 160, 284, 0.5)

    def tip_leaving(self):
        """Dragged aside, then the rod's anchor jumps to where the tip leaves to."""
        r = self.random
        self.tip(0, "tip-leaving", "pin")
        x, y = 160 + r.uniform(-140, 140), 284 + r.uniform(-190, 190)
        self.line("do", "0", "attach", 0, 0, x, y, "-", 0, 0)
        side = r.choice([-1, 1])
        for step in range(2, 60, 2):
            x, y = x + side * r.uniform(2, 8), y + r.uniform(-3, 3)
            self.line("do", str(step), "move", "1", x, y)
        self.line("do", "60", "move", "1", 160 + side * 500, 784)
        self.line("do", "108", "remove", "1")
        self.line("do", "108", "snap", 160, 284, 0.5)


KINDS = {
    Writer.spring: 6, Writer.springs: 5, Writer.rod: 6, Writer.rod_held_aside: 5, Writer.hung: 6,
    Writer.pinned: 6, Writer.pin_apart: 4, Writer.snapped: 7, Writer.snap_moved: 5,
    Writer.pushed: 4, Writer.crowded: 5, Writer.tossed: 5, Writer.tip_swinging: 8,
    Writer.tip_dragged: 10, Writer.tip_leaving: 7,
}


def scenes(writer, kinds, world=World):
    """So many scenes of each kind as text, and where they lead."""
    text = []
    for kind, count in kinds.items():
        kept = tried = 0
        while kept < count:
            tried += 1
            kind(writer)
            lines = list(writer.lines)
            places = run(lines, kind=world)
            # A scene that amplifies rounding says nothing about a solver.
            moved = run(lines, 0.01, world)
            spread = max(math.hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(places, moved))
            if spread > 0.1 or not all(map(math.isfinite, sum(places, ()))):
                continue
            kept += 1
            text += lines
            text += [f"at {k} {p[0]:.5f} {p[1]:.5f} {p[2]:.7f}"
                     for k, p in enumerate(places) if k in SHOWN]
        print(f"{kind.__name__}: {kept} of {tried} drawn", file=sys.stderr)
    return text


def main():
    text = scenes(Writer(20), KINDS)
    Path(__file__).with_name("scenes.txt").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
