#include "server.h"

int gw_is_utf8(const uint8_t *bytes, size_t count) {
    size_t place = 0;
    while (place < count) {
        uint8_t lead = bytes[place++];
        if (lead < 0x80) continue;
        int more = lead >= 0xC2 && lead <= 0xDF ? 1 : (lead & 0xF0) == 0xE0 ? 2
                   : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
        if (more == 0 || count - place < (size_t)more) return 0;
        /* Longer forms than needed, surrogates, and what lies beyond Unicode. */
        uint8_t lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        for (; more > 0; more--) {
            uint8_t next = bytes[place++];
            if (next < lowest || next > highest) return 0;
            lowest = 0x80;
            highest = 0xBF;
        }
    }
    return 1;
}
