/* The curves of animations: springs, and cubic Bézier curves from (0, 0) to (1, 1), as in CSS. */
#include "gestured.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { HALVINGS = 50 /* steps of bisection: a double has 53 bits, so more change nothing */ };

struct curve {
    const char *name;
    double x1, y1, x2, y2; /* its two control points */
};

static const struct curve *curve_named(const char *name) {
    static const struct curve curves[] = {
        {"ease-in", 0.42, 0, 1, 1},
        {"ease-out", 0, 0, 0.58, 1},
        {"ease-in-out", 0.42, 0, 0.58, 1},
        {"default", 0.25, 0.1, 0.25, 1},
    };
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        if (strcmp(curves[i].name, name) == 0) {
            return &curves[i];
        }
    }
    return NULL;
}

/* One coordinate of a curve at its parameter `s`, from that of its control points. */
static double coordinate(double s, double first, double second) {
    double rest = 1 - s;
    return 3 * rest * s * (rest * first + s * second) + s * s * s;
}

double gestured_curve(const char *name, double x) {
    if (!(x > 0)) { /* also where it is not a number */
        return 0;
    }
    if (x >= 1) {
        return 1;
    }
    const struct curve *curve = curve_named(name);
    if (curve == NULL) {
        return x;
    }
    /* Finds the parameter where the curve reaches `x`, which grows with it. */
    double low = 0;
    double high = 1;
    double s = 0.5;
    for (int i = 0; i < HALVINGS; i++) {
        if (coordinate(s, curve->x1, curve->x2) < x) {
            low = s;
        } else {
            high = s;
        }
        s = (low + high) / 2;
    }
    return coordinate(s, curve->y1, curve->y2);
}

double gestured_spring(double stiffness, double damping, double velocity, double seconds) {
    if (!(seconds > 0)) {
        return 0;
    }
    double half = damping / 2;
    double square = half * half - stiffness;
    double root = sqrt(fabs(square));
    double push = velocity - half;
    if (root * seconds < 1e-6) { /* critical: the others divide by nothing */
        return 1 - (1 - push * seconds) * exp(-half * seconds);
    }
    if (square < 0) {
        double angle = root * seconds;
        return 1 - (cos(angle) - push / root * sin(angle)) * exp(-half * seconds);
    }
    double slow = exp((root - half) * seconds);
    double quick = exp((-root - half) * seconds);
    return 1 - ((slow + quick) / 2 - push / root * (slow - quick) / 2);
}

double gestured_progress(gestured_span curve, double seconds, double duration) {
    enum { NAME_BYTES = 16 /* room for the longest name */ };
    char name[NAME_BYTES];
    double stiffness, damping, velocity;
    if (seconds >= duration) {
        return 1;
    }
    if (gestured_number(gestured_find(curve, "spring.0"), &stiffness) &&
        gestured_number(gestured_find(curve, "spring.1"), &damping) &&
        gestured_number(gestured_find(curve, "spring.2"), &velocity)) {
        return gestured_spring(stiffness, damping, velocity, seconds);
    }
    double share = seconds / duration;
    return gestured_curve(gestured_text(curve, name, sizeof name) < 0 ? "linear" : name, share);
}
