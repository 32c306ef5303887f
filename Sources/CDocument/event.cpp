#include "document.hpp"
#include "numbers.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

namespace dom = simdjson::dom;

/* The words of a plain body up to its first number, and what they say. A publisher's bodies mostly
   begin alike, so the next one need not be read word by word. */
struct beginning {
    char text[128];
    /* 0: there is none. */
    size_t length = 0;
    /* Those that are there, one bit each, with texts from above. */
    uint32_t members = 0;
    gs_fields fields = {};
    /* The member whose number follows, in the parser's fields. */
    gs_field *next = nullptr;
};

struct gs_event_parser {
    dom::parser parser;
    beginning known;
    std::unique_ptr<uint8_t[]> text;
    size_t capacity = 0;
    gs_fields fields = {};
    /* The fields that the last body may have set, one bit each: a body has few of them. */
    uint32_t members = 0;
    /* The members of the last body that was asked for as a tree. */
    gs_document tree;
};

namespace {

/* The members in question, by length and then by name; null for one that no event knows. */
gs_field *find(gs_fields &fields, std::string_view key) {
    const char *name = key.data();
    auto is = [name](const char *other, size_t length) {
        return std::memcmp(name, other, length) == 0;
    };
    switch (key.size()) {
    case 1:
        if (*name == 'x') return &fields.x;
        if (*name == 'y') return &fields.y;
        if (*name == 't') return &fields.t;
        return nullptr;
    case 2:
        if (is("vx", 2)) return &fields.vx;
        if (is("vy", 2)) return &fields.vy;
        if (is("dx", 2)) return &fields.dx;
        if (is("dy", 2)) return &fields.dy;
        if (is("id", 2)) return &fields.id;
        return nullptr;
    case 3:
        if (is("row", 3)) return &fields.row;
        if (is("add", 3)) return &fields.add;
        if (is("set", 3)) return &fields.set;
        return nullptr;
    case 4:
        if (is("kind", 4)) return &fields.kind;
        if (is("user", 4)) return &fields.user;
        if (is("data", 4)) return &fields.data;
        return nullptr;
    case 5:
        if (is("phase", 5)) return &fields.phase;
        if (is("index", 5)) return &fields.index;
        if (is("scale", 5)) return &fields.scale;
        if (is("angle", 5)) return &fields.angle;
        if (is("scene", 5)) return &fields.scene;
        return nullptr;
    case 6: return is("offset", 6) ? &fields.offset : is("symbol", 6) ? &fields.symbol : nullptr;
    case 7:
        if (is("gesture", 7)) return &fields.gesture;
        if (is("pointer", 7)) return &fields.pointer;
        if (is("command", 7)) return &fields.command;
        return nullptr;
    case 8:
        if (is("velocity", 8)) return &fields.velocity;
        if (is("momentum", 8)) return &fields.momentum;
        if (is("pressure", 8)) return &fields.pressure;
        return nullptr;
    case 9: return is("direction", 9) ? &fields.direction : nullptr;
    default: return nullptr;
    }
}

constexpr uint32_t all_members = (uint32_t(1) << (sizeof(gs_fields) / sizeof(gs_field))) - 1;

gs_field *first(gs_fields &fields) { return reinterpret_cast<gs_field *>(&fields); }

/* Makes some fields what they are in others. */
void copy(uint32_t members, gs_fields &from, gs_fields &to) {
    for (; members; members &= members - 1) {
        size_t index = size_t(__builtin_ctz(members));
        first(to)[index] = first(from)[index];
    }
}

/* Forgets the last body. */
void clear(gs_event_parser &parser) {
    static gs_fields none = {};
    copy(parser.members, none, parser.fields);
    parser.members = 0;
}

void fill(gs_field &field, dom::element value) {
    switch (value.type()) {
    case dom::element_type::NULL_VALUE: field.kind = gs_null; return;
    case dom::element_type::BOOL:
        field.kind = bool(value.get_bool().value_unsafe()) ? gs_true : gs_false;
        return;
    case dom::element_type::INT64:
        field.kind = gs_integer;
        field.integer = value.get_int64().value_unsafe();
        field.number = double(field.integer);
        return;
    case dom::element_type::UINT64:
        field.kind = gs_number;
        field.number = double(value.get_uint64().value_unsafe());
        return;
    case dom::element_type::DOUBLE:
        field.kind = gs_number;
        field.number = value.get_double().value_unsafe();
        return;
    case dom::element_type::STRING: {
        std::string_view text = value.get_string().value_unsafe();
        field.kind = gs_string;
        field.text = text.data();
        field.length = uint32_t(text.size());
        return;
    }
    case dom::element_type::ARRAY: field.kind = gs_array; return;
    case dom::element_type::OBJECT: field.kind = gs_object; return;
    }
}

/* Whether at most so many containers stand within each other. */
bool is_within(dom::element value, size_t depth) {
    if (value.is_array()) {
        if (depth == 0) return false;
        dom::array array = value.get_array().value_unsafe();
        for (dom::element child : array) {
            if (!is_within(child, depth - 1)) return false;
        }
    } else if (value.is_object()) {
        if (depth == 0) return false;
        dom::object object = value.get_object().value_unsafe();
        for (dom::key_value_pair member : object) {
            if (!is_within(member.value, depth - 1)) return false;
        }
    }
    return true;
}

/* The high bits of the bytes that are no plain ASCII, and of quotes and backslashes. The lowest one
   is exact: a byte above it may be reported for the one below. */
uint64_t not_plain(uint64_t eight) {
    const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    uint64_t quote = eight ^ (ones * '"'), backslash = eight ^ (ones * '\\');
    uint64_t found = eight | (eight - ones * 0x20) | ((quote - ones) & ~quote) |
                     ((backslash - ones) & ~backslash);
    return found & highs;
}

/* Reads a body as most publishers write a sample: one object of members that events know, with
   plain numbers, strings of plain ASCII and at most one space behind a colon or a comma. It needs
   half of the instructions that a parser of all JSON needs. Each function returns false for
   anything else, which the parser then reads or refuses. */
class plain_body {
public:
    plain_body(const char *begin, const char *end) : begin(begin), at(begin), end(end) {}

