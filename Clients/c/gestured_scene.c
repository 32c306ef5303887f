/* Scenes: what to paint where, what a finger touches, and the curves of animations. */
#include "gestured.h"

#include <math.h>
#include <string.h>

enum { NAME_ROOM = 65 /* bytes of a component's id, 64 at most, and a zero */ };

static const double SMALLEST_SCALE = 1e-9; /* A smaller view has no inside to touch. */

static const gestured_span nothing = {NULL, 0};

struct component {
    gestured_span id, kind, phase;
    gestured_span parent, slot; /* it stands in this view of that component */
    gestured_span views, items;
    double frame[4]; /* x, y, width and height in the coordinates of its slot */
    int clips;       /* what is outside of its frame cannot be touched */
    int is_painted;
};

struct view {
    gestured_span name;
    double x, y; /* its center in its component's frame */
    double w, h, rotation, scale, alpha, z;
};

struct picture {
    struct component components[GESTURED_COMPONENTS];
    int count;
    gestured_layer *layers;
    int room;    /* of `layers` */
    int painted; /* views, also those that found no room */
    /* The point has met these last. Painting goes from the rear to the front, so in the end they
     * are the frontmost. */
    gestured_span hit_component, hit_view;
};

/* The coordinates of a slot, as seen from the viewport. */
struct place {
    double matrix[6]; /* from its coordinates to the viewport's, as in `gestured_layer` */
    double alpha;
    double x, y; /* the touched point in its coordinates */
    int can_hit; /* whether the point may touch what is here */
    int depth;   /* how many views hold it */
};

/* Reading a scene and its states. */

static double number_at(gestured_span object, const char *path, double otherwise) {
    double number = otherwise;
    gestured_number(gestured_find(object, path), &number);
    return number;
}

static int is_true(gestured_span value) {
    return value.at != NULL && *value.at == 't';
}

/* Whether two values are the same string. */
static int is_same_name(gestured_span a, gestured_span b) {
    return a.at != NULL && b.at != NULL && *a.at == '"' && a.size == b.size &&
        memcmp(a.at, b.at, a.size) == 0;
}

/* The state of a component, or nothing. */
static gestured_span state_of(gestured_span states, gestured_span id) {
    char name[NAME_ROOM];
    int size = gestured_text(id, name, sizeof name);
    if (size < 0) {
        return nothing;
    }
    return gestured_member(states, name, (size_t)size);
}

static void read_component(
    struct component *component, gestured_span definition, gestured_span state) {
    static const char *const sides[] = {"frame.0", "frame.1", "frame.2", "frame.3"};
    component->id = gestured_find(definition, "id");
    component->kind = gestured_find(definition, "kind");
    component->phase = gestured_find(state, "phase");
    component->parent = gestured_find(definition, "parent");
    component->slot = gestured_find(definition, "slot");
    component->views = gestured_find(state, "views");
    component->items = gestured_find(definition, "parameters.items");
    for (int i = 0; i < 4; i++) {
        component->frame[i] = number_at(definition, sides[i], 0);
    }
    component->clips = is_true(gestured_find(definition, "clip"));
    component->is_painted = 0;
}

/* Reads the components that have a state; others are not on the screen. */
static void read_scene(struct picture *picture, gestured_span scene, gestured_span states) {
    gestured_span list = gestured_find(scene, "components");
    gestured_span key;
    gestured_span definition = nothing;
    while (picture->count < GESTURED_COMPONENTS && gestured_each(list, &key, &definition)) {
        gestured_span state = state_of(states, gestured_find(definition, "id"));
        if (state.at == NULL) {
            continue;
        }
        read_component(&picture->components[picture->count], definition, state);
        picture->count++;
    }
}

static struct view read_view(gestured_span name, gestured_span state) {
    struct view view;
    view.name = name;
    view.x = number_at(state, "x", 0);
    view.y = number_at(state, "y", 0);
    view.w = number_at(state, "w", 0);
    view.h = number_at(state, "h", 0);
    view.rotation = number_at(state, "rotation", 0);
    view.scale = number_at(state, "scale", 1);
    view.alpha = number_at(state, "alpha", 1);
    view.z = number_at(state, "z", 0);
    return view;
}

/* Reads the views of a component in the order of painting: by `z`, those of the same `z` as they
 * are listed. Returns how many. */
static int read_views(const struct component *component, struct view *views) {
    gestured_span name;
    gestured_span state = nothing;
    int count = 0;
    while (count < GESTURED_VIEWS && gestured_each(component->views, &name, &state)) {
        struct view view = read_view(name, state);
        int position = count;
        while (position > 0 && views[position - 1].z > view.z) {
            views[position] = views[position - 1];
            position--;
        }
        views[position] = view;
        count++;
    }
    return count;
}

