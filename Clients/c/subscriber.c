/* Prints each frame of a session: subscriber SESSION */
#include "gestured.h"

#include <stdio.h>

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: %s SESSION\n", words[0]);
        return 2;
    }
    char prefix[GESTURED_TOPIC_BYTES + 1];
    snprintf(prefix, sizeof prefix, "frame/%.64s", words[1]);
    gestured *client = gestured_connect(NULL, NULL, NULL, 5000);
    if (!client || gestured_watch(client, prefix)) {
        fprintf(stderr, "%s: %s\n", words[0], gestured_error(client));
        gestured_close(client);
        return 1;
    }
    gestured_span topic, body, key, state = {NULL, 0}, view = {NULL, 0};
    for (int status;;) {
        status = gestured_next(client, &topic, &body, 1000);
        if (status < 0) fprintf(stderr, "%s, goes on\n", gestured_error(client));
        if (status < 1) continue;
        gestured_span states = gestured_find(body, "states");
        for (state.at = NULL; gestured_each(states, &key, &state);) {
            gestured_span component = gestured_find(state, "component");
            gestured_span phase = gestured_find(state, "phase");
            printf("%.*s %.*s", (int)component.size, component.at, (int)phase.size, phase.at);
            gestured_span views = gestured_find(state, "views");
            for (view.at = NULL; gestured_each(views, &key, &view);) {
                double x = 0, y = 0;
                gestured_number(gestured_find(view, "x"), &x);
                gestured_number(gestured_find(view, "y"), &y);
                printf("  %.*s (%g, %g)", (int)key.size, key.at, x, y);
            }
            printf("\n");
        }
        fflush(stdout);
    }
}
