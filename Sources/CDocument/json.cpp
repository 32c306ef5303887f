#include "document.hpp"
#include "numbers.hpp"

#include <cstring>
#include <memory>
#include <simdjson.h>

namespace dom = simdjson::dom;

bool gs_append(gs_document &document, dom::element value, size_t depth) {
    size_t place = document.entries.size();
    if (place >= document.values_max) return false;
    gs_entry &entry = document.add(gs_null);
    switch (value.type()) {
    case dom::element_type::NULL_VALUE: return true;
    case dom::element_type::BOOL:
        entry.kind = bool(value.get_bool().value_unsafe()) ? gs_true : gs_false;
        return true;
    case dom::element_type::INT64:
        entry.kind = gs_integer;
        entry.integer = value.get_int64().value_unsafe();
        entry.number = double(entry.integer);
        return true;
    case dom::element_type::UINT64:
        entry.kind = gs_unsigned;
        entry.integer = int64_t(value.get_uint64().value_unsafe());
        entry.number = double(value.get_uint64().value_unsafe());
        return true;
    case dom::element_type::DOUBLE:
        entry.kind = gs_number;
        entry.number = value.get_double().value_unsafe();
        return true;
    case dom::element_type::STRING: {
        std::string_view text = value.get_string().value_unsafe();
        entry.kind = gs_string;
        entry.text = document.keep(text);
        entry.text_length = text.size();
        return true;
    }
    case dom::element_type::ARRAY: {
        entry.kind = gs_array;
        if (depth == 0) return false;
        size_t children = 0;
        /* Not in the loop's head: the result that owns it would end too early. */
        dom::array array = value.get_array().value_unsafe();
        for (dom::element child : array) {
            if (!gs_append(document, child, depth - 1)) return false;
            children++;
        }
        document.entries[place].children = children;
        return true;
    }
    case dom::element_type::OBJECT: {
        entry.kind = gs_object;
        if (depth == 0) return false;
        size_t children = 0;
        dom::object object = value.get_object().value_unsafe();
        for (dom::key_value_pair member : object) {
            size_t child = document.entries.size();
            if (!gs_append(document, member.value, depth - 1)) return false;
            document.entries[child].key = document.keep(member.key);
            document.entries[child].key_length = member.key.size();
            children++;
        }
        document.entries[place].children = children;
        return true;
    }
    }
    return false;
}

namespace {

int status_of(simdjson::error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return gs_ok;
    case simdjson::MEMALLOC: return gs_no_memory;
    case simdjson::UTF8_ERROR: return gs_not_utf8;
    case simdjson::EMPTY: return gs_empty;
    case simdjson::DEPTH_ERROR: return gs_too_deep;
    default: return gs_malformed;
    }
}

/* Parses `text`, which has simdjson's padding behind it and may be rewritten. */
simdjson::error_code parse(dom::parser &parser, uint8_t *text, size_t length, dom::element &root,
                           bool &is_inexact) {
    auto error = parser.parse(text, length, false).get(root);
    if (error != simdjson::NUMBER_ERROR || !gs_replace_huge_numbers(text, length)) return error;
    is_inexact = true;
    return parser.parse(text, length, false).get(root);
}

constexpr size_t kept_length_max = 4096;

void read_json(gs_document &document, const uint8_t *bytes, size_t length, size_t depth_max) {
    std::vector<uint8_t> text(length + simdjson::SIMDJSON_PADDING);
    if (length > 0) std::memcpy(text.data(), bytes, length);
    /* Small texts, such as requests, reuse the memory of one parser. */
    static thread_local dom::parser kept(kept_length_max);
    dom::parser own;
    dom::parser &parser = length <= kept_length_max ? kept : own;
    dom::element root;
    auto error = parse(parser, text.data(), length, root, document.is_inexact);
    /* Most values take more than that many bytes of a text. */
    if (!error) document.entries.reserve(length / 16);
    int status = status_of(error);
    if (!error && !gs_append(document, root, depth_max)) {
        bool is_full = document.entries.size() >= document.values_max;
        status = is_full ? gs_too_many : gs_too_deep;
    }
    switch (status) {
    case gs_ok: return;
    case gs_no_memory: return document.fail(status, "no memory");
    case gs_not_utf8: return document.fail(status, "not JSON: not UTF-8");
    case gs_empty: return document.fail(status, "not JSON: empty");
    case gs_too_deep: return document.fail(status, "nested too deep");
    case gs_too_many:
        return document.fail(
            status, "more than " + std::to_string(document.values_max) + " values");
    default: return document.fail(status, "not JSON");
    }
}

}  // namespace

extern "C" gs_document *gs_document_json(
    const uint8_t *bytes, size_t length, size_t depth_max, size_t values_max) {
    auto *document = new (std::nothrow) gs_document;
    if (!document) return nullptr;
    document->values_max = values_max;
    try {
        read_json(*document, bytes, length, depth_max);
    } catch (...) {
        document->entries.clear();
        document->status = gs_no_memory;
    }
    return document;
}

extern "C" int gs_json_check(const uint8_t *bytes, size_t length) {
    try {
        std::vector<uint8_t> text(length + simdjson::SIMDJSON_PADDING);
        if (length > 0) std::memcpy(text.data(), bytes, length);
        dom::parser parser;
        dom::element root;
        bool is_inexact = false;
        return status_of(parse(parser, text.data(), length, root, is_inexact));
    } catch (...) {
        return gs_no_memory;
    }
}

extern "C" void gs_document_close(gs_document *document) { delete document; }
extern "C" int gs_document_status(const gs_document *document) { return document->status; }
extern "C" bool gs_document_is_inexact(const gs_document *document) {
    return document->is_inexact;
}
extern "C" const char *gs_document_message(const gs_document *document) {
    return document->message.c_str();
}
extern "C" uint32_t gs_document_error_line(const gs_document *document) { return document->line; }
extern "C" uint32_t gs_document_error_column(const gs_document *document) {
    return document->column;
}
extern "C" const gs_entry *gs_document_entries(const gs_document *document) {
    return document->entries.data();
}
extern "C" size_t gs_document_entry_count(const gs_document *document) {
    return document->entries.size();
}
