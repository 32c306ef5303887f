#include <stdint.h>

/* Swift's runtime has the name of each character of Unicode, as GREEK SMALL LETTER ALPHA, in tables
   of half a megabyte. Nothing here asks for one, but the linker cannot know: installed programs are
   linked with `--wrap=_swift_stdlib_getScalarName`, which calls this function in its place and
   leaves the tables out. No character has a name then (`Unicode.Scalar.Properties.name` is nil). */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *name, intptr_t capacity);

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *name, intptr_t capacity) {
    (void)scalar, (void)name, (void)capacity;
    return 0;
}
