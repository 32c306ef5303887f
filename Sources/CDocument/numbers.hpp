#pragma once

#include <cstddef>
#include <cstdint>

/* Rewrites, in place, the numbers of a JSON text that are well formed but that no 64 bits hold:
   a whole one becomes ±9e99, one beyond the range of a double null. simdjson refuses a document
   for either. Returns whether anything was rewritten. */
bool gs_replace_huge_numbers(uint8_t *text, size_t length);
