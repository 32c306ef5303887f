"""Writes linked.txt: random scenes of several items, and where Box2D 2.3 takes them.

    python3 -m venv venv && venv/bin/pip install Box2D==2.3.10 && venv/bin/python linked.py

Each scene is text, which both this script and the Swift test carry out:

    scene NAME
    gravity X Y                             in units of 1000 pt/s²
    item X Y W H ROTATION DENSITY RESISTANCE ANGULAR_RESISTANCE free|upright|anchored
    STEP VERB ITEM …                        after so many steps, before the next
    at STEP X Y ROTATION …                  what must come out, item by item

Verbs, with an item's number and a point of it first, and then END: J OX OY, a point of item J, or
- AX AY, a fixed one:

    spring I OX OY END LENGTH|- HZ DAMPING              a rod at 0 Hz
    nail I OX OY END TORQUE LOW|- HIGH|-
    weld I OX OY END HZ DAMPING
    slide I OX OY END AXIS_X AXIS_Y LOW|- HIGH|-
    rope I OX OY END LENGTH|-

and snap I X Y DAMPING · push I once|always X Y · velocity I X Y SPIN · move BEHAVIOR X Y ·
remove BEHAVIOR.
Items and behaviors are counted from 0 in the order in which they were added. Nothing collides.
"""
import math
import random
import sys
from pathlib import Path

from Box2D import b2World

from generate import POINTS, RATE, STEPS, number, value

SHOWN = (12, 60, 140, 240)


def metres(*points):
    return tuple(p / POINTS for p in points)


