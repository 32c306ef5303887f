"""Writes contacts.txt: random scenes of items that touch, and where they rest in Box2D 2.3.

    python3 -m venv venv && venv/bin/pip install Box2D==2.3.10 && venv/bin/python contacts.py

Box2D itself is chaotic where things touch. Only scenes are kept that it reproduces when every
item is moved by 0.01 pt somewhere, several times over. Each scene is text:

    scene NAME
    gravity X Y                      in units of 1000 pt/s²
    item KIND X Y W H ROTATION DENSITY FRICTION ELASTICITY RESISTANCE ANGULAR_RESISTANCE ROTATES
         ANCHORED VX VY SPIN         on one line; KIND is box or circle
    group COUNT                      so many of the following items are one body
    hang ITEM OX OY X Y HZ DAMPING   attached, at its distance, to a point
    link ITEM OX OY ITEM OX OY HZ DAMPING
    path X Y X Y …                   a boundary, closed if it ends where it began
    rest STEP                        after so many steps everything sleeps in Box2D
    end X Y ROTATION                 of each item or group, in order
"""
import math
import random
import sys
from pathlib import Path

from Box2D import b2ChainShape, b2EdgeShape, b2World

POINTS = 100.0  # per metre
RATE = 120.0
STEPS_MAX = 2400
SHIFT = 0.01
TRIALS = 8
SAME = 0.25
PER_KIND = 15


class World:
    """Items and boundaries in Box2D."""

    def __init__(self, lines, shift=None):
        self.items, self.shift, self.members, self.missing = [], shift, [], 0
        for line in lines:
            words = line.split()
            if words[0] == "gravity":
                x, y = map(float, words[1:])
                self.world = b2World(gravity=(x * 10, y * 10), doSleep=True)
                self.world.autoClearForces = False
            elif words[0] == "item":
                self.members.append((words[1], [float(word) for word in words[2:]]))
                if len(self.members) >= self.missing:
                    self.bind(self.members)
                    self.members, self.missing = [], 0
            elif words[0] == "group":
                self.missing = int(words[1])
            else:
                getattr(self, words[0])([float(word) for word in words[1:]])

    def bind(self, members):
        """One body of one shape or several, at the middle of the rectangle about them."""
        low, high = [math.inf, math.inf], [-math.inf, -math.inf]
        for kind, n in members:
            c, s = abs(math.cos(n[4])), abs(math.sin(n[4]))
            reach = ((n[2] / 2, n[2] / 2) if kind == "circle" else
                     ((n[2] * c + n[3] * s) / 2, (n[2] * s + n[3] * c) / 2))
            low = [min(low[i], n[i] - reach[i]) for i in (0, 1)]
            high = [max(high[i], n[i] + reach[i]) for i in (0, 1)]
        first = members[0][1]
        x, y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        rotation = first[4] if len(members) == 1 else 0
        resistance, angular, rotates, anchored, vx, vy, spin = first[8:]
        if self.shift and not anchored:
            turn = self.shift.uniform(0, 2 * math.pi)
            x, y = x + SHIFT * math.cos(turn), y + SHIFT * math.sin(turn)
        # This build damps by 1 - h·c; the equivalent of 1/(1 + h·c) is c/(1 + h·c).
        make = self.world.CreateStaticBody if anchored else self.world.CreateDynamicBody
        body = make(
            position=(x / POINTS, y / POINTS), angle=rotation, fixedRotation=rotates == 0,
            linearDamping=resistance / (1 + resistance / RATE),
            angularDamping=angular / (1 + angular / RATE))
        middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        for kind, n in members:
            material = {"density": n[5], "friction": n[6], "restitution": n[7]}
            place = (n[0] - middle[0]) / POINTS, (n[1] - middle[1]) / POINTS
            if kind == "box":
                body.CreatePolygonFixture(
                    box=(n[2] / 2 / POINTS, n[3] / 2 / POINTS, place, n[4] - rotation),
                    **material)
            else:
                body.CreateCircleFixture(pos=place, radius=n[2] / 2 / POINTS, **material)
        if not anchored:
            body.linearVelocity = (vx / POINTS, vy / POINTS)
            body.angularVelocity = spin if rotates else 0
        self.items.append(body)

    def path(self, numbers):
        points = [(x / POINTS, y / POINTS) for x, y in zip(numbers[::2], numbers[1::2])]
        if len(points) == 2:
            shape = b2EdgeShape(vertices=points)
        elif points[0] == points[-1]:
            shape = b2ChainShape(vertices_loop=points[:-1])
        else:
            shape = b2ChainShape(vertices_chain=points)
        self.world.CreateStaticBody().CreateFixture(
            shape=shape, density=0, friction=0.2, restitution=0.2)

    def hang(self, numbers):
        item, ox, oy, x, y, frequency, damping = numbers
        ground = self.world.CreateStaticBody(position=(x / POINTS, y / POINTS))
        self.tie(ground, (0, 0), self.items[int(item)], (ox, oy), frequency, damping)

    def link(self, numbers):
        item, ox, oy, other, px, py, frequency, damping = numbers
        self.tie(self.items[int(other)], (px, py), self.items[int(item)], (ox, oy), frequency,
                 damping)

    def tie(self, a, at, b, bt, frequency, damping):
        at, bt = [(x / POINTS, y / POINTS) for x, y in (at, bt)]
        p, q = a.GetWorldPoint(at), b.GetWorldPoint(bt)
        self.world.CreateDistanceJoint(
            bodyA=a, bodyB=b, localAnchorA=at, localAnchorB=bt,
            length=math.hypot(p[0] - q[0], p[1] - q[1]), frequencyHz=frequency,
            dampingRatio=damping, collideConnected=True)

    def step(self):
        self.world.Step(1 / RATE, 8, 3)
        self.world.ClearForces()

    def places(self):
        return [(b.position[0] * POINTS, b.position[1] * POINTS, b.angle) for b in self.items]

    def rests(self):
        return not any(body.awake for body in self.items if body.type)

    def run(self):
        """After how many steps everything sleeps; None if it does not."""
        for step in range(1, STEPS_MAX + 1):
            self.step()
            if self.rests():
                return step
        return None


