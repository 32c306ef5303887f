#include <chafa.h>
#include <string.h>

#include "pictures.h"

static const char *value_of(char **environment, const char *name) {
    size_t length = strlen(name);
    for (; *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return "";
}

gp_terminal gp_terminal_detect(char **environment) {
    ChafaTermInfo *info = chafa_term_db_detect(chafa_term_db_get_default(), environment);
    const char *term = value_of(environment, "TERM");
    const char *depth = value_of(environment, "COLORTERM");
    gp_terminal found = {gp_symbols, gp_sixteen};
    /* Within a multiplexer, an image would be drawn over its other windows. */
    int is_multiplexed = *value_of(environment, "TMUX") || strncmp(term, "screen", 6) == 0;
    if (!is_multiplexed) {
        if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
            found.graphics = gp_kitty;
        else if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS)
            || strstr(term, "sixel"))
            found.graphics = gp_sixels;
    }
    int has_all = strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0
        || strstr(term, "direct") || found.graphics == gp_kitty;
    if (has_all)
        found.colors = gp_truecolor;
    else if (strstr(term, "256color")
        || chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FG_256))
        found.colors = gp_indexed;
    chafa_term_info_unref(info);
    return found;
}

static ChafaCanvas *canvas_of(
    const uint8_t *pixels, int width, int height, int stride, int columns, int rows,
    ChafaPixelMode mode, ChafaCanvasMode colors) {
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    chafa_canvas_config_set_geometry(config, columns, rows);
    chafa_canvas_config_set_pixel_mode(config, mode);
    chafa_canvas_config_set_canvas_mode(config, colors);
    chafa_canvas_config_set_cell_geometry(
        config, MAX(width / columns, 1), MAX(height / rows, 1));
    /* It is for photographs: it would raise contrasts. */
    chafa_canvas_config_set_preprocessing_enabled(config, FALSE);
    chafa_canvas_config_set_work_factor(config, 0.8f);
    ChafaSymbolMap *symbols = chafa_symbol_map_new();
    /* Every font that has half blocks has these. */
    ChafaSymbolTags tags = CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID
        | CHAFA_SYMBOL_TAG_HALF | CHAFA_SYMBOL_TAG_QUAD;
    if (colors == CHAFA_CANVAS_MODE_FGBG) tags = CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_BRAILLE;
    chafa_symbol_map_add_by_tags(symbols, tags);
    chafa_canvas_config_set_symbol_map(config, symbols);
    chafa_symbol_map_unref(symbols);
    if (colors == CHAFA_CANVAS_MODE_FGBG)
        chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_ORDERED);
    ChafaCanvas *canvas = chafa_canvas_new(config);
    chafa_canvas_config_unref(config);
    chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_BGRA8_PREMULTIPLIED, pixels, width, height, stride);
    return canvas;
}

int gp_cells(
    const uint8_t *pixels, int width, int height, int stride, int columns, int rows, int colors,
    gp_cell *cells) {
    static const ChafaCanvasMode modes[] = {
        CHAFA_CANVAS_MODE_TRUECOLOR, CHAFA_CANVAS_MODE_INDEXED_240, CHAFA_CANVAS_MODE_INDEXED_16,
        CHAFA_CANVAS_MODE_FGBG};
    ChafaCanvas *canvas = canvas_of(
        pixels, width, height, stride, columns, rows, CHAFA_PIXEL_MODE_SYMBOLS, modes[colors]);
    if (!canvas) return 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            gp_cell *cell = &cells[(size_t)y * columns + x];
            int front, back;
            chafa_canvas_get_raw_colors_at(canvas, x, y, &front, &back);
            *cell = (gp_cell){chafa_canvas_get_char_at(canvas, x, y), front, back};
        }
    chafa_canvas_unref(canvas);
    return 1;
}

char *gp_graphics(
    const uint8_t *pixels, int width, int height, int stride, int columns, int rows, int graphics,
    size_t *bytes) {
    int is_kitty = graphics == gp_kitty;
    ChafaCanvas *canvas = canvas_of(
        pixels, width, height, stride, columns, rows,
        is_kitty ? CHAFA_PIXEL_MODE_KITTY : CHAFA_PIXEL_MODE_SIXELS,
        CHAFA_CANVAS_MODE_TRUECOLOR);
    ChafaTermInfo *info = chafa_term_db_get_fallback_info(chafa_term_db_get_default());
    GString *text = chafa_canvas_print(canvas, info);
    chafa_term_info_unref(info);
    chafa_canvas_unref(canvas);
    *bytes = text->len;
    return g_string_free(text, FALSE);
}

void gp_graphics_free(char *command) { g_free(command); }
