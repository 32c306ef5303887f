/* Keys: reads certificates, which are files in ZPL (ZeroMQ RFC 4) as gesturectl and CZMQ write
 * them:
 *
 *     metadata
 *         server-key = "…"
 *     curve
 *         public-key = "…"
 *         secret-key = "…"
 */
#include "gestured_internal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

enum {
    KEY_SIZE = GESTURED_KEY_CHARACTERS,
    REASON_ROOM = 128, /* bytes of what the system says about a file, and a zero */
    DELETE_CHARACTER = 127
};

enum section { NO_SECTION, METADATA_SECTION, CURVE_SECTION, OTHER_SECTION };

struct certificate {
    char public_key[KEY_SIZE + 1];
    char secret_key[KEY_SIZE + 1];
    char server_key[KEY_SIZE + 2]; /* with room for one more: a text that long is no key */
};

static int is_space(char character) {
    return character == ' ' || character == '\t' || character == '\r';
}

static int is_quote(char character) {
    return character == '"' || character == '\'';
}

/* A text without the space around it, which it cuts off behind. */
static char *trimmed(char *text) {
    while (is_space(*text)) {
        text++;
    }
    size_t size = strlen(text);
    while (size > 0 && is_space(text[size - 1])) {
        size--;
        text[size] = '\0';
    }
    return text;
}

/* Whether a text is a key in Z85: eight numbers of 32 bits, each as five digits to base 85. */
static int is_key(const char *text) {
    static const char digits[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    const int digits_in_a_number = 5;
    uint64_t number = 0;
    if (strlen(text) != KEY_SIZE) {
        return 0;
    }
    for (int i = 0; i < KEY_SIZE; i++) {
        const char *digit = strchr(digits, text[i]);
        if (digit == NULL) {
            return 0;
        }
        if (i % digits_in_a_number == 0) {
            number = 0;
        }
        number = number * 85 + (uint64_t)(digit - digits);
        if (number > UINT32_MAX) {
            return 0;
        }
    }
    return 1;
}

/* A line without its comment and the space around it. A `#` in quotes begins no comment. */
static char *content_of(char *line) {
    char open_quote = '\0';
    char *p = line;
    while (*p != '\0' && (open_quote != '\0' || *p != '#')) {
        if (open_quote != '\0') {
            if (*p == open_quote) {
                open_quote = '\0';
            }
        } else if (is_quote(*p)) {
            open_quote = *p;
        }
        p++;
    }
    *p = '\0';
    return trimmed(line);
}

/* A value without its quotes, or NULL where they are not closed. */
static char *unquoted(char *value) {
    if (!is_quote(*value)) {
        return value;
    }
    size_t size = strlen(value);
    if (size < 2 || value[size - 1] != *value) {
        return NULL;
    }
    value[size - 1] = '\0';
    return value + 1;
}

/* Takes an entry of the section `curve`. */
static int take_key(
    struct certificate *certificate, const char *path, int line, const char *name,
    const char *value) {
    char *key;
    if (strcmp(name, "public-key") == 0) {
        key = certificate->public_key;
    } else if (strcmp(name, "secret-key") == 0) {
        key = certificate->secret_key;
    } else {
        return gestured_explain(path, line, "curve has public-key and secret-key alone");
    }
    if (*key != '\0') {
        return gestured_explain(path, line, "this key stands here a second time");
    }
    /* The value stays out of the message: it may be most of a secret key. */
    if (!is_key(value)) {
        return gestured_explain(path, line, "a key has 40 characters of Z85");
    }
    memcpy(key, value, KEY_SIZE + 1);
    return GESTURED_OK;
}

/* Takes one `name = "value"` of a section. */
static int take_entry(
    struct certificate *certificate, const char *path, int line, enum section section,
    char *content) {
    char *equals = strchr(content, '=');
    *equals = '\0';
    const char *name = trimmed(content);
    const char *value = unquoted(trimmed(equals + 1));
    if (value == NULL) {
        return gestured_explain(path, line, "the value's quotation mark is not closed");
    }
    if (section == CURVE_SECTION) {
        return take_key(certificate, path, line, name, value);
    }
    char *server_key = certificate->server_key;
    if (section == METADATA_SECTION && strcmp(name, "server-key") == 0 && *server_key == '\0') {
        snprintf(server_key, sizeof certificate->server_key, "%.*s", KEY_SIZE + 1, value);
    }
    return GESTURED_OK;
}

static enum section section_named(const char *name) {
    if (strcmp(name, "curve") == 0) {
        return CURVE_SECTION;
    }
    if (strcmp(name, "metadata") == 0) {
        return METADATA_SECTION;
    }
    return OTHER_SECTION;
}

/* Takes one line: an entry, the name of a section, or nothing. */
static int take_line(
    struct certificate *certificate, const char *path, int line, enum section *section,
    char *text) {
    int is_indented = is_space(*text);
    char *content = content_of(text);
    if (*content == '\0') {
        return GESTURED_OK;
    }
    if (strchr(content, '=') != NULL) {
        if (!is_indented || *section == NO_SECTION) {
            return gestured_explain(path, line, "stands in no section, which its indent shows");
        }
        return take_entry(certificate, path, line, *section, content);
    }
    if (is_indented) {
        return gestured_explain(path, line, "is no `name = \"value\"`");
    }
    *section = section_named(content);
    return GESTURED_OK;
}

static int parse_certificate(struct certificate *certificate, const char *path, char *text) {
    enum section section = NO_SECTION;
    int number = 0;
    char *line = text;
    while (line != NULL) {
        number++;
        char *next = strchr(line, '\n');
        if (next != NULL) {
            *next = '\0';
            next++;
        }
        int status = take_line(certificate, path, number, &section, line);
        if (status != GESTURED_OK) {
            return status;
        }
        line = next;
    }
    if (*certificate->public_key == '\0') {
        return gestured_explain(path, 0, "has no curve with a public-key");
    }
    return GESTURED_OK;
}

/* Whether bytes are text. A file of another kind would be quoted in messages. */
static int is_text(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        int is_printed = byte >= ' ' && byte != DELETE_CHARACTER;
        if (!is_printed && byte != '\t' && byte != '\n' && byte != '\r') {
            return 0;
        }
    }
    return 1;
}

