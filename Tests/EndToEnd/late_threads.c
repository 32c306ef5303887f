// Threads that begin late, as on a busy machine: LD_PRELOAD has each new thread wait for
// LATE_MILLISECONDS before it runs a line of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    void *(*routine)(void *);
    void *argument;
} Start;

static void *begin_late(void *given) {
    Start start = *(Start *)given;
    const char *time = getenv("LATE_MILLISECONDS");
    free(given);
    usleep((time ? atoi(time) : 0) * 1000);
    return start.routine(start.argument);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
            RTLD_NEXT, "pthread_create");
    Start *start = malloc(sizeof *start);
    *start = (Start){routine, argument};
    return create(thread, attributes, begin_late, start);
}
