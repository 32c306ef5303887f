/* The part of gestured.h that needs no socket: JSON, drawing, touching, curves. */
#include "gestured.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef gestured_span span;
static const span nothing = {NULL, 0};

static int in(char one, const char *set) { return one && strchr(set, one); }

static const char *space(const char *p, const char *end) {
    while (p < end && in(*p, " \t\r\n")) p++;
    return p;
}

/* The end of the value at p, or NULL. Texts and brackets match; `gestured_each` judges the rest. */
static const char *skip(const char *p, const char *end) {
    char open[GESTURED_DEPTH];
    int depth = 0;
    do {
        const char *start = p;
        if (p == end || (in(*p, "{[") && depth == GESTURED_DEPTH)) return NULL;
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++)
                if (*p == '\\' && ++p == end) return NULL;
            if (p++ == end) return NULL;
        } else if (in(*p, "{[")) {
            open[depth++] = *p++;
        } else if (in(*p, "}]")) {
            if (!depth || open[--depth] + 2 != *p++) return NULL; /* In ASCII they stand so. */
        } else if (depth && in(*p, ",: \t\r\n")) {
            p++;
        } else {
            while (p < end && in(*p, "+-.0123456789Eaeflnrstu")) p++;
            if (p == start) return NULL;
        }
    } while (depth);
    return p;
}

span gestured_json(const char *text, size_t size) {
    const char *end = text ? text + size : text, *p = text ? space(text, end) : text;
    const char *behind = text ? skip(p, end) : NULL;
    return behind && space(behind, end) == end ? (span){p, (size_t)(behind - p)} : nothing;
}

int gestured_each(span whole, span *key, span *value) {
    const char *p = whole.at, *end = p ? p + whole.size : p, *behind;
    *key = nothing;
    if (!p || p == end || !in(*p, "{[")) return 0;
    if (value->at) p = space(value->at + value->size, end);
    if (p == end || (value->at && *p != ',')) return 0;
    p = space(p + 1, end);
    if (*whole.at == '{') {
        if (p == end || *p != '"' || !(behind = skip(p, end))) return 0;
        *key = (span){p, (size_t)(behind - p)};
        if ((p = space(behind, end)) == end || *p != ':') return 0;
        p = space(p + 1, end);
    }
    if (!(behind = skip(p, end))) return 0;
    *value = (span){p, (size_t)(behind - p)};
    return 1;
}

static long hex(const char *p, const char *end) { /* Four digits, or -1. */
    char text[5] = "";
    memcpy(text, p, end - p < 4 ? 0 : 4);
    return strspn(text, "0123456789abcdefABCDEF") == 4 ? strtol(text, NULL, 16) : -1;
}

int gestured_text(span value, char *text, size_t room) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    static const int lead[] = {0, 0xC0, 0xE0, 0xF0};
    size_t n = 0;
    if (!value.at || value.size < 2 || *value.at != '"' || value.size > room) return -1;
    for (const char *p = value.at + 1, *end = value.at + value.size - 1; p < end;) {
        if (*p != '\\') { text[n++] = *p++; continue; }
        if (++p < end && in(*p, from)) { text[n++] = to[strchr(from, *p++) - from]; continue; }
        long low, code = p < end && *p == 'u' ? hex(p + 1, end) : -1;
        if (code < 0) return -1;
        p += 5;
        if (code >> 10 == 0x36 && end - p > 5 && !memcmp(p, "\\u", 2) &&
            (low = hex(p + 2, end)) >> 10 == 0x37)
            code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF), p += 6;
        if (code >> 11 == 0x1B) code = 0xFFFD;
        int tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        for (text[n++] = (char)(lead[tail] | code >> 6 * tail); tail--;)
            text[n++] = (char)(0x80 | (code >> 6 * tail & 0x3F));
    }
    text[n] = 0;
    return (int)n;
}

int gestured_number(span value, double *number) {
    char text[GESTURED_NUMBER_BYTES + 1] = "", *point, *end;
    if (!value.at || value.size >= sizeof text || !in(*value.at, "-0123456789")) return 0;
    memcpy(text, value.at, value.size);
    if (strspn(text, "+-.0123456789eE") != value.size) return 0;
    if ((point = strchr(text, '.'))) *point = *localeconv()->decimal_point;
    *number = strtod(text, &end);
    return end == text + value.size && isfinite(*number);
}

static int same(span value, const char *text, size_t size) {
    return value.at && *value.at == '"' && value.size == size + 2 &&
        !memcmp(value.at + 1, text, size);
}

int gestured_is(span value, const char *text) { return same(value, text, strlen(text)); }

