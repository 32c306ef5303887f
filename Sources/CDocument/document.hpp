#pragma once

#include "document.h"

#include <deque>
#include <string>
#include <vector>

struct gs_document {
    int status = gs_ok;
    std::string message;
    uint32_t line = 0;
    uint32_t column = 0;
    std::vector<gs_entry> entries;
    /* A deque, because entries point into its strings and those must not move. */
    std::deque<std::string> texts;

    void fail(int how, std::string what, uint32_t at_line = 0, uint32_t at_column = 0) {
        status = how;
        message = std::move(what);
        line = at_line;
        column = at_column;
        entries.clear();
    }

    const char *keep(std::string_view text) { return texts.emplace_back(text).data(); }

    gs_entry &add(uint8_t kind, uint32_t at_line = 0) {
        gs_entry entry = {};
        entry.kind = kind;
        entry.line = at_line;
        return entries.emplace_back(entry);
    }
};
