#include "mqtt.h"

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The property that names who retained a message. */
static const char publisher_name[] = "gestured-bridge";

/* An event that was read and not taken yet. */
typedef struct item {
    gm_event event;
    struct item *next;
    char *publisher; /* NULL: not known */
    char bytes[]; /* the text with its zero, then the payload */
} item;

struct gm_client {
    struct mosquitto *mosquitto;
    item *first, *last;
    item *lent; /* what the last `gm_next` gave */
    int repeated; /* of the message that is being read */
    int has_failed; /* there was no memory for an event */
};

static void free_item(item *gone) {
    if (gone) free(gone->publisher);
    free(gone);
}

/* It owns the publisher's name, and frees it. */
static void queue(
    gm_client *client, gm_event event, const char *text, const void *payload, char *publisher) {
    size_t length = strlen(text) + 1;
    item *added = malloc(sizeof *added + length + event.count);
    if (!added) {
        client->has_failed = 1;
        free(publisher);
        return;
    }
    added->publisher = publisher;
    event.publisher = publisher;
    memcpy(added->bytes, text, length);
    if (event.count) memcpy(added->bytes + length, payload, event.count);
    event.text = added->bytes;
    event.payload = (const uint8_t *)added->bytes + length;
    added->event = event;
    added->next = NULL;
    if (client->last) client->last->next = added;
    else client->first = added;
    client->last = added;
}

static void connected(
    struct mosquitto *mosquitto, void *owner, int code, int flags,
    const mosquitto_property *properties) {
    (void)mosquitto;
    /* A broker that does not say otherwise has them. */
    uint8_t has_identifiers = 1;
    (void)mosquitto_property_read_byte(
        properties, MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE, &has_identifiers, false);
    gm_event event = {
        .kind = code ? gm_refused : gm_connected,
        .is_present = flags & 1,
        .has_identifiers = has_identifiers != 0};
    queue(owner, event, code ? mosquitto_reason_string(code) : "", NULL, NULL);
}

static void subscribed(
    struct mosquitto *mosquitto, void *owner, int number, int count, const int *granted,
    const mosquitto_property *properties) {
    (void)mosquitto;
    (void)properties;
    gm_event event = {.kind = gm_subscribed, .number = number};
    for (int each = 0; each < count; each++) event.is_failed |= granted[each] >= 0x80;
    queue(owner, event, "", NULL, NULL);
}

static void published(
    struct mosquitto *mosquitto, void *owner, int number, int code,
    const mosquitto_property *properties) {
    (void)mosquitto;
    (void)properties;
    gm_event event = {.kind = gm_published, .number = number, .is_failed = code >= 0x80};
    queue(owner, event, "", NULL, NULL);
}

/* Bit n: a message comes by the subscription with identifier n. */
static unsigned subscriptions(const mosquitto_property *properties) {
    unsigned found = 0;
    uint32_t identifier = 0;
    for (const mosquitto_property *at = mosquitto_property_read_varint(
             properties, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, &identifier, false);
         at; at = mosquitto_property_read_varint(
                 at, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, &identifier, true)) {
        if (identifier < 32) found |= 1u << identifier;
    }
    return found;
}

/* The publisher's name, to be freed; NULL: there is none. */
static char *publisher(const mosquitto_property *properties) {
    char *name = NULL, *value = NULL, *found = NULL;
    for (const mosquitto_property *at = mosquitto_property_read_string_pair(
             properties, MQTT_PROP_USER_PROPERTY, &name, &value, false);
         at; at = mosquitto_property_read_string_pair(
                 at, MQTT_PROP_USER_PROPERTY, &name, &value, true)) {
        if (!found && name && value && strcmp(name, publisher_name) == 0) {
            found = value;
            value = NULL;
        }
        free(name);
        free(value);
        name = value = NULL;
    }
    return found;
}