def number(x):
    return f"{round(x, 3):g}" if abs(x) < 1e5 else str(round(x, 3))


def line(*words):
    return " ".join(w if isinstance(w, str) else number(w) for w in words)


WALLS = ("path", 0, 0, 400, 0, 400, 600, 0, 600, 0, 0)


class Writer:
    """Draws scenes of each kind."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def item(self, place, size, rotation=0.0, velocity=(0, 0, 0), kind="box", anchored=0,
             resistance=None, elasticity=None, friction=None):
        r = self.random
        return line(
            "item", kind, *place, *size, rotation, r.choice([0.5, 1, 1, 2]),
            r.choice([0.1, 0.2, 0.2, 0.6]) if friction is None else friction,
            r.choice([0, 0.2, 0.2, 0.5]) if elasticity is None else elasticity,
            r.choice([0, 0.1, 0.1, 0.5]) if resistance is None else resistance,
            r.choice([0.1, 0.1, 0.5]), 0 if r.random() < 0.1 else 1, anchored, *velocity)

    def size(self, kind="box", low=30, high=110):
        r = self.random
        w = round(r.uniform(low, high))
        return (w, w) if kind == "circle" else (w, round(r.uniform(low, high)))

    def kind(self, share=0.3):
        return "circle" if self.random.random() < share else "box"

    def drop(self):
        """One or two fall into a box."""
        r, lines = self.random, [line("gravity", 0, 1), line(*WALLS)]
        for index in range(r.choice([1, 1, 2])):
            kind = self.kind()
            lines.append(self.item(
                (r.uniform(60, 140) + 200 * index, r.uniform(100, 500)), self.size(kind),
                r.uniform(-3, 3), (r.uniform(-200, 200), 0, r.uniform(-3, 3)), kind))
        return lines

    def stack(self):
        """Boxes fall onto each other."""
        r, lines = self.random, [line("gravity", 0, 1), line(*WALLS)]
        y, width = 600.0, r.uniform(90, 140)
        for _ in range(r.randint(2, 7)):
            h = round(r.uniform(25, 60))
            y -= h + r.uniform(3, 12)
            lines.append(self.item(
                (200 + r.uniform(-6, 6), y + h / 2), (round(width), h), elasticity=0.0))
            width *= r.uniform(0.85, 1)
        return lines

    def slide(self):
        """Boxes and circles slide along a floor of many pieces."""
        r = self.random
        floor = []
        for index in range(r.randint(8, 20)):
            floor += [-100 + 50 * index, 500]
        lines = [line("gravity", 0, 1), line("path", *floor)]
        for index in range(r.randint(1, 3)):
            size = self.size()
            lines.append(self.item(
                (120 * index, 500 - size[1] / 2 - r.uniform(3, 30)), size,
                velocity=(r.uniform(-60, 250), 0, 0), friction=0.4))
        return lines

    def throw(self):
        """Fast ones bounce between walls without gravity."""
        r, lines = self.random, [line("gravity", 0, 0), line(*WALLS)]
        kind = self.kind(0.5)
        turn = r.uniform(0, 2 * math.pi)
        speed = r.uniform(300, 4000)
        lines.append(self.item(
            (200, 300), self.size(kind), r.choice([0, 0, r.uniform(-3, 3)]),
            (speed * math.cos(turn), speed * math.sin(turn), r.choice([0, r.uniform(-9, 9)])),
            kind, resistance=r.uniform(2, 5)))
        return lines

    def valley(self):
        """Down slopes to where they meet."""
        r = self.random
        lines = [line("gravity", 0, 1), line(
            "path", -100, 100, 60, 420 + r.uniform(-80, 80), 200 + r.uniform(-60, 60), 500,
            340, 420 + r.uniform(-80, 80), 500, 100)]
        for index in range(r.choice([1, 1, 2])):
            kind = self.kind()
            lines.append(self.item(
                (120 + 160 * index, 150 - 100 * index), self.size(kind, 30, 80), r.uniform(-3, 3),
                kind=kind, friction=0.5))
        return lines

    def shelf(self):
        """Onto anchored ones."""
        r, lines = self.random, [line("gravity", 0, 1), line(*WALLS)]
        lines.append(self.item((200, 420), (220, 40), r.uniform(-0.3, 0.3), anchored=1))
        kind = self.kind()
        lines.append(self.item(
            (80, 540), self.size(kind, 40, 80), kind=kind, anchored=1))
        for index in range(r.choice([1, 2, 3])):
            kind = self.kind()
            lines.append(self.item(
                (130 + 70 * index, 250 - 60 * index), self.size(kind, 30, 60), r.uniform(-3, 3),
                (r.uniform(-100, 100), 0, 0), kind))
        return lines

    def drift(self):
        """Hit each other without boundaries or gravity."""
        r, lines = self.random, [line("gravity", 0, 0)]
        for index in range(r.randint(2, 5)):
            kind = self.kind()
            lines.append(self.item(
                (140 * index, r.uniform(-15, 15)), self.size(kind, 50, 120),
                r.choice([0, r.uniform(-3, 3)]),
                ((r.uniform(100, 900), 0, 0) if index == 0 else (0, 0, 0)), kind,
                resistance=r.uniform(0.5, 3)))
        return lines

    def heap(self):
        """Many into a narrow box."""
        r = self.random
        lines = [line("gravity", 0, 1), line("path", 80, 0, 80, 600, 300, 600, 300, 0)]
        for index in range(r.randint(3, 8)):
            kind = self.kind(0.2)
            lines.append(self.item(
                (190 + r.uniform(-40, 40), 520 - 90 * index), self.size(kind, 40, 85),
                r.choice([0, r.uniform(-1, 1)]), kind=kind, elasticity=0.0, friction=0.6))
        return lines


    def group(self):
        """Bodies of several shapes fall into a box."""
        r, lines = self.random, [line("gravity", 0, 1), line(*WALLS)]
        for index in range(r.choice([1, 1, 2])):
            lines.append(line("group", 2 + index))
            x, y = r.uniform(80, 130) + 190 * index, r.uniform(150, 400)
            for part in range(2 + index):
                kind = self.kind()
                lines.append(self.item(
                    (x + 40 * part, y + r.uniform(-30, 30)), self.size(kind, 30, 60),
                    r.choice([0, r.uniform(-3, 3)]), kind=kind, friction=0.5))
        return lines

    def tied(self):
        """Items that are linked fall into a box."""
        r, lines = self.random, [line("gravity", 0, 1), line(*WALLS)]
        count = r.randint(2, 3)
        for index in range(count):
            lines.append(self.item(
                (100 + 90 * index, r.uniform(300, 450)), self.size("box", 30, 70), friction=0.5))
        for index in range(count - 1):
            frequency = r.choice([0, 0, 2])
            lines.append(line(
                "link", index, r.uniform(-10, 10), r.uniform(-10, 10), index + 1, 0, 0, frequency,
                0.5 if frequency else 0))
        return lines

    def hung(self):
        """A rod swings an item into others on the floor."""
        r, lines = self.random, [line("gravity", 0, 1), line(*WALLS)]
        lines.append(self.item((100, 300), (50, 50), resistance=1.0))
        for index in range(r.randint(1, 3)):
            lines.append(self.item(
                (200 + r.uniform(-2, 2), 570 - 61 * index), (60, 60), friction=0.5,
                elasticity=0.0))
        lines.append(line("hang", 0, 0, -20, 180, r.uniform(230, 260), 0, 0))
        return lines


KINDS = [
    "group", "tied", "hung", "drop", "stack", "slide", "throw", "valley", "shelf", "drift", "heap"]


def apart(a, b):
    """The greatest distance (pt), a radian counted as much as ten."""
    return max(max(math.hypot(p[0] - q[0], p[1] - q[1]), 10 * abs(p[2] - q[2]))
               for p, q in zip(a, b))


def expected(lines, seed):
    """The lines of a scene's end, or None where Box2D does not reproduce it."""
    world = World(lines)
    step = world.run()
    if step is None:
        return None
    places = world.places()
    for trial in range(TRIALS):
        moved = World(lines, random.Random(seed * 100 + trial))
        if moved.run() is None or apart(moved.places(), places) > SAME:
            return None
    return [line("rest", step)] + [line("end", *place) for place in places]


def main():
    lines, drawn = [], 0
    for kind in KINDS:
        kept, seed = 0, 0
        while kept < PER_KIND and seed < 40 * PER_KIND:
            seed += 1
            drawn += 1
            scene = getattr(Writer(f"{kind}-{seed}"), kind)()
            end = expected(scene, seed)
            if end:
                kept += 1
                lines += [line("scene", f"{kind}-{seed}")] + scene + end
        print(kind, kept, "of", seed, file=sys.stderr)
    path = Path(__file__).with_name("contacts.txt")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