span gestured_member(span object, const char *name, size_t size) {
    span key, value = nothing, found = nothing;
    while (gestured_each(object, &key, &value)) if (same(key, name, size)) found = value;
    return found;
}

span gestured_find(span value, const char *path) {
    for (size_t size; value.at && *path; path += size + (path[size] == '.')) {
        span key, list = value;
        size = strcspn(path, ".");
        if (*value.at == '[' && size && strspn(path, "0123456789") == size) {
            unsigned long index = strtoul(path, NULL, 10);
            value = nothing;
            do if (!gestured_each(list, &key, &value)) return nothing; while (index--);
        } else value = gestured_member(value, path, size);
    }
    return value;
}

/* Drawing and touching. */

enum { NAME = 65 };
struct component {
    span id, kind, phase, parent, slot, views, items;
    double frame[4];
    int clips, is_painted;
};
struct view { span name; double x, y, w, h, rotation, scale, alpha, z; };
struct picture {
    struct component components[GESTURED_COMPONENTS];
    gestured_layer *layers;
    int count, room, painted;
    span hit[2]; /* Component and view of what the point has met last, so of the frontmost. */
};
/* Handed inwards: the coordinates of a slot, and the point in them. */
struct place { double matrix[6], alpha, x, y; int can_hit, depth; };

static double number(span object, const char *path, double otherwise) {
    gestured_number(gestured_find(object, path), &otherwise);
    return otherwise;
}

static int same_name(span a, span b) {
    return a.at && b.at && *a.at == '"' && a.size == b.size && !memcmp(a.at, b.at, a.size);
}

static void read_scene(struct picture *p, span scene, span states) {
    static const char *const sides[] = {"frame.0", "frame.1", "frame.2", "frame.3"};
    span key, one = nothing, list = gestured_find(scene, "components");
    while (p->count < GESTURED_COMPONENTS && gestured_each(list, &key, &one)) {
        struct component *c = &p->components[p->count];
        char id[NAME];
        int size = gestured_text(c->id = gestured_find(one, "id"), id, sizeof id);
        span state = size < 0 ? nothing : gestured_member(states, id, (size_t)size);
        if (!state.at) continue;
        c->kind = gestured_find(one, "kind"), c->phase = gestured_find(state, "phase");
        c->parent = gestured_find(one, "parent"), c->slot = gestured_find(one, "slot");
        c->views = gestured_find(state, "views"), c->items = gestured_find(one, "parameters.items");
        for (int i = 0; i < 4; i++) c->frame[i] = number(one, sides[i], 0);
        c->clips = gestured_find(one, "clip").at && *gestured_find(one, "clip").at == 't';
        p->count++;
    }
}

/* The views in the order of painting. */
static int read_views(const struct component *c, struct view *views) {
    span key, one = nothing;
    int n = 0;
    for (; n < GESTURED_VIEWS && gestured_each(c->views, &key, &one); n++) {
        struct view view = {
            key, number(one, "x", 0), number(one, "y", 0), number(one, "w", 0),
            number(one, "h", 0), number(one, "rotation", 0), number(one, "scale", 1),
            number(one, "alpha", 1), number(one, "z", 0)};
        int place = n;
        for (; place && views[place - 1].z > view.z; place--) views[place] = views[place - 1];
        views[place] = view;
    }
    return n;
}

static int stands_in(const struct component *c, const struct component *holder, span slot) {
    if (!holder) return !c->parent.at || *c->parent.at != '"';
    return same_name(c->parent, holder->id) && same_name(c->slot, slot);
}

static int is_circle(const struct component *c, span view) {
    span key, item = nothing;
    while (gestured_is(c->kind, "dynamics") && gestured_each(c->items, &key, &item))
        if (same_name(gestured_find(item, "id"), view))
            return gestured_is(gestured_find(item, "shape"), "circle");
    return 0;
}

/* Whether a finger can hit a view of this component itself. */
static int takes(const struct picture *p, const struct component *c, span view) {
    if (gestured_is(c->kind, "toss")) return gestured_is(view, "item");
    if (gestured_is(c->kind, "tips")) return gestured_is(view, "tip");
    if (!gestured_is(c->kind, "tabs")) return 1;
    for (int i = 0; i < p->count; i++)
        if (!strncmp(view.at, "\"page-", 6) && stands_in(&p->components[i], c, view)) return 1;
    return gestured_is(view, "bar") || !strncmp(view.at, "\"item-", 6);
}

static int is_in(double x, double y, double w, double h) {
    return x >= 0 && y >= 0 && x < w && y < h;
}

/* Behind all that it shows, a component takes its frame, or everything where it is modal. Returns
 * whether it keeps what it holds from being hit. */