class World:
    """Items and their behaviors in Box2D."""

    def __init__(self):
        self.bodies, self.sizes, self.behaviors, self.world = [], [], [], None

    def gravity(self, x, y):
        self.world = b2World(gravity=(x * 10, y * 10), doSleep=True)
        self.world.autoClearForces = False

    def item(self, x, y, w, h, rotation, density, resistance, angular, how):
        place = {"position": metres(x, y), "angle": rotation}
        if how == "anchored":
            body = self.world.CreateStaticBody(**place)
        else:
            # This build damps by 1 - h·c; the equivalent of 1/(1 + h·c) is c/(1 + h·c).
            body = self.world.CreateDynamicBody(
                **place, fixedRotation=how == "upright",
                linearDamping=resistance / (1 + resistance / RATE),
                angularDamping=angular / (1 + angular / RATE))
        body.CreatePolygonFixture(box=metres(w / 2, h / 2), density=density, groupIndex=-1)
        self.bodies.append(body)
        self.sizes.append(metres(w / 2, h / 2))

    def added(self, items, joints, anchor=None, force=None):
        items = [int(i) for i in items]
        self.behaviors.append({"items": items, "joints": joints, "anchor": anchor, "force": force})
        for i in items:
            self.bodies[i].awake = True

    def tie(self, create, i, ox, oy, end, angle=False, **more):
        """A joint whose second body is the item, as the first is what it is held by."""
        body, (j, x, y) = self.bodies[int(i)], end
        if j is None:
            anchor = other = self.world.CreateStaticBody(position=metres(x, y))
            held, items = (0, 0), [i]
        else:
            anchor, other = None, self.bodies[int(j)]
            held, items = metres(x, y), [i, j]
        if angle:
            more["referenceAngle"] = body.angle - other.angle
        joint = create(bodyA=other, bodyB=body, localAnchorA=held, localAnchorB=metres(ox, oy),
                       collideConnected=True, **more)
        self.added(items, [joint], anchor)

    def apart(self, i, ox, oy, end):
        p, (j, x, y) = self.bodies[int(i)].GetWorldPoint(metres(ox, oy)), end
        q = metres(x, y) if j is None else self.bodies[int(j)].GetWorldPoint(metres(x, y))
        return math.hypot(p[0] - q[0], p[1] - q[1])

    def spring(self, i, ox, oy, j, x, y, length, frequency, damping):
        apart = self.apart(i, ox, oy, (j, x, y))
        if frequency == 0 and length is None and apart < 1 / POINTS:
            return self.nail(i, ox, oy, j, x, y, 0, None, None)
        self.tie(self.world.CreateDistanceJoint, i, ox, oy, (j, x, y),
                 length=apart if length is None else length / POINTS,
                 frequencyHz=frequency, dampingRatio=damping)

    def nail(self, i, ox, oy, j, x, y, torque, low, high):
        limit = {} if low is None else {"enableLimit": True, "lowerAngle": low, "upperAngle": high}
        motor = {} if torque == 0 else {"enableMotor": True, "maxMotorTorque": torque}
        self.tie(self.world.CreateRevoluteJoint, i, ox, oy, (j, x, y), True, **limit, **motor)

    def weld(self, i, ox, oy, j, x, y, frequency, damping):
        self.tie(self.world.CreateWeldJoint, i, ox, oy, (j, x, y), True, frequencyHz=frequency,
                 dampingRatio=damping)

    def slide(self, i, ox, oy, j, x, y, ax, ay, low, high):
        axis = (ax, ay) if j is None else self.bodies[int(j)].GetLocalVector((ax, ay))
        length = math.hypot(*axis)
        limit = {} if low is None else {
            "enableLimit": True, "lowerTranslation": low / POINTS,
            "upperTranslation": high / POINTS}
        self.tie(self.world.CreatePrismaticJoint, i, ox, oy, (j, x, y), True,
                 localAxisA=(axis[0] / length, axis[1] / length), **limit)

    def rope(self, i, ox, oy, j, x, y, length):
        apart = self.apart(i, ox, oy, (j, x, y))
        self.tie(self.world.CreateRopeJoint, i, ox, oy, (j, x, y),
                 maxLength=apart if length is None else length / POINTS)

    def snap(self, i, x, y, damping):
        body, (w, h), arm = self.bodies[int(i)], self.sizes[int(i)], 0.5
        anchor = self.world.CreateStaticBody(position=metres(x, y))
        ends = [((-w - arm, -h), (-w, -h)), ((-w, -h - arm), (-w, -h)),
                ((w + arm, h), (w, h)), ((w, h + arm), (w, h))]
        self.added([i], [self.world.CreateDistanceJoint(
            bodyA=anchor, bodyB=body, localAnchorA=fixed, localAnchorB=held, length=arm,
            frequencyHz=4, dampingRatio=damping) for fixed, held in ends], anchor)

    def push(self, i, mode, x, y):
        body = self.bodies[int(i)]
        if mode == "once":
            self.added([i], [])
            body.ApplyLinearImpulse((x, y), body.worldCenter, True)
        else:
            self.added([i], [], force=(x, y))

    def velocity(self, i, x, y, spin):
        body = self.bodies[int(i)]
        v = body.linearVelocity
        body.linearVelocity = (v[0] + x / POINTS, v[1] + y / POINTS)
        if not body.fixedRotation:  # Box2D would turn it all the same.
            body.angularVelocity += spin
        body.awake = True

    def move(self, index, x, y):
        behavior = self.behaviors[int(index)]
        behavior["anchor"].position = metres(x, y)
        self.bodies[behavior["items"][0]].awake = True

    def remove(self, index):
        behavior, self.behaviors[int(index)] = self.behaviors[int(index)], None
        for joint in behavior["joints"]:
            self.world.DestroyJoint(joint)
        for i in behavior["items"]:
            body = self.bodies[i]
            body.awake = True
            alone = not any(b and i in b["items"] for b in self.behaviors)
            if alone and self.world.gravity == (0, 0):
                body.linearVelocity, body.angularVelocity = (0, 0), 0

    def step(self):
        for behavior in self.behaviors:
            if behavior and behavior["force"]:
                body = self.bodies[behavior["items"][0]]
                body.ApplyForce(behavior["force"], body.worldCenter, True)
        self.world.Step(1 / RATE, 8, 3)
        self.world.ClearForces()

    def places(self):
        return [(b.position[0] * POINTS, b.position[1] * POINTS, b.angle) for b in self.bodies]


def run(lines, shift=0.0):
    """Where the items are after each step. The shift moves them at the start, by points, in turns
    to the right and to the left."""
    world, actions = World(), {}
    for line in lines:
        verb, *words = line.split()
        arguments = [value(word) for word in words]
        if verb == "item":
            side = -1 if len(world.bodies) % 2 else 1
            world.item(arguments[0] + side * shift, *arguments[1:])
        elif verb == "gravity":
            world.gravity(*arguments)
        elif verb != "scene":
            actions.setdefault(int(verb), []).append((words[0], arguments[1:]))
    places = []
    for step in range(STEPS + 1):
        places.append(world.places())
        for verb, arguments in actions.get(step, []):
            getattr(world, verb)(*arguments)
        world.step()
    return places