/* Whether a component stands in a slot of another one, or, without a holder, in the scene. */
static int stands_in(
    const struct component *component, const struct component *holder, gestured_span slot) {
    if (holder == NULL) {
        return component->parent.at == NULL || *component->parent.at != '"';
    }
    return is_same_name(component->parent, holder->id) && is_same_name(component->slot, slot);
}

/* Touching. */

/* Whether a view is a circle, as items of dynamics may be. */
static int is_circle(const struct component *component, gestured_span view) {
    if (!gestured_is(component->kind, "dynamics")) {
        return 0;
    }
    gestured_span key;
    gestured_span item = nothing;
    while (gestured_each(component->items, &key, &item)) {
        if (is_same_name(gestured_find(item, "id"), view)) {
            return gestured_is(gestured_find(item, "shape"), "circle");
        }
    }
    return 0;
}

/* Whether the name of a view begins so. A view has no name where the state lists its views. */
static int name_begins_with(gestured_span view, const char *prefix) {
    size_t size = strlen(prefix);
    return view.at != NULL && view.size > size && memcmp(view.at + 1, prefix, size) == 0;
}

/* Whether something stands in a view of a component. */
static int holds_something(
    const struct picture *picture, const struct component *component, gestured_span view) {
    for (int i = 0; i < picture->count; i++) {
        if (stands_in(&picture->components[i], component, view)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a finger can touch a view of this component itself, beside what stands in it. */
static int is_touchable(
    const struct picture *picture, const struct component *component, gestured_span view,
    double alpha) {
    if (gestured_is(component->kind, "toss")) {
        return gestured_is(view, "item");
    }
    if (gestured_is(component->kind, "tips")) {
        return gestured_is(view, "tip");
    }
    if (gestured_is(component->kind, "label")) {
        return 0;
    }
    if (gestured_is(component->kind, "panel")) {
        return gestured_is(view, "backdrop") ? alpha >= 0.01 : !gestured_is(view, "content");
    }
    if (gestured_is(component->kind, "tabs")) {
        if (name_begins_with(view, "page-")) {
            return holds_something(picture, component, view);
        }
        return gestured_is(view, "bar") || name_begins_with(view, "item-");
    }
    return 1;
}

static int is_in_box(double x, double y, double w, double h) {
    return x >= 0 && y >= 0 && x < w && y < h;
}

static int is_in_view(const struct view *view, int is_round, double x, double y) {
    if (is_round) {
        double radius = view->w / 2;
        return hypot(x - view->w / 2, y - view->h / 2) <= radius;
    }
    return is_in_box(x, y, view->w, view->h);
}

/* Whether nothing in a component can be touched: while navigation changes its screens. */
static int is_closed_to_touches(const struct component *component) {
    return gestured_is(component->kind, "navigation") &&
        gestured_is(component->phase, "transitioning");
}

/* Behind all its views, a component itself may take the touch: anywhere while it is modal or
 * closed to touches, or in its frame where its kind scrolls. */
static void touch_component(
    struct picture *picture, const struct component *component, int is_inside, int view_count) {
    static const gestured_span backdrop = {"\"backdrop\"", sizeof "\"backdrop\"" - 1};
    int is_modal = gestured_is(component->kind, "tips") && view_count > 0;
    int takes_its_frame = gestured_is(component->kind, "list") ||
        gestured_is(component->kind, "profile") || gestured_is(component->kind, "reader");
    if (is_closed_to_touches(component) || is_modal || (takes_its_frame && is_inside)) {
        picture->hit_component = component->id;
        picture->hit_view = is_modal ? backdrop : nothing;
    }
}

/* Painting. */

static int has_inside(const struct view *view) {
    return fabs(view->scale) > SMALLEST_SCALE;
}

/* The coordinates of a view, from (0, 0) to (w, h), in those of its component's slot. A view is
 * turned and scaled about its center. */
static struct place place_of_view(
    const struct place *slot, const struct component *component, const struct view *view) {
    const double *m = slot->matrix;
    const double *frame = component->frame;
    double cosine = cos(view->rotation);
    double sine = sin(view->rotation);
    double scaled_cosine = view->scale * cosine;
    double scaled_sine = view->scale * sine;
    /* Where the view's corner (0, 0) is in the slot. */
    double x = frame[0] + view->x - (scaled_cosine * view->w - scaled_sine * view->h) / 2;
    double y = frame[1] + view->y - (scaled_sine * view->w + scaled_cosine * view->h) / 2;
    struct place place;
    place.matrix[0] = m[0] * scaled_cosine + m[2] * scaled_sine;
    place.matrix[1] = m[1] * scaled_cosine + m[3] * scaled_sine;
    place.matrix[2] = m[2] * scaled_cosine - m[0] * scaled_sine;
    place.matrix[3] = m[3] * scaled_cosine - m[1] * scaled_sine;
    place.matrix[4] = m[0] * x + m[2] * y + m[4];
    place.matrix[5] = m[1] * x + m[3] * y + m[5];
    place.alpha = slot->alpha * view->alpha;
    /* The point goes the other way: from the center, turned back and scaled back. */
    double dx = slot->x - frame[0] - view->x;
    double dy = slot->y - frame[1] - view->y;
    double scale_back = has_inside(view) ? 1 / view->scale : 0;
    place.x = (cosine * dx + sine * dy) * scale_back + view->w / 2;
    place.y = (cosine * dy - sine * dx) * scale_back + view->h / 2;
    place.can_hit = slot->can_hit && has_inside(view);
    place.depth = slot->depth + 1;
    return place;
}

static void paint_view(
    struct picture *picture, const struct component *component, const struct view *view,
    const struct place *place, int is_round) {
    if (picture->painted < picture->room) {
        gestured_layer *layer = &picture->layers[picture->painted];
        layer->component = component->id;
        layer->view = view->name;
        memcpy(layer->matrix, place->matrix, sizeof layer->matrix);
        layer->w = view->w;
        layer->h = view->h;
        layer->alpha = place->alpha;
        layer->round = is_round;
    }
    picture->painted++;
}

static void paint_slot(
    struct picture *picture, const struct component *holder, gestured_span slot,
    const struct place *place);

/* Paints the views of a component, each with what stands in it, and notes what of it lies at the
 * point. */
static void paint_component(
    struct picture *picture, const struct component *component, const struct place *slot) {
    struct view views[GESTURED_VIEWS];
    int view_count = read_views(component, views);
    const double *frame = component->frame;
    int is_inside = is_in_box(slot->x - frame[0], slot->y - frame[1], frame[2], frame[3]);
    struct place reachable = *slot;
    reachable.can_hit = slot->can_hit && (is_inside || !component->clips);
    if (reachable.can_hit) {
        touch_component(picture, component, is_inside, view_count);
    }
    for (int i = 0; i < view_count; i++) {
        const struct view *view = &views[i];
        struct place place = place_of_view(&reachable, component, view);
        int is_round = is_circle(component, view->name);
        paint_view(picture, component, view, &place, is_round);
        if (place.can_hit && is_touchable(picture, component, view->name, view->alpha) &&
            is_in_view(view, is_round, place.x, place.y)) {
            picture->hit_component = component->id;
            picture->hit_view = view->name;
        }
        if (is_closed_to_touches(component)) {
            place.can_hit = 0;
        }
        paint_slot(picture, component, view->name, &place);
    }
}

/* Paints what stands in a slot of a component, or, without a holder, in the scene. */
static void paint_slot(
    struct picture *picture, const struct component *holder, gestured_span slot,
    const struct place *place) {
    if (place->depth > GESTURED_NESTING) {
        return;
    }
    for (int i = 0; i < picture->count; i++) {
        struct component *component = &picture->components[i];
        /* Each is painted once: a slot that is named twice would make endless work. */
        if (!component->is_painted && stands_in(component, holder, slot)) {
            component->is_painted = 1;
            paint_component(picture, component, place);
        }
    }
}

static const struct place viewport = {
    .matrix = {1, 0, 0, 1, 0, 0}, .alpha = 1, .x = 0, .y = 0, .can_hit = 0, .depth = 0};

int gestured_layers(
    gestured_span scene, gestured_span states, gestured_layer *layers, int room) {
    struct picture picture = {.layers = layers, .room = room};
    read_scene(&picture, scene, states);
    paint_slot(&picture, NULL, nothing, &viewport);
    return picture.painted;
}

int gestured_hit(
    gestured_span scene, gestured_span states, double x, double y,
    gestured_span *component, gestured_span *view) {
    struct picture picture = {.layers = NULL, .room = 0};
    struct place touched = viewport;
    touched.x = x;
    touched.y = y;
    touched.can_hit = 1;
    read_scene(&picture, scene, states);
    paint_slot(&picture, NULL, nothing, &touched);
    *component = picture.hit_component;
    *view = picture.hit_view;
    return picture.hit_component.at != NULL;
}
