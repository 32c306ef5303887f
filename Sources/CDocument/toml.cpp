#include <algorithm>
#include <vector>

#include "document.hpp"

/* Debian's package has the implementation in a shared library. */
#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

namespace {

/* Dots in one dotted key. The library frees its tables recursively and does not bound how deep a
   dotted key nests them. */
constexpr size_t dots_max = 32;

/* The line of a dotted key that is too long, or 0. This also refuses a text with that many dots
   and no comma in one line, which no configuration needs. */
uint32_t line_of_endless_key(std::string_view text) {
    size_t dots = 0;
    uint32_t line = 1;
    for (char c : text) {
        if (c == '.') dots++;
        if (dots > dots_max) return line;
        if (c == '\n') line++;
        if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots = 0;
    }
    return 0;
}

bool append(gs_document &document, const toml::node &value, uint32_t line, size_t depth,
            bool in_order = false);

struct member {
    const toml::key *key;
    const toml::node *value;
};

/* Whether a table is a text by language, where it stands at this key. The first language has a
   meaning, so these tables keep the order of the file; the library sorts all others. */
bool is_by_language(std::string_view key, const toml::node &value) {
    auto *table = value.as_table();
    if (!table || (key != "text" && key != "title" && key != "summary" && key != "label"))
        return false;
    return std::all_of(table->begin(), table->end(),
                       [](auto &&member) { return member.second.is_string(); });
}

std::vector<member> members(const toml::table &table, bool in_order) {
    std::vector<member> found;
    for (auto &&[key, value] : table) found.push_back({&key, &value});
    if (in_order) {
        std::sort(found.begin(), found.end(), [](const member &one, const member &other) {
            auto place = one.key->source().begin, next = other.key->source().begin;
            return place.line != next.line ? place.line < next.line : place.column < next.column;
        });
    }
    return found;
}

bool append_children(gs_document &document, const toml::table &table, size_t depth,
                     bool in_order) {
    for (auto &&[key, value] : members(table, in_order)) {
        size_t child = document.entries.size();
        uint32_t line = uint32_t(key->source().begin.line);
        bool by_language = is_by_language(key->str(), *value);
        if (!append(document, *value, line, depth, by_language)) return false;
        document.entries[child].key = document.keep(key->str());
        document.entries[child].key_length = key->str().size();
    }
    return true;
}

/* Returns false, with the error in the document, for nesting that is too deep. */
bool append(gs_document &document, const toml::node &value, uint32_t line, size_t depth,
            bool in_order) {
    if (depth == 0 && (value.is_array() || value.is_table())) {
        document.fail(gs_too_deep, "nested too deep", line, 0);
        return false;
    }
    gs_entry &entry = document.add(gs_null, line);
    if (auto *text = value.as_string()) {
        entry.kind = gs_string;
        entry.text = document.keep(text->get());
        entry.text_length = text->get().size();
    } else if (auto *whole = value.as_integer()) {
        entry.kind = gs_integer;
        entry.integer = whole->get();
        entry.number = double(whole->get());
    } else if (auto *number = value.as_floating_point()) {
        entry.kind = gs_number;
        entry.number = number->get();
    } else if (auto *truth = value.as_boolean()) {
        entry.kind = truth->get() ? gs_true : gs_false;
    } else if (auto *array = value.as_array()) {
        entry.kind = gs_array;
        entry.children = array->size();
        for (auto &&child : *array) {
            uint32_t child_line = uint32_t(child.source().begin.line);
            if (!append(document, child, child_line, depth - 1)) return false;
        }
    } else if (auto *table = value.as_table()) {
        entry.kind = gs_object;
        entry.children = table->size();
        return append_children(document, *table, depth - 1, in_order);
    }
    /* A date or a time stays null, which TOML does not have: the caller names its place. */
    return true;
}

void read_toml(gs_document &document, std::string_view text, size_t depth_max) {
    if (uint32_t line = line_of_endless_key(text)) {
        return document.fail(gs_too_deep, "nested too deep", line, 0);
    }
    try {
        toml::table table = toml::parse(text);
        append(document, table, 1, depth_max);
    } catch (const toml::parse_error &error) {
        auto begin = error.source().begin;
        document.fail(gs_malformed, std::string(error.description()), uint32_t(begin.line),
                      uint32_t(begin.column));
    }
}

}  // namespace

extern "C" gs_document *gs_document_toml(const uint8_t *bytes, size_t length, size_t depth_max) {
    auto *document = new (std::nothrow) gs_document;
    if (!document) return nullptr;
    try {
        auto *text = reinterpret_cast<const char *>(bytes);
        read_toml(*document, std::string_view(length ? text : "", length), depth_max);
    } catch (...) {
        document->entries.clear();
        document->status = gs_no_memory;
    }
    return document;
}
