// The scenes of Benchmarks/Worlds in Box2D 2.4, one b2World each, as its manual recommends:
// 100 points are a metre, y points down, one static body holds everything fixed.
//
//   box2d SCENE SECONDS    steps scenes for this time; prints one line of JSON, as `worlds` does.

#include <box2d/box2d.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "Measure/include/measure.h"

namespace {

constexpr float timeStep = 1.0f / 120;
constexpr int velocityIterations = 8;
constexpr int positionIterations = 3;
// Worlds built at a time: few enough to stay in the processor's caches.
constexpr size_t batch = 8;
// Worlds whose bytes are counted together.
constexpr size_t counted = 200;

b2Vec2 metres(float x, float y) { return {x / 100, y / 100}; }

class Scene {
public:
    virtual ~Scene() = default;

    void step(int number) {
        before(number);
        world.Step(timeStep, velocityIterations, positionIterations);
    }

    const b2Body &last() const { return *bodies.back(); }

    bool isAwake() const {
        for (const b2Body *body : bodies)
            if (!body->IsAwake()) return false;
        return true;
    }

protected:
    explicit Scene(b2Vec2 gravity) : world(gravity) {}

    virtual void before(int) {}

    b2Body *fixed(b2Vec2 place) {
        b2BodyDef definition;
        definition.position = place;
        return world.CreateBody(&definition);
    }

    b2Body *box(b2Vec2 place, b2Vec2 half, float angle) {
        b2BodyDef definition;
        definition.type = b2_dynamicBody;
        definition.position = place;
        definition.angle = angle;
        definition.linearDamping = 0.1f;
        definition.angularDamping = 0.1f;
        b2PolygonShape shape;
        shape.SetAsBox(half.x, half.y);
        b2FixtureDef fixture;
        fixture.shape = &shape;
        fixture.density = 1;
        fixture.friction = 0.2f;
        fixture.restitution = 0.2f;
        b2Body *body = world.CreateBody(&definition);
        body->CreateFixture(&fixture);
        bodies.push_back(body);
        return body;
    }

    // Four soft distance joints at two opposite corners.
    void snap(b2Body *body, b2Vec2 half, b2Vec2 point) {
        const float arm = 0.5f;
        b2Body *ground = fixed(point);
        const b2Vec2 pairs[][2] = {
            {{-half.x - arm, -half.y}, {-half.x, -half.y}},
            {{-half.x, -half.y - arm}, {-half.x, -half.y}},
            {{half.x + arm, half.y}, {half.x, half.y}},
            {{half.x, half.y + arm}, {half.x, half.y}}};
        for (const auto &pair : pairs) {
            b2DistanceJointDef joint;
            joint.bodyA = ground;
            joint.bodyB = body;
            joint.localAnchorA = pair[0];
            joint.localAnchorB = pair[1];
            joint.length = arm;
            b2LinearStiffness(joint.stiffness, joint.damping, 4, 0.5f, ground, body);
            world.CreateJoint(&joint);
        }
    }

    b2World world;
    std::vector<b2Body *> bodies;
};

class Snap : public Scene {
public:
    static constexpr int steps = 60;

    Snap() : Scene({0, 0}) {
        const b2Vec2 half = metres(150, 200);
        snap(box(metres(660, 784), half, b2_pi / 2), half, metres(160, 284));
    }
};

class Tip : public Scene {
public:
    static constexpr int steps = 60;

    Tip() : Scene({0, 0}), finger(fixed(metres(720, 864))) {
        const b2Vec2 half = metres(150, 200);
        b2Body *tip = box(metres(660, 784), half, b2_pi / 2);
        b2RevoluteJointDef pin;
        pin.bodyA = fixed(metres(160, 784));
        pin.bodyB = tip;
        pin.localAnchorB = metres(0, 500);
        world.CreateJoint(&pin);
        snap(tip, half, metres(160, 284));
        b2DistanceJointDef rod;
        rod.Initialize(finger, tip, finger->GetPosition(), tip->GetPosition());
        rod.minLength = rod.maxLength = rod.length;
        world.CreateJoint(&rod);
    }

protected:
    void before(int number) override {
        if (number % 2 == 0)
            finger->SetTransform(
                metres(720 - 5 * static_cast<float>(number), 864 - 4 * static_cast<float>(number)),
                0);
    }

private:
    b2Body *finger;
};

class Stack : public Scene {
public:
    static constexpr int steps = 180;

    Stack() : Scene({0, 10}) {
        b2EdgeShape floor;
        floor.SetTwoSided(metres(0, 1500), metres(600, 1500));
        b2FixtureDef fixture;
        fixture.shape = &floor;
        fixture.friction = 0.2f;
        fixture.restitution = 0.2f;
        fixed(metres(0, 0))->CreateFixture(&fixture);
        // Shifts boxes aside in turns, so that they do not fall as one column.
        for (int index = 0; index < 10; ++index)
            box(metres(300 + (index % 2 ? 5.0f : -5.0f), 1400 - 120 * static_cast<float>(index)),
                metres(50, 50), 0);
    }
};

template <typename Kind> using Scenes = std::vector<std::unique_ptr<Kind>>;

template <typename Kind> Scenes<Kind> build(size_t count) {
    Scenes<Kind> scenes;
    scenes.reserve(count);
    for (size_t index = 0; index < count; ++index) scenes.push_back(std::make_unique<Kind>());
    return scenes;
}

template <typename Kind> void play(const Scenes<Kind> &scenes) {
    for (const auto &scene : scenes)
        for (int number = 0; number < Kind::steps; ++number) scene->step(number);
}

template <typename Kind> int measure(double seconds) {
    const size_t before = measure_heap_bytes();
    auto many = build<Kind>(counted);
    play(many);
    const double bytes = static_cast<double>(measure_heap_bytes() - before) / counted;
    many.clear();

    double elapsed = 0;
    long rounds = 0;
    Scenes<Kind> scenes;
    for (; elapsed < seconds * 1e9; ++rounds) {
        scenes = build<Kind>(batch);
        const double start = measure_nanoseconds();
        play(scenes);
        elapsed += measure_nanoseconds() - start;
    }
    const Kind &scene = *scenes.front();
    const double each = elapsed / (static_cast<double>(rounds) * batch * Kind::steps);
    const b2Vec2 place = scene.last().GetPosition();
    std::printf(
        "{\"ns\":%.2f,\"bytes\":%.0f,\"x\":%.3f,\"y\":%.3f,\"rotation\":%.4f,\"awake\":%s}\n", each,
        bytes, static_cast<double>(place.x) * 100, static_cast<double>(place.y) * 100,
        static_cast<double>(scene.last().GetAngle()), scene.isAwake() ? "true" : "false");
    return 0;
}

}  // namespace

int main(int count, char **arguments) {
    const std::string scene = count > 2 ? arguments[1] : "";
    const double seconds = count > 2 ? std::atof(arguments[2]) : 0;
    if (scene == "snap") return measure<Snap>(seconds);
    if (scene == "tip") return measure<Tip>(seconds);
    if (scene == "stack") return measure<Stack>(seconds);
    std::fprintf(stderr, "usage: box2d snap|tip|stack SECONDS\n");
    return 2;
}
