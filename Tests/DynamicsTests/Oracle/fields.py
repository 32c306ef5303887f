"""Writes fields.txt: random scenes of one item in fields and under pushes beside its center.

    python3 -m venv venv && venv/bin/pip install Box2D==2.3.10 && venv/bin/python fields.py

Scenes are written as in generate.py, with a charge as the item's last number and more verbs:

    field KIND X Y STRENGTH FALLOFF DIRECTION_X DIRECTION_Y
    shove once|always X Y OFFSET_X OFFSET_Y

Box2D knows no fields: their forces are applied to it before each step, in plain formulas.
"""
import math
import sys
from pathlib import Path

import generate
from generate import POINTS, Writer


class World(generate.World):
    """One item, its behaviors and its fields in Box2D."""

    def __init__(self):
        super().__init__()
        self.fields = []
        self.shoves = []

    def item(self, *numbers):
        super().item(*numbers[:-1])
        self.charge = numbers[-1]

    def field(self, *field):
        self.fields.append(field)
        self.body.awake = True

    def shove(self, mode, x, y, ox, oy):
        self.body.awake = True
        if mode == "once":
            center = self.body.worldCenter
            point = center[0] + ox / POINTS, center[1] + oy / POINTS
            self.body.ApplyLinearImpulse((x, y), point, True)
        else:
            self.shoves.append((x, y, ox, oy))

    def force(self, kind, x, y, strength, falloff, dx, dy):
        body = self.body
        px, py = body.worldCenter[0] - x / POINTS, body.worldCenter[1] - y / POINTS
        vx, vy = body.linearVelocity
        distance = math.hypot(px, py)
        ux, uy = px / distance, py / distance
        pull = strength * distance ** -falloff
        if kind == "linear":
            return pull * body.mass * dx, pull * body.mass * dy
        if kind == "radial":
            return -pull * body.mass * ux, -pull * body.mass * uy
        if kind == "spring":
            return -pull * ux, -pull * uy
        if kind == "electric":
            return pull * self.charge * ux, pull * self.charge * uy
        if kind == "vortex":
            return -uy * pull / body.mass, ux * pull / body.mass
        wx, wy = vx - dx, vy - dy
        speed = math.hypot(wx, wy)
        return -pull * wx * speed, -pull * wy * speed

    def step(self):
        # All at the velocity with which the step begins, then applied.
        forces = [self.force(*field) for field in self.fields]
        center = self.body.worldCenter
        for force in forces:
            self.body.ApplyForce(force, center, True)
        for x, y, ox, oy in self.shoves:
            point = center[0] + ox / POINTS, center[1] + oy / POINTS
            self.body.ApplyForce((x, y), point, True)
        super().step()


class FieldWriter(Writer):
    """Draws scenes of each kind."""

    def begin(self, name, gravity=None):
        self.start(name, gravity=gravity)
        self.lines[-1] += f" {self.random.choice([-2, 1, 1.5])}"

    def field(self, kind, strength, falloff, direction=(0, 0), at=None):
        self.line("do", "0", "field", kind, *(at or self.near(300)), strength, falloff,
                  *direction)

    def direction(self, most):
        r = self.random
        return r.uniform(-most, most), r.uniform(-most, most)

    def linear(self):
        self.begin("field-linear")
        self.field("linear", self.random.uniform(-3, 3), self.random.choice([0, 0, 0.5, 1]),
                   self.direction(2))
        self.spin()

    def radial(self):
        self.begin("field-radial")
        self.field("radial", self.random.uniform(-9, 9), self.random.choice([2, 2, 1, 1.5]))
        self.spin()

    def spring_field(self):
        self.begin("field-spring", self.weight() if self.random.random() < 0.3 else None)
        self.field("spring", self.random.uniform(1, 30), self.random.choice([-1, -1, 0, -1.5]))
        self.spin()

    def electric(self):
        self.begin("field-electric")
        self.field("electric", self.random.uniform(-3, 3), self.random.choice([1, 2, 0]))
        self.spin()

    def vortex(self):
        self.begin("field-vortex")
        self.field("vortex", self.random.uniform(-3, 3), self.random.choice([0, 0, 1, -1]))
        self.spin()

    def drag(self):
        self.begin("field-drag", self.weight() if self.random.random() < 0.5 else None)
        self.field("drag", self.random.uniform(0, 2), self.random.choice([0, 0, 1]),
                   self.direction(6))
        self.spin()

    def several(self):
        """Fields upon fields, and joints that hold against them."""
        r = self.random
        self.begin("fields", self.weight() if r.random() < 0.5 else None)
        self.line("do", "0", "attach", *self.offset(), *self.near(), r.uniform(0, 150),
                  r.uniform(0.5, 4), r.uniform(0.1, 1))
        self.field("spring", r.uniform(1, 20), -1)
        self.field("drag", r.uniform(0, 1), 0, self.direction(3))
        self.field("vortex", r.uniform(-2, 2), 0)
        if r.random() < 0.5:
            self.line("do", "80", "field", "linear", *self.near(), 1, 0, *self.direction(5))

    def shoved(self):
        r = self.random
        self.begin("shove")
        self.line("do", "0", "shove", "always", r.uniform(-3, 3), r.uniform(-3, 3),
                  *self.offset())
        for step in sorted(r.sample(range(200), 3)):
            self.line("do", str(step), "shove", "once", r.uniform(-9, 9), r.uniform(-9, 9),
                      *self.offset())


KINDS = {
    FieldWriter.linear: 4, FieldWriter.radial: 5, FieldWriter.spring_field: 5,
    FieldWriter.electric: 4, FieldWriter.vortex: 5, FieldWriter.drag: 5,
    FieldWriter.several: 7, FieldWriter.shoved: 5,
}


def main():
    writer = FieldWriter(32)
    text = generate.scenes(writer, KINDS, World)
    Path(__file__).with_name("fields.txt").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
