/* JSON: steps through a text and reads its values. A value is a span of the text: nothing is
 * copied and nothing is allocated. */
#include "gestured.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPACE " \t\r\n"
#define DIGITS "0123456789"

static const gestured_span nothing = {NULL, 0};

static int is_one_of(char character, const char *set) {
    return character != '\0' && strchr(set, character) != NULL;
}

static const char *skip_space(const char *p, const char *end) {
    while (p < end && is_one_of(*p, SPACE)) {
        p++;
    }
    return p;
}

/* The span from a place to just before another one. */
static gestured_span between(const char *start, const char *end) {
    gestured_span span = {start, (size_t)(end - start)};
    return span;
}

/* Where the string ends that begins at `p` with its quote, or NULL where it is not closed. */
static const char *end_of_string(const char *p, const char *end) {
    p++;
    while (p < end && *p != '"') {
        if (*p == '\\') {
            p++;
            if (p == end) {
                return NULL;
            }
        }
        p++;
    }
    return p < end ? p + 1 : NULL;
}

/* Where the number or the word (true, false, null) ends, or NULL where there is none. */
static const char *end_of_word(const char *p, const char *end) {
    const char *start = p;
    while (p < end && is_one_of(*p, "+-.0123456789Eaeflnrstu")) {
        p++;
    }
    return p > start ? p : NULL;
}

/* Where the value at `p` ends, or NULL. It only matches quotes and brackets, as that is enough to
 * step over a value; `gestured_each` checks the commas and colons of what is really read. */
static const char *end_of_value(const char *p, const char *end) {
    char open_brackets[GESTURED_DEPTH];
    int depth = 0;
    do {
        if (p == end) {
            return NULL;
        }
        if (*p == '"') {
            p = end_of_string(p, end);
        } else if (is_one_of(*p, "{[")) {
            if (depth == GESTURED_DEPTH) {
                return NULL;
            }
            open_brackets[depth] = *p;
            depth++;
            p++;
        } else if (is_one_of(*p, "}]")) {
            if (depth == 0) {
                return NULL;
            }
            depth--;
            char closing = open_brackets[depth] == '{' ? '}' : ']';
            p = *p == closing ? p + 1 : NULL;
        } else if (depth > 0 && is_one_of(*p, ",:" SPACE)) {
            p++;
        } else {
            p = end_of_word(p, end);
        }
        if (p == NULL) {
            return NULL;
        }
    } while (depth > 0);
    return p;
}

gestured_span gestured_json(const char *text, size_t size) {
    if (text == NULL) {
        return nothing;
    }
    const char *end = text + size;
    const char *start = skip_space(text, end);
    const char *value_end = end_of_value(start, end);
    if (value_end == NULL || skip_space(value_end, end) != end) {
        return nothing;
    }
    return between(start, value_end);
}

/* Reads the key of a member and the colon behind it: where its value begins, or NULL. */
static const char *read_key(const char *p, const char *end, gestured_span *key) {
    if (p == end || *p != '"') {
        return NULL;
    }
    const char *key_end = end_of_string(p, end);
    if (key_end == NULL) {
        return NULL;
    }
    *key = between(p, key_end);
    p = skip_space(key_end, end);
    if (p == end || *p != ':') {
        return NULL;
    }
    return skip_space(p + 1, end);
}

int gestured_each(gestured_span whole, gestured_span *key, gestured_span *value) {
    *key = nothing;
    if (whole.at == NULL || whole.size == 0 || !is_one_of(*whole.at, "{[")) {
        return 0;
    }
    const char *end = whole.at + whole.size;
    const char *p = whole.at;
    if (value->at != NULL) {
        p = skip_space(value->at + value->size, end);
        if (p == end || *p != ',') {
            return 0;
        }
    }
    /* Here is the opening bracket, or the comma behind the last value. */
    p = skip_space(p + 1, end);
    if (*whole.at == '{') {
        p = read_key(p, end, key);
        if (p == NULL) {
            return 0;
        }
    }
    const char *value_end = end_of_value(p, end);
    if (value_end == NULL) {
        return 0;
    }
    *value = between(p, value_end);
    return 1;
}

/* The number that four hexadecimal digits write, or -1 where they are not there. */
static long four_hexadecimal_digits(const char *p, const char *end) {
    char digits[5] = "";
    if (end - p >= 4) {
        memcpy(digits, p, 4);
    }
    if (strspn(digits, DIGITS "abcdefABCDEF") != 4) {
        return -1;
    }
    return strtol(digits, NULL, 16);
}

/* UTF-16 writes a code point above 0xFFFF as two surrogates, each with ten of its bits. */
static int is_high_surrogate(long code) {
    return code >= 0xD800 && code <= 0xDBFF;
}

