/* The adapter of the C client to the conformance suite: README.md in the folder above. */
#include "gestured.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef gestured_span span;
enum { LINE_BYTES = 1 << 20, LAYERS = 4096, POLL_MILLISECONDS = 5, TEXT_BYTES = 256 };
static char line[LINE_BYTES], copy[LINE_BYTES];
static size_t held;
static gestured_layer layers[LAYERS];
static gestured *client;
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

static void answer(int status, span reply) {
    if (status == GESTURED_OK)
        printf("{\"done\":%.*s}\n", reply.at ? (int)reply.size : 2, reply.at ? reply.at : "{}");
    else
        printf("{\"failed\":{\"code\":\"%s\",\"message\":\"%s\"}}\n", gestured_code(client),
               gestured_error(client));
}

static void connect_client(span order) {
    char events[TEXT_BYTES], updates[TEXT_BYTES], control[TEXT_BYTES];
    text(order, "events", events);
    text(order, "updates", updates);
    text(order, "control", control);
    double timeout = number(order, "timeout");
    gestured_close(client);
    is_watching = 0;
    client = gestured_connect(events, updates, control, (int)(timeout * 1000));
    printf("{\"connected\":%s}\n", client ? "true" : "false");
}

static void watch(span order) {
    char prefix[TEXT_BYTES];
    span key, value = {NULL, 0};
    while (gestured_each(gestured_find(order, "prefixes"), &key, &value)) {
        gestured_text(value, prefix, sizeof prefix);
        gestured_watch(client, prefix);
    }
    is_watching = 1;
    printf("{\"watching\":true}\n");
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

/* Obeys the whole lines that have come; 0 at the end of input. */
static int listen_to_input(int milliseconds) {
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, milliseconds) < 1) return 1;
    ssize_t size = read(STDIN_FILENO, line + held, LINE_BYTES - held);
    if (size <= 0) return 0;
    held += (size_t)size;
    for (char *end; (end = memchr(line, '\n', held));) {
        size_t whole = (size_t)(end - line) + 1;
        obey(gestured_json(line, whole - 1));
        memmove(line, line + whole, held -= whole);
    }
    return held < LINE_BYTES;
}

int main(void) {
    span topic, body;
    while (listen_to_input(is_watching ? 0 : -1)) {
        if (!is_watching || gestured_next(client, &topic, &body, POLL_MILLISECONDS) != 1) continue;
        printf("{\"yield\":{\"topic\":\"%.*s\",\"body\":%.*s}}\n", (int)topic.size, topic.at,
               (int)body.size, body.at);
        fflush(stdout);
    }
    gestured_close(client);
    return 0;
}