static void received(
    struct mosquitto *mosquitto, void *owner, const struct mosquitto_message *message,
    const mosquitto_property *properties) {
    (void)mosquitto;
    gm_client *client = owner;
    gm_event event = {
        .kind = gm_message,
        .number = message->qos ? message->mid : 0,
        .is_retained = message->retain,
        .is_repeated = client->repeated,
        .subscriptions = subscriptions(properties),
        .count = (size_t)message->payloadlen};
    client->repeated = -1;
    queue(client, event, message->topic, message->payload, publisher(properties));
}

/* libmosquitto tells of the flag DUP in this line alone, just before the message. */
static void logged(struct mosquitto *mosquitto, void *owner, int level, const char *line) {
    (void)mosquitto;
    (void)level;
    static const char mark[] = " received PUBLISH (d";
    const char *found = strstr(line, mark);
    if (!found) return;
    char flag = found[sizeof mark - 1];
    ((gm_client *)owner)->repeated = flag == '0' ? 0 : flag == '1' ? 1 : -1;
}

/* Whether the host accepts: libmosquitto itself would wait for minutes. */
static int is_reachable(const gm_settings *settings, char *reason, size_t reason_size) {
    char port[16];
    snprintf(port, sizeof port, "%d", settings->port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int result = getaddrinfo(settings->host, port, &hints, &found);
    if (result) {
        snprintf(reason, reason_size, "%s", gai_strerror(result));
        return 0;
    }
    int fault = ECONNREFUSED;
    for (struct addrinfo *each = found; each && fault; each = each->ai_next) {
        int kind = each->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC;
        int descriptor = socket(each->ai_family, kind, each->ai_protocol);
        if (descriptor < 0) continue;
        fault = connect(descriptor, each->ai_addr, each->ai_addrlen) == 0 ? 0 : errno;
        if (fault == EINPROGRESS) {
            struct pollfd place = {.fd = descriptor, .events = POLLOUT};
            socklen_t size = sizeof fault;
            if (poll(&place, 1, settings->connect_milliseconds) <= 0) fault = ETIMEDOUT;
            else getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &size);
        }
        close(descriptor);
    }
    freeaddrinfo(found);
    if (fault) snprintf(reason, reason_size, "%s", strerror(fault));
    return fault == 0;
}

