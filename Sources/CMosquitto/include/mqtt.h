#ifndef GESTURED_MQTT_H
#define GESTURED_MQTT_H
#include <stddef.h>
#include <stdint.h>

/* One connection to a broker by MQTT 5, for one thread, over libmosquitto.
 *
 * libmosquitto acknowledges a message as soon as it has read it, but the acknowledgement leaves
 * with `gm_write` alone. So a caller who delays `gm_write` until a message is safe has acknowledged
 * nothing too early; `gm_close` drops what has not left. Nothing but `gm_open` waits. */

typedef struct gm_client gm_client;

typedef struct {
    const char *host;
    int port;
    const char *identity;            /* the client's name; the broker keeps a session for it */
    const char *username, *password; /* NULL: none */
    const char *authorities;         /* a file of certificates; "": the system's; NULL: no TLS */
    const char *will_topic, *will;   /* published by the broker, retained, for one that is gone */
    int keepalive_seconds;
    int connect_milliseconds;        /* how long the host may take to accept */
    uint32_t session_seconds;        /* how long the broker keeps what comes meanwhile */
    int unacknowledged_max;          /* messages that the broker sends without an acknowledgement */
    uint32_t packet_bytes_max;       /* of a packet that the broker may send */
} gm_settings;

typedef enum {
    gm_nothing = 0,
    gm_connected = 1,  /* `is_present`: the broker kept the session; and `has_identifiers` */
    gm_refused = 2,    /* the broker does not want this client; `text` says why */
    gm_subscribed = 3, /* of `number`; `is_failed`: the broker does not allow it */
    gm_published = 4,  /* the broker has `number`; `is_failed`: it does not allow it */
    gm_message = 5     /* all fields from `is_retained` on; `number` is 0 for QoS 0 */
} gm_kind;

typedef struct {
    gm_kind kind;
    int number; /* of the packet */
    int is_present, is_failed;
    int has_identifiers; /* the broker says by which subscriptions a message comes */
    int is_retained; /* the broker had kept it from before the subscription */
    int is_repeated; /* 1: sent before; 0: not; -1: not known */
    unsigned subscriptions; /* bit n: it comes by the one with identifier n; 0: not known */
    const char *publisher; /* who retained it, as `gm_publish` marks it; NULL: not known */
    const char *text; /* a topic or a reason; it ends with the next call of `gm_next` */
    const uint8_t *payload;
    size_t count;
} gm_event;

/* Connects. Returns NULL and one line in `reason` if the host does not accept in time. */
gm_client *gm_open(const gm_settings *settings, char *reason, size_t reason_size);
/* Closes without a farewell: the broker publishes the will, and keeps what was not acknowledged. */
void gm_close(gm_client *client);

/* -1 once the connection is gone. */
int gm_descriptor(const gm_client *client);
int gm_wants_write(const gm_client *client);

/* These return 0, or else the connection is gone and `gm_reason` tells why. */
int gm_read(gm_client *client);
int gm_write(gm_client *client);
int gm_tick(gm_client *client);
const char *gm_reason(int result);

/* Takes the next of what was read. Returns 0 if there is none. */
int gm_next(gm_client *client, gm_event *event);

/* These queue and return 0, or why not. */

typedef struct {
    int quality;           /* QoS 0: what comes while the client is away is lost */
    unsigned identifier;   /* from 1 to 31; 0: none */
    int are_retained_sent; /* what the broker has retained comes at once */
} gm_subscription;

int gm_subscribe(
    gm_client *client, const char *topic, const gm_subscription *subscription, int *number);
int gm_unsubscribe(gm_client *client, const char *topic);
/* With QoS 1; `publisher` marks a message with a name; NULL: it does not. */
int gm_publish(
    gm_client *client, const char *topic, const uint8_t *payload, size_t count, int is_retained,
    const char *publisher, int *number);
/* Queues the farewell, at which the broker publishes the will. A message of the client's own could
   wait behind unacknowledged ones for ever: nothing is read any more. */
int gm_leave(gm_client *client);

#endif
