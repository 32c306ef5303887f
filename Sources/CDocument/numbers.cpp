#include "numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>

namespace {

bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

bool may_continue_number(uint8_t c) {
    return is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

struct Token {
    bool is_valid = false;
    bool is_whole = false;
    /* Whether the value is at least 1: out of range, it is then too large, otherwise too small. */
    bool is_large = false;
};

const uint8_t *skip_digits(const uint8_t *at, const uint8_t *end) {
    while (at < end && is_digit(*at)) at++;
    return at;
}

/* The power of ten of the first digit other than 0, without the exponent. */
int64_t leading_power(const uint8_t *whole, const uint8_t *whole_end, const uint8_t *fraction,
                      const uint8_t *fraction_end) {
    if (*whole != '0') return whole_end - whole - 1;
    const uint8_t *at = fraction;
    while (at < fraction_end && *at == '0') at++;
    return -(at - fraction) - 1;
}

/* Checks a whole token against JSON's grammar of a number. */
Token classify(const uint8_t *at, const uint8_t *end) {
    Token token;
    if (at < end && *at == '-') at++;
    const uint8_t *whole = at;
    at = skip_digits(at, end);
    const uint8_t *whole_end = at;
    if (whole == whole_end || (*whole == '0' && whole_end - whole > 1)) return token;
    const uint8_t *fraction = at;
    if (at < end && *at == '.') {
        fraction = at + 1;
        at = skip_digits(fraction, end);
        if (at == fraction) return token;
    }
    int64_t power = leading_power(whole, whole_end, fraction, at);
    if (at < end) {
        if (*at != 'e' && *at != 'E') return token;
        at++;
        bool is_negative = at < end && *at == '-';
        if (at < end && (*at == '+' || *at == '-')) at++;
        if (at == end || skip_digits(at, end) != end) return token;
        int64_t exponent = 0;
        /* The digits of a body, 64 KiB at most, cannot balance an exponent beyond a million. */
        while (at < end && exponent < 10'000'000) exponent = exponent * 10 + (*at++ - '0');
        power += is_negative ? -exponent : exponent;
    }
    token.is_valid = true;
    token.is_whole = whole_end == end;
    token.is_large = power >= 0;
    return token;
}

void overwrite(uint8_t *at, uint8_t *end, std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    std::memset(at + text.size(), ' ', size_t(end - at) - text.size());
}

/* Writes a double over the whole number beyond 64 bits to which it is the nearest one. The shortest
   digits of a double are at most 17, and the number has 19 or more. So there is room for them and
   for an exponent in the place of the others, if the text has no point: 18446744073709552e3. */
void overwrite(uint8_t *at, uint8_t *end, double value) {
    char text[48];
    char *last = std::to_chars(text, text + 32, value, std::chars_format::scientific).ptr;
    char *exponent_mark = std::find(text, last, 'e');
    int exponent = 0;
    /* Behind the mark stands a plus. */
    std::from_chars(exponent_mark + 2, last, exponent);
    char *point = std::find(text, exponent_mark, '.');
    if (point != exponent_mark) {
        exponent -= int(exponent_mark - point) - 1;
        exponent_mark = std::copy(point + 1, exponent_mark, point);
    }
    *exponent_mark = 'e';
    last = std::to_chars(exponent_mark + 1, text + sizeof text, exponent).ptr;
    overwrite(at, end, std::string_view(text, size_t(last - text)));
}

bool replace_if_huge(uint8_t *at, uint8_t *end) {
    Token token = classify(at, end);
    if (!token.is_valid) return false;
    const char *first = reinterpret_cast<const char *>(at);
    const char *last = reinterpret_cast<const char *>(end);
    if (token.is_whole) {
        int64_t narrow;
        uint64_t wide;
        if (std::from_chars(first, last, narrow).ec == std::errc()) return false;
        if (std::from_chars(first, last, wide).ec == std::errc()) return false;
    }
    double value;
    bool is_held = std::from_chars(first, last, value).ec == std::errc();
    if (is_held && token.is_whole) {
        /* The nearest one may be the least integer, which this number is not. */
        constexpr double least = -9223372036854775808.0;
        if (value == least) value = std::nextafter(least, 2 * least);
        overwrite(at, end, value);
        return true;
    }
    /* simdjson reads a number that is too small as 0. */
    if (is_held || !token.is_large) return false;
    overwrite(at, end, "null");
    return true;
}

}  // namespace

bool gs_replace_huge_numbers(uint8_t *text, size_t length) {
    bool replaced = false;
    bool is_in_string = false;
    uint8_t *end = text + length;
    for (uint8_t *at = text; at < end; at++) {
        if (is_in_string) {
            if (*at == '\\') at++;
            else if (*at == '"') is_in_string = false;
        } else if (*at == '"') {
            is_in_string = true;
        } else if (may_continue_number(*at)) {
            uint8_t *start = at;
            while (at < end && may_continue_number(*at)) at++;
            if (replace_if_huge(start, at)) replaced = true;
            at--;
        }
    }
    return replaced;
}
