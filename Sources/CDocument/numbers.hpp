#pragma once

#include <cstddef>
#include <cstdint>

/* Replaces, in place, valid numbers of a JSON text that do not fit into 64 bits: a whole number
   becomes the nearest double, a number beyond the range of a double null. simdjson refuses a
   document with either. Returns whether it replaced anything. */
bool gs_replace_huge_numbers(uint8_t *text, size_t length);
