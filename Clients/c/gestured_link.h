/* A socket that is connected, perhaps with keys: of gestured.c alone, no part of the interface. */
#ifndef GESTURED_LINK_H
#define GESTURED_LINK_H

#include "gestured.h"

struct gestured_link {
    void *socket, *monitor; /* a monitor only where the socket has keys */
    long joins;             /* handshakes that succeeded; libzmq connects again by itself */
    long refusals, told;    /* how often the daemon refused the key, and how many the user knows */
    long dialed_at, led_at; /* in milliseconds of the caller's clock */
    long dials;
    long listeners;         /* subscriptions of the daemon, to what is published */
    int pushes;             /* a PUSH: it needs no subscription */
    int is_lost;            /* libzmq has given up, for the daemon refused in words */
};

/* The type of the socket for events: they are pushed, unless an endpoint for those that are
 * published is given, or is in its variable and no other one is. */
int gestured_link_type_of_events(const char *given);
/* Opens one of the three sockets by its type, at its usual endpoint where none is given: 0, or -1
 * with errno, and says why. Keys apply to tcp alone. */
int gestured_link_open(
    struct gestured_link *link, void *context, int type, const char *given, int timeout,
    const gestured_keys *keys);
/* Whether the daemon takes an event now. */
int gestured_link_is_heard(struct gestured_link *events);
/* Reads what became of the handshakes; dials again where libzmq gave up, each second at most. */
void gestured_link_look(struct gestured_link *link, long now);
/* Whether the daemon refused the key, once for each time. */
int gestured_link_refused(struct gestured_link *link);
/* Why nothing came, and a refusal, for a person; valid until the next call. */
const char *gestured_link_trouble(const struct gestured_link *link);
const char *gestured_link_refusal(const struct gestured_link *link);
/* Asks where this client may read, at most every 3 s, while updates let it not in as control does;
 * connects there. May take as long as a request. */
void gestured_link_lead(
    gestured *client, struct gestured_link *updates, const struct gestured_link *control, long now);
void gestured_link_close(struct gestured_link *link);
/* Writes 32 random digits; without a source of chance they come from the clock and an address. */
void gestured_draw_lots(char digits[33], unsigned long clock);
/* The text behind `gestured_error(NULL)`, and a way to write it; -3. */
const char *gestured_said(void);
int gestured_say(const char *path, int line, const char *message);

#endif