    bool read(gs_event_parser &parser) {
        gs_field *field = begins_as(parser.known) ? parser.known.next : nullptr;
        bool is_known = field;
        if (is_known) {
            copy(parser.known.members, parser.known.fields, parser.fields);
            parser.members = parser.known.members;
            at += parser.known.length;
        } else if (!take('{')) {
            return false;
        }
        do {
            if (!field && !member(parser.fields, field)) return false;
            parser.members |= uint32_t(1) << (field - first(parser.fields));
            if (at != end && *at == '"') {
                if (!text(*field)) return false;
            } else {
                if (!is_known) learn(parser, field);
                is_known = true;
                if (!number(*field)) return false;
            }
            field = nullptr;
        } while (take(','));
        return take('}') && at == end;
    }

private:
    const char *const begin;
    const char *at;
    const char *const end;

    bool begins_as(const beginning &known) {
        return known.length && size_t(end - begin) > known.length &&
               std::memcmp(begin, known.text, known.length) == 0;
    }

    /* Keeps what was read up to here: the number of `next` follows. */
    void learn(gs_event_parser &parser, gs_field *next) {
        beginning &known = parser.known;
        known.length = 0;
        size_t length = size_t(at - begin);
        if (length > sizeof known.text) return;
        std::memcpy(known.text, begin, length);
        known.members = parser.members & ~(uint32_t(1) << (next - first(parser.fields)));
        copy(known.members, parser.fields, known.fields);
        for (uint32_t rest = known.members; rest; rest &= rest - 1) {
            gs_field &field = first(known.fields)[__builtin_ctz(rest)];
            if (field.text) field.text = known.text + (field.text - begin);
        }
        known.next = next;
        known.length = length;
    }

    /* Reads a member's name, up to its value. */
    bool member(gs_fields &fields, gs_field *&field) {
        skip_space();
        std::string_view key;
        if (!string(key)) return false;
        field = find(fields, key);
        /* A body with a command, or with data, may be asked for as a tree, which only the parser
           makes: else the tree would be that of an earlier body, or of none. */
        if (!field || field == &fields.command || field == &fields.data) return false;
        if (!take(':')) return false;
        skip_space();
        return true;
    }

    bool take(char byte) {
        if (at == end || *at != byte) return false;
        ++at;
        return true;
    }

    void skip_space() { take(' '); }

    bool string(std::string_view &text) {
        if (!take('"')) return false;
        const char *start = at;
        /* Names and words are short: eight bytes at once find the end of most. */
        while (end - at >= 8) {
            uint64_t eight;
            std::memcpy(&eight, at, 8);
            uint64_t others = not_plain(eight);
            if (others) {
                at += __builtin_ctzll(others) / 8;
                text = {start, size_t(at - start)};
                return take('"');
            }
            at += 8;
        }
        while (at != end && *at != '"') {
            uint8_t byte = uint8_t(*at);
            if (byte < 0x20 || byte >= 0x80 || byte == '\\') return false;
            ++at;
        }
        text = {start, size_t(at - start)};
        return take('"');
    }

