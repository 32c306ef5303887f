/* The adapter of the C client to the conformance suite: README.md in the folder above. */
#include "gestured.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef gestured_span span;
enum { LINE_BYTES = 1 << 20, LAYERS = 4096, LOOK_MILLISECONDS = 50, TEXT_BYTES = 256 };
static char line[LINE_BYTES], copy[LINE_BYTES];
static gestured_layer layers[LAYERS];
static char places[3][TEXT_BYTES];
static gestured_keys keys;
static int has_keys;
static int timeout;
static gestured *client, *watcher;
/* The watch goes on in a thread, with a client of its own. */
static pthread_t watching;
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;
static int is_watching;

static void text(span object, const char *path, char *out) {
    if (gestured_text(gestured_find(object, path), out, TEXT_BYTES) < 0) *out = 0;
}

static double number(span object, const char *path) {
    double value = 0;
    gestured_number(gestured_find(object, path), &value);
    return value;
}

/* The text of a part of the line, which ends in a zero byte. */
static const char *part(span object, const char *path, const char *otherwise) {
    span value = gestured_find(object, path);
    if (!value.at) return otherwise;
    memcpy(copy, value.at, value.size);
    copy[value.size] = 0;
    return copy;
}

static void say_failed(const char *code, const char *message) {
    printf("{\"failed\":{\"code\":\"%s\",\"message\":\"", code);
    for (; *message; message++) putchar(strchr("\"\\\n", *message) ? '\'' : *message);
    printf("\"}}\n");
}

static void answer(int status, span reply) {
    pthread_mutex_lock(&output);
    if (status == GESTURED_OK)
        printf("{\"done\":%.*s}\n", reply.at ? (int)reply.size : 2, reply.at ? reply.at : "{}");
    else
        say_failed(gestured_code(client), gestured_error(client));
    fflush(stdout);
    pthread_mutex_unlock(&output);
}

static void *give_updates(void *nothing) {
    span topic, body;
    for (int goes_on = 1; goes_on;) {
        int is_new = gestured_next(watcher, &topic, &body, LOOK_MILLISECONDS) == 1;
        pthread_mutex_lock(&output);
        if (is_new && is_watching) {
            printf("{\"yield\":{\"topic\":\"%.*s\",\"body\":%.*s}}\n", (int)topic.size, topic.at,
                   (int)body.size, body.at);
            fflush(stdout);
        }
        goes_on = is_watching;
        pthread_mutex_unlock(&output);
    }
    return nothing;
}

static void end_watch(void) {
    if (!watcher) return;
    pthread_mutex_lock(&output);
    is_watching = 0;
    pthread_mutex_unlock(&output);
    pthread_join(watching, NULL);
    gestured_close(watcher);
    watcher = NULL;
}

static int take_keys(span order) {
    char key[TEXT_BYTES], server_key[TEXT_BYTES];
    text(order, "key", key);
    text(order, "server_key", server_key);
    has_keys = *key != 0;
    return has_keys ? gestured_load_keys(&keys, key, *server_key ? server_key : NULL) : 0;
}

static gestured *open_client(void) {
    return gestured_connect_with_keys(
        places[0], places[1], places[2], timeout, has_keys ? &keys : NULL);
}

static void connect_client(span order) {
    text(order, "events", places[0]);
    text(order, "updates", places[1]);
    text(order, "control", places[2]);
    /* The suite's timeout is that of one try. */
    timeout = (int)(number(order, "timeout") * 1000) * GESTURED_TRIES;
    end_watch();
    gestured_close(client);
    client = take_keys(order) ? NULL : open_client();
    if (client) printf("{\"connected\":true}\n");
    else say_failed("-", gestured_error(NULL));
}

static void watch(span order) {
    char prefix[TEXT_BYTES];
    span key, value = {NULL, 0};
    watcher = open_client();
    while (gestured_each(gestured_find(order, "prefixes"), &key, &value)) {
        gestured_text(value, prefix, sizeof prefix);
        gestured_watch(watcher, prefix);
    }
    printf("{\"watching\":true}\n");
    fflush(stdout);
    is_watching = 1;
    pthread_create(&watching, NULL, give_updates, NULL);
}

static void publish(span order) {
    char topic[TEXT_BYTES];
    span reply = {NULL, 0}, ack = gestured_find(order, "ack");
    text(order, "topic", topic);
    const char *body = part(order, "body", "{}");
    int status = ack.at && *ack.at == 't' ? gestured_acknowledged(client, topic, body, &reply)
                                          : gestured_publish(client, topic, body);
    answer(status, reply);
}

static void request(span order) {
    char op[TEXT_BYTES];
    span reply = {NULL, 0};
    text(order, "op", op);
    int status = gestured_request(client, op, part(order, "fields", "{}"), &reply);
    answer(status, reply);
}

static void draw(span order) {
    int count = gestured_layers(
        gestured_find(order, "scene"), gestured_find(order, "states"), layers, LAYERS);
    pthread_mutex_lock(&output);
    printf("{\"layers\":[");
    for (int i = 0; i < count && i < LAYERS; i++) {
        const gestured_layer *l = &layers[i];
        printf("%s{\"component\":%.*s,\"view\":%.*s,\"matrix\":[", i ? "," : "",
               (int)l->component.size, l->component.at, (int)l->view.size, l->view.at);
        for (int j = 0; j < 6; j++) printf("%s%.17g", j ? "," : "", l->matrix[j]);
        printf("],\"w\":%.17g,\"h\":%.17g,\"alpha\":%.17g,\"round\":%s}", l->w, l->h, l->alpha,
               l->round ? "true" : "false");
    }
    printf("]}\n");
    pthread_mutex_unlock(&output);
}

static void hit(span order) {
    span component, view;
    if (!gestured_hit(gestured_find(order, "scene"), gestured_find(order, "states"),
                      number(order, "x"), number(order, "y"), &component, &view)) {
        printf("{\"hit\":null}\n");
        return;
    }
    printf("{\"hit\":{\"component\":%.*s,\"view\":%.*s}}\n", (int)component.size, component.at,
           view.at ? (int)view.size : 4, view.at ? view.at : "null");
}

static void curve(span order) {
    char name[TEXT_BYTES];
    span curve = gestured_find(order, "curve");
    if (curve.at) {
        double y = gestured_progress(curve, number(order, "seconds"), number(order, "duration"));
        printf("{\"y\":%.17g}\n", y);
        return;
    }
    text(order, "name", name);
    printf("{\"y\":%.17g}\n", gestured_curve(name, number(order, "x")));
}

static void obey(span order) {
    static const struct { const char *word; void (*run)(span); } words[] = {
        {"connect", connect_client}, {"watch", watch}, {"publish", publish}, {"request", request},
        {"layers", draw}, {"hit", hit}, {"curve", curve}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (gestured_is(gestured_find(order, "do"), words[i].word)) words[i].run(order);
    fflush(stdout);
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) obey(gestured_json(line, strlen(line)));
    end_watch();
    gestured_close(client);
    return 0;
}