class Writer:
    """Draws scenes of each kind."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def line(self, *words):
        self.lines.append(" ".join(
            w if isinstance(w, str) else "-" if w is None else str(w) if isinstance(w, int)
            else number(w) for w in words))

    def start(self, name, count, falls=0.6, how=("free",) * 9 + ("upright",)):
        r = self.random
        self.lines, self.items, self.count = [], [], 0
        self.line("scene", name)
        self.line("gravity", *((r.uniform(-0.4, 0.4), r.uniform(0.1, 0.9))
                               if r.random() < falls else (0.0, 0.0)))
        for _ in range(count):
            self.add(how=r.choice(how))

    def add(self, place=None, size=None, rotation=None, how="free"):
        r = self.random
        size = size or (round(r.uniform(30, 160)), round(r.uniform(30, 160)))
        place = place or (round(r.uniform(0, 500), 1), round(r.uniform(0, 500), 1))
        rotation = round(r.uniform(-2, 2), 3) if rotation is None else rotation
        self.line("item", *place, *size, rotation, r.choice([0.5, 1, 1, 2]),
                  r.choice([0, 0.1, 0.1, 1]), r.choice([0, 0.1, 0.1, 1]), how)
        self.items.append((place, size, rotation, how))

    def do(self, step, verb, *words):
        self.line(step, verb, *words)
        if verb not in ("velocity", "move", "remove"):
            self.count += 1

    def offset(self, i):
        w, h = self.items[i][1]
        return (round(self.random.uniform(-0.5, 0.5) * w, 2),
                round(self.random.uniform(-0.5, 0.5) * h, 2))

    def held(self, i, offset):
        """Where a point of an item is at the start."""
        (x, y), _, rotation, _ = self.items[i]
        s, c = math.sin(rotation), math.cos(rotation)
        return x + offset[0] * c - offset[1] * s, y + offset[0] * s + offset[1] * c

    def local(self, i, point):
        """A point of the world as an item sees it at the start."""
        (x, y), _, rotation, _ = self.items[i]
        s, c = math.sin(rotation), math.cos(rotation)
        dx, dy = point[0] - x, point[1] - y
        return dx * c + dy * s, dy * c - dx * s

    def near(self, i, far=200.0):
        (x, y), r = self.items[i][0], self.random
        return x + r.uniform(-far, far), y + r.uniform(-far, far)

    def ends(self, i, j):
        """An item's point, and the same place on another item, or fixed."""
        offset = self.offset(i)
        point = self.held(i, offset)
        return (i, *offset, None, *point) if j is None else (i, *offset, j, *self.local(j, point))

    def loose(self, i, j):
        """Points that are not together."""
        if j is None:
            return (i, *self.offset(i), None, *self.near(i))
        return (i, *self.offset(i), j, *self.offset(j))

    def pairs(self):
        """Who is tied to whom: a tree that begins at a fixed point or at nothing."""
        r, order = self.random, list(range(len(self.items)))
        r.shuffle(order)
        found = [(order[0], None)] if r.random() < 0.7 else []
        for k in range(1, len(order)):
            a, b = order[k], order[k - 1] if r.random() < 0.7 else r.choice(order[:k])
            found.append((a, b) if r.random() < 0.5 else (b, a))
        r.shuffle(found)
        return found

    def disturb(self, much=1.0):
        r = self.random
        for i in range(len(self.items)):
            if r.random() < 0.6:
                self.do(r.choice([0, 0, 1, 30]), "velocity", i, r.uniform(-400, 400) * much,
                        r.uniform(-400, 400) * much, r.uniform(-4, 4) * much)
        if r.random() < 0.4:
            i = r.randrange(len(self.items))
            self.do(r.choice([0, 40]), "push", i, r.choice(["once", "always"]),
                    r.uniform(-5, 5) * much, r.uniform(-5, 5) * much)

    def springs(self):
        r = self.random
        self.start("springs", r.choice([2, 2, 3, 4]))
        for i, j in self.pairs() + ([(0, 1)] if r.random() < 0.4 else []):
            length = None if r.random() < 0.4 else r.uniform(0, 250)
            self.do(0, "spring", *self.loose(i, j), length, r.uniform(0.5, 5), r.uniform(0, 1))
        self.disturb()

    def rods(self):
        r = self.random
        self.start("rods", r.choice([2, 2, 3]), falls=0.4)
        for i, j in self.pairs():
            length = None if r.random() < 0.7 else r.uniform(50, 250)
            self.do(0, "spring", *self.loose(i, j), length, 0, 0)
        self.disturb(0.5)

    def centered_rods(self):
        """Rods between centers: a chain of points."""
        r = self.random
        self.start("centers", r.choice([2, 3]), falls=0.5)
        for i, j in self.pairs():
            self.do(0, "spring", i, 0, 0, j, *(self.near(i) if j is None else (0, 0)), None, 0, 0)
        self.disturb(0.5)

    def hinged(self):
        """Nailed together where they are, or hung by rods without length."""
        r = self.random
        self.start("hinged", r.choice([2, 2, 3]), falls=0.4)
        for i, j in self.pairs():
            if r.random() < 0.5:
                self.do(0, "spring", *self.ends(i, j), None, 0, 0)
            else:
                self.do(0, "nail", *self.ends(i, j), 0, None, None)
        self.disturb(0.4)

    def nailed_apart(self):
        self.start("apart", 2, falls=0.2)
        self.do(0, "nail", *self.loose(0, 1), 0, None, None)
        if self.random.random() < 0.5:
            self.do(0, "snap", 1, *self.near(1), self.random.uniform(0.3, 1))

    def rubbing(self):
        r = self.random
        self.start("rubbing", r.choice([1, 2, 2, 3]), falls=0.6)
        for i, j in self.pairs() or [(0, None)]:
            self.do(0, "nail", *self.ends(i, j), r.uniform(0.02, 3), None, None)
        self.disturb(0.6)

    def ranged(self):
        r = self.random
        self.start("ranged", r.choice([1, 1, 2]), falls=0.7)
        for i, j in self.pairs() or [(0, None)]:
            low = -r.uniform(0, 1.2)
            high = low + r.choice([r.uniform(0.01, 0.05), r.uniform(0.2, 2)])
            torque = r.choice([0, 0, r.uniform(0, 1)])
            self.do(0, "nail", *self.ends(i, j), torque, low, max(high, 0.0))
        self.disturb(0.6)

    def welded(self):
        r = self.random
        # This build's rigid weld lets go of bodies that both do not turn.
        self.start("welded", r.choice([1, 2, 3]), falls=0.6, how=("free",))
        for i, j in self.pairs() or [(0, None)]:
            stiff = r.random() < 0.5
            self.do(0, "weld", *(self.ends(i, j) if r.random() < 0.7 else self.loose(i, j)),
                    0 if stiff else r.uniform(0.5, 6), 0 if stiff else r.uniform(0, 1))
        self.disturb(0.6)

    def sliding(self):
        r = self.random
        self.start("sliding", r.choice([1, 2, 2]), falls=0.7)
        for i, j in self.pairs() or [(0, None)]:
            angle = r.uniform(-math.pi, math.pi)
            low, high = (None, None) if r.random() < 0.4 else (
                -r.uniform(5, 150), r.uniform(5, 150))
            self.do(0, "slide", *(self.ends(i, j) if r.random() < 0.8 else self.loose(i, j)),
                    math.cos(angle), math.sin(angle), low, high)
        self.disturb(0.6)

    def roped(self):
        r = self.random
        self.start("roped", r.choice([1, 2, 2, 3]), falls=0.8)
        for i, j in self.pairs() or [(0, None)]:
            length = None if r.random() < 0.5 else r.uniform(100, 300)
            self.do(0, "rope", *self.loose(i, j), length)
        self.disturb(0.5)

    def held_by_anchored(self):
        """Ties to items that do not move hold, and couple nothing."""
        r = self.random
        self.start("anchored", 3, how=("free",))
        place, size, rotation, _ = self.items[1]
        self.lines[3] = self.lines[3].rsplit(" ", 1)[0] + " anchored"
        self.items[1] = place, size, rotation, "anchored"
        self.do(0, "spring", *self.loose(0, 1), None, r.uniform(1, 4), r.uniform(0.1, 0.8))
        verb = r.choice(["nail", "weld", "rope"])
        more = {"nail": (0, None, None), "weld": (r.uniform(1, 4), 0.5), "rope": (None,)}[verb]
        self.do(0, verb, *(self.ends(2, 1) if r.random() < 0.5 else self.ends(1, 2)), *more)
        self.do(0, "velocity", 2, r.uniform(-100, 100), r.uniform(-100, 100), 0)

    def any_tie(self, i, j):
        r = self.random
        kind = r.randrange(8)
        if kind < 3:
            self.do(0, "spring", *self.loose(i, j), None, r.uniform(0.5, 5), r.uniform(0.1, 1))
        elif kind == 3:
            self.do(0, "spring", *self.loose(i, j), None, 0, 0)
        elif kind == 4:
            self.do(0, "nail", *self.ends(i, j), r.choice([0, r.uniform(0, 1)]), None, None)
        elif kind == 5:
            self.do(0, "weld", *self.ends(i, j), r.uniform(1, 5), r.uniform(0.2, 1))
        elif kind == 6:
            self.do(0, "rope", *self.loose(i, j), None)
        else:
            self.do(0, "slide", *self.ends(i, j), 1, r.uniform(-1, 1), -100, 100)

    def mixed(self):
        """Everything at once, in any order; some of it is moved and removed again."""
        r = self.random
        self.start("mixed", r.choice([2, 3, 4, 5]), falls=0.4)
        ties = self.pairs()
        for i in range(len(self.items)):
            if r.random() < 0.4:
                ties.insert(r.randrange(len(ties) + 1), (i, i))
        loops = [(0, 1)] if r.random() < 0.3 else []
        for i, j in ties + loops:
            if i == j:
                self.do(0, "snap", i, *self.near(i), r.uniform(0.2, 1))
            else:
                self.any_tie(i, j)
        removable = self.count
        self.disturb(0.5)
        for k in r.sample(range(removable), min(removable, r.choice([0, 1, 2]))):
            self.do(r.choice([80, 120, 170]), "remove", k)

    def woken(self):
        """Comes to rest; later one item is struck and the others follow."""
        r = self.random
        self.start("woken", r.choice([2, 3]), falls=0, how=("free",))
        order = list(range(len(self.items)))
        r.shuffle(order)
        for i, j in zip(order, order[1:]):
            self.do(0, "spring", *self.loose(i, j), None, r.uniform(1, 4), r.uniform(0.3, 1))
        self.do(0, "snap", order[0], *self.items[order[0]][0], 0.9)
        i = r.choice(order)
        self.do(150, "push", i, "once", r.uniform(-9, 9), r.uniform(-9, 9))
        self.do(200, "remove", r.randrange(len(order) - 1))

    def dragged(self):
        """A row of items behind a finger."""
        r = self.random
        self.start("dragged", r.choice([2, 3, 4]), falls=0)
        for i in range(1, len(self.items)):
            self.do(0, "spring", *self.loose(i, i - 1), r.uniform(80, 200), r.uniform(1, 5),
                    r.uniform(0.3, 1))
        x, y = self.items[0][0]
        self.do(0, "spring", 0, 0, 0, None, x, y, None, r.choice([0, 6]), 1)
        finger = self.count - 1
        for step in range(3, 100, 4):
            x, y = x + r.uniform(-8, 14), y + r.uniform(-8, 14)
            self.do(step, "move", finger, x, y)
        self.do(110, "remove", finger)


