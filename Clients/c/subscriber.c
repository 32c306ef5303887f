/* Prints each frame of a session: subscriber SESSION */
#include "gestured.h"

#include <stdio.h>

enum {
    TIMEOUT = 5000,     /* ms, of each request that a watch makes */
    LONGEST_WAIT = 1000 /* ms, for one update: then it asks again */
};

static const gestured_span nothing = {NULL, 0};

static void print_view(gestured_span name, gestured_span view) {
    double x = 0;
    double y = 0;
    gestured_number(gestured_find(view, "x"), &x);
    gestured_number(gestured_find(view, "y"), &y);
    printf("  %.*s (%g, %g)", (int)name.size, name.at, x, y);
}

static void print_state(gestured_span state) {
    gestured_span component = gestured_find(state, "component");
    gestured_span phase = gestured_find(state, "phase");
    gestured_span views = gestured_find(state, "views");
    gestured_span name;
    gestured_span view = nothing;
    printf("%.*s %.*s", (int)component.size, component.at, (int)phase.size, phase.at);
    while (gestured_each(views, &name, &view)) {
        print_view(name, view);
    }
    printf("\n");
}

static void print_frame(gestured_span frame) {
    gestured_span states = gestured_find(frame, "states");
    gestured_span key;
    gestured_span state = nothing;
    while (gestured_each(states, &key, &state)) {
        print_state(state);
    }
    fflush(stdout);
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: %s SESSION\n", words[0]);
        return 2;
    }
    char prefix[GESTURED_TOPIC_BYTES + 1];
    snprintf(prefix, sizeof prefix, "frame/%.64s", words[1]);
    gestured *client = gestured_connect(NULL, NULL, NULL, TIMEOUT);
    if (client == NULL || gestured_watch(client, prefix) != GESTURED_OK) {
        fprintf(stderr, "%s: %s\n", words[0], gestured_error(client));
        gestured_close(client);
        return 1;
    }
    for (;;) {
        gestured_span topic, body;
        int status = gestured_next(client, &topic, &body, LONGEST_WAIT);
        if (status == 1) {
            print_frame(body);
        } else if (status < 0) {
            fprintf(stderr, "%s, goes on\n", gestured_error(client));
        }
    }
}