static int configure(struct mosquitto *mosquitto, const gm_settings *settings) {
    /* Writing is left to `gm_write`: see the header. */
    int result = mosquitto_threaded_set(mosquitto, true);
    if (!result) {
        result = mosquitto_int_option(
            mosquitto, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    }
    if (!result) {
        result = mosquitto_int_option(
            mosquitto, MOSQ_OPT_RECEIVE_MAXIMUM, settings->unacknowledged_max);
    }
    if (!result) result = mosquitto_int_option(mosquitto, MOSQ_OPT_TCP_NODELAY, 1);
    if (!result && settings->username) {
        result = mosquitto_username_pw_set(mosquitto, settings->username, settings->password);
    }
    if (!result && settings->authorities) {
        const char *file = settings->authorities;
        result = file[0] ? mosquitto_tls_set(mosquitto, file, NULL, NULL, NULL, NULL)
                         : mosquitto_int_option(mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
        if (!result && !file[0]) {
            result = mosquitto_tls_set(mosquitto, NULL, "/etc/ssl/certs", NULL, NULL, NULL);
        }
    }
    if (!result) {
        result = mosquitto_will_set_v5(
            mosquitto, settings->will_topic, (int)strlen(settings->will), settings->will, 1, true,
            NULL);
    }
    return result;
}

static int begin(struct mosquitto *mosquitto, const gm_settings *settings) {
    mosquitto_property *properties = NULL;
    int result = mosquitto_property_add_int32(
        &properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, settings->session_seconds);
    if (!result) {
        result = mosquitto_property_add_int32(
            &properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, settings->packet_bytes_max);
    }
    if (!result) {
        result = mosquitto_connect_bind_v5(
            mosquitto, settings->host, settings->port, settings->keepalive_seconds, NULL,
            properties);
    }
    mosquitto_property_free_all(&properties);
    return result;
}

gm_client *gm_open(const gm_settings *settings, char *reason, size_t reason_size) {
    static int is_prepared;
    if (!is_prepared) mosquitto_lib_init();
    is_prepared = 1;
    if (!is_reachable(settings, reason, reason_size)) return NULL;
    gm_client *client = calloc(1, sizeof *client);
    if (!client) {
        snprintf(reason, reason_size, "%s", strerror(ENOMEM));
        return NULL;
    }
    client->repeated = -1;
    client->mosquitto = mosquitto_new(settings->identity, false, client);
    int result = client->mosquitto ? configure(client->mosquitto, settings) : MOSQ_ERR_ERRNO;
    if (!result) {
        mosquitto_connect_v5_callback_set(client->mosquitto, connected);
        mosquitto_subscribe_v5_callback_set(client->mosquitto, subscribed);
        mosquitto_publish_v5_callback_set(client->mosquitto, published);
        mosquitto_message_v5_callback_set(client->mosquitto, received);
        mosquitto_log_callback_set(client->mosquitto, logged);
        result = begin(client->mosquitto, settings);
    }
    if (!result) return client;
    snprintf(reason, reason_size, "%s", gm_reason(result));
    gm_close(client);
    return NULL;
}

void gm_close(gm_client *client) {
    if (client->mosquitto) mosquitto_destroy(client->mosquitto);
    free_item(client->lent);
    while (client->first) {
        item *next = client->first->next;
        free_item(client->first);
        client->first = next;
    }
    free(client);
}

int gm_descriptor(const gm_client *client) { return mosquitto_socket(client->mosquitto); }

int gm_wants_write(const gm_client *client) { return mosquitto_want_write(client->mosquitto); }

int gm_read(gm_client *client) {
    int result = mosquitto_loop_read(client->mosquitto, 1);
    return client->has_failed ? MOSQ_ERR_NOMEM : result;
}

int gm_write(gm_client *client) { return mosquitto_loop_write(client->mosquitto, 1); }

int gm_tick(gm_client *client) { return mosquitto_loop_misc(client->mosquitto); }

const char *gm_reason(int result) {
    return result == MOSQ_ERR_ERRNO ? strerror(errno) : mosquitto_strerror(result);
}

int gm_next(gm_client *client, gm_event *event) {
    free_item(client->lent);
    client->lent = client->first;
    if (!client->lent) return 0;
    client->first = client->lent->next;
    if (!client->first) client->last = NULL;
    *event = client->lent->event;
    return 1;
}

int gm_subscribe(
    gm_client *client, const char *topic, const gm_subscription *subscription, int *number) {
    /* Nothing that this client publishes. */
    int options = MQTT_SUB_OPT_NO_LOCAL
                  | (subscription->are_retained_sent ? MQTT_SUB_OPT_SEND_RETAIN_ALWAYS
                                                     : MQTT_SUB_OPT_SEND_RETAIN_NEVER);
    mosquitto_property *properties = NULL;
    int result = 0;
    if (subscription->identifier) {
        result = mosquitto_property_add_varint(
            &properties, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, subscription->identifier);
    }
    if (!result) {
        result = mosquitto_subscribe_v5(
            client->mosquitto, number, topic, subscription->quality, options, properties);
    }
    mosquitto_property_free_all(&properties);
    return result;
}

int gm_unsubscribe(gm_client *client, const char *topic) {
    return mosquitto_unsubscribe_v5(client->mosquitto, NULL, topic, NULL);
}

int gm_publish(
    gm_client *client, const char *topic, const uint8_t *payload, size_t count, int is_retained,
    const char *name, int *number) {
    mosquitto_property *properties = NULL;
    int result = 0;
    if (name) {
        result = mosquitto_property_add_string_pair(
            &properties, MQTT_PROP_USER_PROPERTY, publisher_name, name);
    }
    if (!result) {
        result = mosquitto_publish_v5(
            client->mosquitto, number, topic, (int)count, payload, 1, is_retained, properties);
    }
    mosquitto_property_free_all(&properties);
    return result;
}

int gm_leave(gm_client *client) {
    return mosquitto_disconnect_v5(client->mosquitto, MQTT_RC_DISCONNECT_WITH_WILL_MSG, NULL);
}