KINDS = {
    Writer.springs: 40, Writer.rods: 26, Writer.centered_rods: 20, Writer.hinged: 30,
    Writer.nailed_apart: 12, Writer.rubbing: 24, Writer.ranged: 26, Writer.welded: 26,
    Writer.sliding: 26, Writer.roped: 22, Writer.held_by_anchored: 12, Writer.mixed: 60,
    Writer.woken: 12, Writer.dragged: 16,
}


def spread(one, other):
    return max(math.hypot(a[0] - b[0], a[1] - b[1]) + 50 * abs(a[2] - b[2])
               for p, q in zip(one, other) for a, b in zip(p, q))


def main():
    writer, text = Writer(40), []
    for kind, count in KINDS.items():
        kept = tried = 0
        while kept < count:
            tried += 1
            kind(writer)
            lines = list(writer.lines)
            places = run(lines)
            # A scene that amplifies rounding says nothing about a solver.
            if not spread(places, run(lines, 0.01)) <= 0.1:
                continue
            kept += 1
            text += lines
            for k in SHOWN:
                text.append(" ".join([f"at {k}"] + [
                    f"{x:.2f} {y:.2f} {turn:.4f}" for x, y, turn in places[k]]))
        print(f"{kind.__name__}: {kept} of {tried} drawn", file=sys.stderr)
    Path(__file__).with_name("linked.txt").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
