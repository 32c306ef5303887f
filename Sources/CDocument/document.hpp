#pragma once

#include "document.h"

#include <forward_list>
#include <simdjson.h>
#include <string>
#include <vector>

struct gs_document {
    int status = gs_ok;
    std::string message;
    uint32_t line = 0;
    uint32_t column = 0;
    /* Whether a number did not fit into an entry and was replaced. */
    bool is_inexact = false;
    std::vector<gs_entry> entries;
    size_t values_max = SIZE_MAX;
    char first[512];
    size_t used = 0;
    /* A list, because entries point into its strings, which must not move. */
    std::forward_list<std::string> texts;

    void clear() {
        status = gs_ok;
        message.clear();
        line = column = 0;
        is_inexact = false;
        entries.clear();
        texts.clear();
        used = 0;
    }

    void fail(int how, std::string what, uint32_t at_line = 0, uint32_t at_column = 0) {
        status = how;
        message = std::move(what);
        line = at_line;
        column = at_column;
        entries.clear();
    }

    /* The first texts share one block of memory, which is enough for most documents. */
    const char *keep(std::string_view text) {
        if (text.size() > sizeof first - used) return texts.emplace_front(text).data();
        char *place = first + used;
        text.copy(place, text.size());
        used += text.size();
        return place;
    }

    gs_entry &add(uint8_t kind, uint32_t at_line = 0) {
        gs_entry entry = {};
        entry.kind = kind;
        entry.line = at_line;
        return entries.emplace_back(entry);
    }
};

/* Appends a value and all that is below it; false: it is deeper than `depth`, or the document has
   `values_max` values. */
bool gs_append(gs_document &document, simdjson::dom::element value, size_t depth);