static int is_low_surrogate(long code) {
    return code >= 0xDC00 && code <= 0xDFFF;
}

/* Reads the `uXXXX` of an escape, or two escapes where they are a pair of surrogates, and moves
 * `*place` behind what it read. The code point, or -1 where the escape is none. */
static long read_code_point(const char **place, const char *end) {
    const long replacement_character = 0xFFFD; /* what Unicode puts for half of a pair */
    const char *p = *place;
    if (p == end || *p != 'u') {
        return -1;
    }
    long code = four_hexadecimal_digits(p + 1, end);
    if (code < 0) {
        return -1;
    }
    p += strlen("uXXXX");
    if (is_high_surrogate(code) && end - p > 5 && p[0] == '\\' && p[1] == 'u') {
        long low = four_hexadecimal_digits(p + 2, end);
        if (is_low_surrogate(low)) {
            code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF);
            p += strlen("\\uXXXX");
        }
    }
    if (is_high_surrogate(code) || is_low_surrogate(code)) {
        code = replacement_character;
    }
    *place = p;
    return code;
}

/* Writes a code point in UTF-8: how many bytes, 1 to 4. An escape is longer than its bytes. */
static size_t write_utf8(long code, char *text) {
    static const int first_byte_marks[] = {0, 0xC0, 0xE0, 0xF0};
    int following = 0;
    if (code >= 0x10000) {
        following = 3;
    } else if (code >= 0x800) {
        following = 2;
    } else if (code >= 0x80) {
        following = 1;
    }
    /* The first byte says how many follow; each of these has six bits of the code. */
    text[0] = (char)(first_byte_marks[following] | code >> 6 * following);
    for (int i = 1; i <= following; i++) {
        text[i] = (char)(0x80 | (code >> 6 * (following - i) & 0x3F));
    }
    return (size_t)following + 1;
}

int gestured_text(gestured_span value, char *text, size_t room) {
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (value.at == NULL || value.size < 2 || *value.at != '"' || value.size > room) {
        return -1;
    }
    const char *p = value.at + 1;
    const char *end = value.at + value.size - 1;
    size_t size = 0;
    while (p < end) {
        if (*p != '\\') {
            text[size] = *p;
            size++;
            p++;
            continue;
        }
        p++;
        if (p < end && is_one_of(*p, escapes)) {
            text[size] = meanings[strchr(escapes, *p) - escapes];
            size++;
            p++;
            continue;
        }
        long code = read_code_point(&p, end);
        if (code < 0) {
            return -1;
        }
        size += write_utf8(code, text + size);
    }
    text[size] = '\0';
    return (int)size;
}

int gestured_number(gestured_span value, double *number) {
    char text[GESTURED_NUMBER_BYTES + 1] = "";
    if (value.at == NULL || value.size >= sizeof text || !is_one_of(*value.at, "-" DIGITS)) {
        return 0;
    }
    memcpy(text, value.at, value.size);
    if (strspn(text, "+-.eE" DIGITS) != value.size) {
        return 0;
    }
    /* `strtod` expects the decimal point of the program's locale. */
    char *point = strchr(text, '.');
    if (point != NULL) {
        *point = *localeconv()->decimal_point;
    }
    char *end;
    *number = strtod(text, &end);
    return end == text + value.size && isfinite(*number);
}

/* Whether a value is the string of these bytes. */
static int is_string(gestured_span value, const char *text, size_t size) {
    size_t size_with_quotes = size + 2;
    return value.at != NULL && *value.at == '"' && value.size == size_with_quotes &&
        memcmp(value.at + 1, text, size) == 0;
}

int gestured_is(gestured_span value, const char *text) {
    return is_string(value, text, strlen(text));
}

gestured_span gestured_member(gestured_span object, const char *name, size_t size) {
    gestured_span key;
    gestured_span value = nothing;
    gestured_span found = nothing;
    while (gestured_each(object, &key, &value)) {
        if (is_string(key, name, size)) {
            found = value;
        }
    }
    return found;
}

/* The value at an index of a list, or nothing. */
static gestured_span element(gestured_span list, unsigned long index) {
    gestured_span key;
    gestured_span value = nothing;
    while (gestured_each(list, &key, &value)) {
        if (index == 0) {
            return value;
        }
        index--;
    }
    return nothing;
}

gestured_span gestured_find(gestured_span value, const char *path) {
    while (value.at != NULL && *path != '\0') {
        size_t size = strcspn(path, ".");
        int is_index = size > 0 && strspn(path, DIGITS) == size;
        if (*value.at == '[' && is_index) {
            value = element(value, strtoul(path, NULL, 10));
        } else {
            value = gestured_member(value, path, size);
        }
        path += size;
        if (*path == '.') {
            path++;
        }
    }
    return value;
}