    bool text(gs_field &field) {
        std::string_view text;
        if (!string(text)) return false;
        field.kind = gs_string;
        field.text = text.data();
        field.length = uint32_t(text.size());
        return true;
    }

    /* Adds a row of digits to a number; returns how many they were. */
    size_t digits(uint64_t &number) {
        const char *start = at;
        while (at != end && *at >= '0' && *at <= '9') number = number * 10 + uint64_t(*at++ - '0');
        return size_t(at - start);
    }

    bool number(gs_field &field) {
        static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                        1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};
        bool is_negative = take('-');
        const char *start = at;
        uint64_t all = 0;
        size_t whole = digits(all), fraction = 0;
        if (whole == 0 || (whole > 1 && *start == '0')) return false;
        bool has_point = take('.');
        if (has_point) {
            fraction = digits(all);
            if (fraction == 0) return false;
        }
        /* Up to here both are exact as doubles, so their quotient is the nearest one. */
        if (whole + fraction > 16 || all > uint64_t(1) << 53) return false;
        if (at != end && (*at == 'e' || *at == 'E')) return false;
        if (has_point) {
            double magnitude = double(all) / powers[fraction];
            field.kind = gs_number;
            field.number = is_negative ? -magnitude : magnitude;
        } else {
            field.kind = gs_integer;
            field.integer = is_negative ? -int64_t(all) : int64_t(all);
            field.number = double(field.integer);
        }
        return true;
    }
};

int read(gs_event_parser &parser, const uint8_t *bytes, size_t length, size_t depth_max) {
    if (length == 0) return gs_empty;
    if (length > parser.capacity) return gs_no_memory;
    const char *plain = reinterpret_cast<const char *>(bytes);
    clear(parser);
    if (plain_body(plain, plain + length).read(parser)) return gs_ok;
    uint8_t *text = parser.text.get();
    std::memcpy(text, bytes, length);
    /* Stale bytes behind the text are harmless: the padding is read, never parsed. */
    dom::element root;
    auto error = parser.parser.parse(text, length, false).get(root);
    if (error == simdjson::NUMBER_ERROR && gs_replace_huge_numbers(text, length)) {
        error = parser.parser.parse(text, length, false).get(root);
    }
    switch (error) {
    case simdjson::SUCCESS: break;
    case simdjson::MEMALLOC: return gs_no_memory;
    case simdjson::UTF8_ERROR: return gs_not_utf8;
    case simdjson::EMPTY: return gs_empty;
    case simdjson::DEPTH_ERROR: return gs_too_deep;
    default: return gs_malformed;
    }
    dom::object object;
    if (root.get_object().get(object)) return gs_not_object;
    clear(parser);
    parser.members = all_members;
    for (dom::key_value_pair member : object) {
        /* Most events have no containers, and cost nothing more here. */
        bool holds_others = member.value.is_object() || member.value.is_array();
        if (holds_others && !is_within(member.value, depth_max - 1)) return gs_too_deep;
        gs_field *field = find(parser.fields, member.key);
        if (field) fill(*field, member.value);
    }
    return gs_ok;
}

}  // namespace

extern "C" gs_event_parser *gs_event_parser_open(size_t capacity) {
    try {
        auto parser = std::make_unique<gs_event_parser>();
        parser->text = std::make_unique<uint8_t[]>(capacity + simdjson::SIMDJSON_PADDING);
        parser->capacity = capacity;
        /* All at once, so that no event ever waits for memory. */
        if (parser->parser.allocate(capacity)) return nullptr;
        return parser.release();
    } catch (...) {
        return nullptr;
    }
}

extern "C" void gs_event_parser_close(gs_event_parser *parser) { delete parser; }

extern "C" int gs_event_parser_read(gs_event_parser *parser, const uint8_t *bytes, size_t length,
                                    size_t depth_max) {
    try {
        int status = read(*parser, bytes, length, depth_max);
        if (status != gs_ok) clear(*parser);
        return status;
    } catch (...) {
        clear(*parser);
        return gs_no_memory;
    }
}

extern "C" const gs_document *gs_event_parser_tree(gs_event_parser *parser, size_t depth_max) {
    gs_document &tree = parser->tree;
    try {
        tree.clear();
        /* The last parsed document is still there: nothing is read twice. */
        if (!gs_append(tree, parser->parser.doc.root(), depth_max)) {
            tree.fail(gs_too_deep, "nested too deep");
        }
    } catch (...) {
        tree.fail(gs_no_memory, {});
    }
    return &tree;
}

extern "C" const gs_fields *gs_event_parser_fields(const gs_event_parser *parser) {
    return &parser->fields;
}
