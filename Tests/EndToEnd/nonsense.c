/* Gives the pure part of the C client each scene and its states from standard input, whatever they
 * are: two sizes of four bytes, then the texts. Prints how many there were, and a sum of all. */
#include "gestured.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 64, LEVELS = 12 };
static double sum;

static void visit(gestured_span value, int level) {
    gestured_span key, one = {NULL, 0};
    char text[100];
    double number = 0;
    int size = gestured_text(value, text, sizeof text);
    if (size > 0) sum += text[size - 1] + text[size];
    if (gestured_number(value, &number)) sum += number > 0;
    sum += (double)(gestured_find(value, "0.x").size + gestured_find(value, "views.item.x.").size);
    while (level < LEVELS && gestured_each(value, &key, &one)) {
        if (gestured_text(key, text, sizeof text) >= 0) sum += text[0];
        visit(one, level + 1);
    }
}

int main(void) {
    uint32_t sizes[2];
    long count = 0;
    for (; fread(sizes, sizeof sizes, 1, stdin) == 1; count++) {
        /* Just as large as the texts, so that the sanitizer sees each byte beyond. */
        char *scene_text = malloc(sizes[0]), *states_text = malloc(sizes[1]);
        if (!scene_text || !states_text || fread(scene_text, 1, sizes[0], stdin) != sizes[0] ||
            fread(states_text, 1, sizes[1], stdin) != sizes[1]) return 1;
        gestured_span scene = gestured_json(scene_text, sizes[0]);
        gestured_span states = gestured_json(states_text, sizes[1]);
        gestured_span raw = {scene_text, sizes[0]}, component, view;
        gestured_layer layers[LAYERS];
        int painted = gestured_layers(scene, states, layers, LAYERS);
        for (int i = 0; i < painted && i < LAYERS; i++) sum += layers[i].round;
        for (int i = -1; i < 8; i++)
            sum += gestured_hit(scene, states, i * 50.0, i * 80.0, &component, &view);
        visit(scene, 0), visit(states, 0), visit(raw, LEVELS - 2);
        free(scene_text), free(states_text);
    }
    printf("%ld %g\n", count, sum);
    return 0;
}