static int touch_behind(struct picture *p, const struct component *c, int inside, int count) {
    int is_closed = gestured_is(c->kind, "navigation") && gestured_is(c->phase, "transitioning");
    int is_modal = gestured_is(c->kind, "tips") && count;
    int takes_frame = gestured_is(c->kind, "list") || gestured_is(c->kind, "profile") ||
        gestured_is(c->kind, "reader");
    if (is_closed || is_modal || (takes_frame && inside))
        p->hit[0] = c->id, p->hit[1] = is_modal ? (span){"\"backdrop\"", 10} : nothing;
    return is_closed;
}

/* Paints what a slot holds, and notes what of it lies at the point. */
static void walk(
    struct picture *p, const struct component *holder, span slot, const struct place *at) {
    struct view views[GESTURED_VIEWS];
    for (int i = 0; i < p->count && at->depth <= GESTURED_NESTING; i++) {
        struct component *c = &p->components[i];
        if (c->is_painted || !stands_in(c, holder, slot)) continue;
        c->is_painted = 1; /* A slot that is there twice would make endless work. */
        double left = at->x - c->frame[0], top = at->y - c->frame[1];
        int inside = is_in(left, top, c->frame[2], c->frame[3]), count = read_views(c, views);
        int can_hit = at->can_hit && (inside || !c->clips);
        int is_closed = can_hit && touch_behind(p, c, inside, count);
        for (int j = 0; j < count; j++) {
            const struct view *v = &views[j];
            int is_there = fabs(v->scale) > 1e-9, is_round = is_circle(c, v->name);
            const double *m = at->matrix, cosine = cos(v->rotation), sine = sin(v->rotation);
            double into = is_there ? 1 / v->scale : 0;
            double kc = v->scale * cosine, ks = v->scale * sine, dx = left - v->x, dy = top - v->y;
            double x = c->frame[0] + v->x - (kc * v->w - ks * v->h) / 2;
            double y = c->frame[1] + v->y - (ks * v->w + kc * v->h) / 2;
            struct place in = {
                {m[0] * kc + m[2] * ks, m[1] * kc + m[3] * ks, m[2] * kc - m[0] * ks,
                 m[3] * kc - m[1] * ks, m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]},
                at->alpha * v->alpha, (cosine * dx + sine * dy) * into + v->w / 2,
                (cosine * dy - sine * dx) * into + v->h / 2, can_hit && !is_closed && is_there,
                at->depth + 1};
            gestured_layer layer = {c->id, v->name, {0}, v->w, v->h, in.alpha, is_round};
            memcpy(layer.matrix, in.matrix, sizeof layer.matrix);
            if (p->painted < p->room) p->layers[p->painted] = layer;
            p->painted++;
            if (can_hit && is_there && takes(p, c, v->name) &&
                (is_round ? hypot(in.x - v->w / 2, in.y - v->h / 2) <= v->w / 2
                          : is_in(in.x, in.y, v->w, v->h)))
                p->hit[0] = c->id, p->hit[1] = v->name;
            walk(p, c, v->name, &in);
        }
    }
}

int gestured_layers(span scene, span states, gestured_layer *layers, int room) {
    struct picture p = {.layers = layers, .room = room};
    read_scene(&p, scene, states);
    walk(&p, NULL, nothing, &(struct place){{1, 0, 0, 1, 0, 0}, 1, 0, 0, 0, 0});
    return p.painted;
}

int gestured_hit(span scene, span states, double x, double y, span *component, span *view) {
    struct picture p = {.room = 0};
    read_scene(&p, scene, states);
    walk(&p, NULL, nothing, &(struct place){{1, 0, 0, 1, 0, 0}, 1, x, y, 1, 0});
    *component = p.hit[0], *view = p.hit[1];
    return p.hit[0].at != NULL;
}

double gestured_curve(const char *name, double x) {
    static const struct { const char *name; double x1, y1, x2, y2; } curves[] = {
        {"ease-in", 0.42, 0, 1, 1}, {"ease-out", 0, 0, 0.58, 1}, {"ease-in-out", 0.42, 0, 0.58, 1},
        {"default", 0.25, 0.1, 0.25, 1}};
    double low = 0, high = 1;
    if (!(x > 0) || x >= 1) return x >= 1;
    for (int i = 0; i < 4; i++) {
        double s = 0.5, r = 0.5;
        if (strcmp(curves[i].name, name)) continue;
        for (int j = 0; j < 50; j++, s = (low + high) / 2, r = 1 - s) {
            double reached = 3 * r * s * (r * curves[i].x1 + s * curves[i].x2) + s * s * s;
            if (reached < x) low = s; else high = s;
        }
        return 3 * r * s * (r * curves[i].y1 + s * curves[i].y2) + s * s * s;
    }
    return x;
}