/* Reads at most `room` bytes of a file: 0, or the reason of the system. */
static int read_file(const char *path, char *bytes, size_t room, size_t *size) {
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return errno;
    }
    *size = fread(bytes, 1, room, file);
    int reason = ferror(file) ? errno : 0;
    fclose(file);
    return reason;
}

static int read_certificate(struct certificate *certificate, const char *path) {
    /* One more byte shows that a file is too large; the last one is for the zero. */
    char text[GESTURED_CERTIFICATE_BYTES + 2];
    size_t size = 0;
    memset(certificate, 0, sizeof *certificate);
    int reason = read_file(path, text, sizeof text - 1, &size);
    if (reason != 0) {
        char message[REASON_ROOM];
        snprintf(message, sizeof message, "cannot be read: %.99s", strerror(reason));
        return gestured_explain(path, 0, message);
    }
    if (size > GESTURED_CERTIFICATE_BYTES) {
        return gestured_explain(path, 0, "a certificate has at most 16384 bytes");
    }
    if (!is_text(text, size)) {
        return gestured_explain(path, 0, "is no text");
    }
    text[size] = '\0';
    return parse_certificate(certificate, path, text);
}

/* Reads the client's own certificate, and whether its keys belong together. */
static int read_own_certificate(struct certificate *own, const char *path) {
    char fitting_key[KEY_SIZE + 1];
    if (*path == '\0') {
        return gestured_explain("", 0, "no key: give the client's secret certificate");
    }
    if (read_certificate(own, path) != GESTURED_OK) {
        return GESTURED_BAD_INPUT;
    }
    if (*own->secret_key == '\0') {
        return gestured_explain(
            path, 0, "has no secret-key: give the client's secret certificate");
    }
    if (zmq_curve_public(fitting_key, own->secret_key) != 0) {
        return gestured_explain(
            path, 0, "cannot be used: this libzmq was built without CURVE");
    }
    if (strcmp(fitting_key, own->public_key) != 0) {
        return gestured_explain(path, 0, "its public-key is not that of its secret-key");
    }
    return GESTURED_OK;
}

static int is_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    fclose(file);
    return 1;
}

/* Finds the daemon's key: in what is given, which is a file or a key, else in the metadata of the
 * client's certificate at `path`. */
static int find_server_key(
    char key[KEY_SIZE + 1], const char *given, const struct certificate *own, const char *path) {
    struct certificate server;
    if (*given == '\0') {
        if (*own->server_key == '\0') {
            return gestured_explain(
                path, 0, "has no server-key in its metadata, and none is given");
        }
        if (!is_key(own->server_key)) {
            return gestured_explain(
                path, 0, "its server-key must be the 40 characters of a key");
        }
        memcpy(key, own->server_key, KEY_SIZE + 1);
        return GESTURED_OK;
    }
    /* A file comes first, as its path may look like a key. */
    if (is_key(given) && !is_file(given)) {
        memcpy(key, given, KEY_SIZE + 1);
        return GESTURED_OK;
    }
    if (read_certificate(&server, given) != GESTURED_OK) {
        return GESTURED_BAD_INPUT;
    }
    memcpy(key, server.public_key, KEY_SIZE + 1);
    return GESTURED_OK;
}

int gestured_load_keys(gestured_keys *keys, const char *key, const char *server_key) {
    struct certificate own;
    const char *path = key != NULL ? key : gestured_environment("GESTURED_KEY");
    const char *given =
        server_key != NULL ? server_key : gestured_environment("GESTURED_SERVER_KEY");
    char found[KEY_SIZE + 1];
    memset(keys, 0, sizeof *keys);
    int status = read_own_certificate(&own, path);
    if (status != GESTURED_OK) {
        return status;
    }
    status = find_server_key(found, given, &own, path);
    if (status != GESTURED_OK) {
        return status;
    }
    memcpy(keys->public_key, own.public_key, KEY_SIZE + 1);
    memcpy(keys->secret_key, own.secret_key, KEY_SIZE + 1);
    memcpy(keys->server_key, found, KEY_SIZE + 1);
    return GESTURED_OK;
}
