#include <math.h>
#include <pango/pangocairo.h>
#include <cairo-svg.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#include "pictures.h"

/* The least area in pixels that one point of area becomes, the most pixels of a point's side, and
   the pixels from the origin to a place: beyond them nothing is drawn. */
#define DETERMINANT_MIN 1e-12
#define SCALE_MAX 1e5
#define PLACE_MAX 1e9
/* Pixels of a letter's size, and pixels of a point at which there are letters. Where FreeType
   refuses larger ones, cairo stops drawing for good and pango complains to standard error. */
#define LETTER_MAX 6000.0
/* The same, times the pixels of a point once more: pango hands FreeType both as 16 bits. */
#define LETTER_PRODUCT_MAX 60000.0
#define LETTER_SCALE_MAX 100.0

struct gp_canvas {
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoContext *context;
    int is_svg;
    uint8_t *bytes;
    size_t count, room;
    int failed;
};

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length) {
    gp_canvas *canvas = closure;
    if (canvas->count + length > canvas->room) {
        size_t room = 2 * (canvas->count + length);
        uint8_t *bytes = realloc(canvas->bytes, room);
        if (!bytes) {
            canvas->failed = 1;
            return CAIRO_STATUS_NO_MEMORY;
        }
        canvas->bytes = bytes;
        canvas->room = room;
    }
    memcpy(canvas->bytes + canvas->count, data, length);
    canvas->count += length;
    return CAIRO_STATUS_SUCCESS;
}

static gp_canvas *prepare(gp_canvas *canvas) {
    canvas->cairo = cairo_create(canvas->surface);
    if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS) {
        gp_canvas_free(canvas);
        return NULL;
    }
    canvas->context = pango_cairo_create_context(canvas->cairo);
    /* Points are points, and letters stand where they would at any scale. */
    pango_cairo_context_set_resolution(canvas->context, 72);
    pango_context_set_round_glyph_positions(canvas->context, FALSE);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(canvas->context, options);
    cairo_font_options_destroy(options);
    return canvas;
}

gp_canvas *gp_canvas_pixels(int width, int height, double scale) {
    gp_canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas) return NULL;
    canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    canvas = prepare(canvas);
    if (canvas) cairo_scale(canvas->cairo, scale, scale);
    return canvas;
}

gp_canvas *gp_canvas_svg(double width, double height) {
    gp_canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas) return NULL;
    canvas->is_svg = 1;
    canvas->surface = cairo_svg_surface_create_for_stream(append, canvas, width, height);
    cairo_svg_surface_set_document_unit(canvas->surface, CAIRO_SVG_UNIT_PX);
    return prepare(canvas);
}

void gp_canvas_free(gp_canvas *canvas) {
    if (!canvas) return;
    if (canvas->context) g_object_unref(canvas->context);
    if (canvas->cairo) cairo_destroy(canvas->cairo);
    if (canvas->surface) cairo_surface_destroy(canvas->surface);
    free(canvas->bytes);
    free(canvas);
}

void gp_save(gp_canvas *canvas) { cairo_save(canvas->cairo); }
void gp_restore(gp_canvas *canvas) { cairo_restore(canvas->cairo); }

void gp_transform_get(gp_canvas *canvas, gp_matrix *matrix) {
    cairo_matrix_t now;
    cairo_get_matrix(canvas->cairo, &now);
    double across = 1, down = 1;
    /* The pixels of a unit of the device stand beside the matrix. */
    cairo_surface_get_device_scale(cairo_get_target(canvas->cairo), &across, &down);
    *matrix = (gp_matrix){now.xx * across, now.yx * down, now.xy * across,
                          now.yy * down, now.x0 * across, now.y0 * down};
}

void gp_transform(gp_canvas *canvas, double a, double b, double c, double d, double e, double f) {
    cairo_matrix_t matrix, whole;
    cairo_matrix_init(&matrix, a, b, c, d, e, f);
    cairo_get_matrix(canvas->cairo, &whole);
    cairo_matrix_multiply(&whole, &matrix, &whole);
    /* Cairo stops drawing for good at a matrix without an inverse, and parts the arcs of a huge
       one without end: what nests so many scales has nothing to be seen. */
    double size = fabs(whole.xx) + fabs(whole.xy) + fabs(whole.yx) + fabs(whole.yy);
    double place = fabs(whole.x0) + fabs(whole.y0);
    if (!(fabs(whole.xx * whole.yy - whole.xy * whole.yx) > DETERMINANT_MIN)
        || !(size < SCALE_MAX) || !(place < PLACE_MAX)) {
        cairo_rectangle(canvas->cairo, 0, 0, 0, 0);
        cairo_clip(canvas->cairo);
        return;
    }
    cairo_transform(canvas->cairo, &matrix);
}

void gp_group_begin(gp_canvas *canvas) { cairo_push_group(canvas->cairo); }

void gp_group_end(gp_canvas *canvas, double alpha) {
    cairo_pop_group_to_source(canvas->cairo);
    cairo_paint_with_alpha(canvas->cairo, alpha);
}

void gp_move(gp_canvas *canvas, double x, double y) { cairo_move_to(canvas->cairo, x, y); }
void gp_line(gp_canvas *canvas, double x, double y) { cairo_line_to(canvas->cairo, x, y); }

void gp_curve(
    gp_canvas *canvas, double x1, double y1, double x2, double y2, double x, double y) {
    cairo_curve_to(canvas->cairo, x1, y1, x2, y2, x, y);
}

void gp_arc(gp_canvas *canvas, double x, double y, double radius, double from, double to) {
    cairo_arc(canvas->cairo, x, y, radius, from, to);
}

void gp_close(gp_canvas *canvas) { cairo_close_path(canvas->cairo); }

void gp_clip(gp_canvas *canvas) {
    cairo_clip(canvas->cairo);
    cairo_new_path(canvas->cairo);
}

static void set_color(cairo_t *cairo, gp_color color) {
    cairo_set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha);
}

void gp_fill(gp_canvas *canvas, gp_color color) {
    set_color(canvas->cairo, color);
    cairo_fill(canvas->cairo);
}

static void fill_pattern(
    cairo_t *cairo, cairo_pattern_t *pattern, const gp_stop *stops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gp_color color = stops[i].color;
        cairo_pattern_add_color_stop_rgba(
            pattern, stops[i].at, color.red, color.green, color.blue, color.alpha);
    }
    cairo_set_source(cairo, pattern);
    cairo_fill(cairo);
    cairo_pattern_destroy(pattern);
}

void gp_fill_linear(
    gp_canvas *canvas, double x0, double y0, double x1, double y1, const gp_stop *stops,
    size_t count) {
    fill_pattern(canvas->cairo, cairo_pattern_create_linear(x0, y0, x1, y1), stops, count);
}

void gp_fill_radial(
    gp_canvas *canvas, double x, double y, double radius, const gp_stop *stops, size_t count) {
    fill_pattern(
        canvas->cairo, cairo_pattern_create_radial(x, y, 0, x, y, radius), stops, count);
}

void gp_stroke(gp_canvas *canvas, double width, gp_color color, double dash) {
    cairo_t *cairo = canvas->cairo;
    set_color(cairo, color);
    cairo_set_line_width(cairo, width);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cairo, &dash, dash > 0, 0);
    cairo_stroke(cairo);
}

static double scale_of(gp_canvas *canvas) {
    cairo_matrix_t whole;
    cairo_get_matrix(canvas->cairo, &whole);
    return fmax(hypot(whole.xx, whole.yx), hypot(whole.xy, whole.yy));
}

static PangoLayout *layout_of(gp_canvas *canvas, const gp_text *text) {
    pango_cairo_update_context(canvas->cairo, canvas->context);
    PangoLayout *layout = pango_layout_new(canvas->context);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, text->family);
    double scale = scale_of(canvas);
    double size = fmin(text->size, LETTER_MAX / scale);
    size = fmin(size, LETTER_PRODUCT_MAX / (scale * scale));
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_font_description_set_weight(font, (PangoWeight)text->weight);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout, text->text, (int)text->bytes);
    if (text->spacing > 0) pango_layout_set_line_spacing(layout, (float)text->spacing);
    if (text->wrap >= 0) {
        static const PangoAlignment alignments[] = {
            PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT};
        pango_layout_set_width(layout, (int)(text->wrap * PANGO_SCALE));
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
        pango_layout_set_alignment(layout, alignments[text->alignment]);
    }
    if (text->lines > 0) {
        pango_layout_set_height(layout, -text->lines);
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    }
    return layout;
}

gp_size gp_text_size(gp_canvas *canvas, const gp_text *text) {
    if (scale_of(canvas) > LETTER_SCALE_MAX) return (gp_size){0, 0};
    PangoLayout *layout = layout_of(canvas, text);
    int width, height;
    pango_layout_get_size(layout, &width, &height);
    g_object_unref(layout);
    return (gp_size){(double)width / PANGO_SCALE, (double)height / PANGO_SCALE};
}

void gp_text_draw(gp_canvas *canvas, const gp_text *text, double x, double y, gp_color color) {
    if (scale_of(canvas) > LETTER_SCALE_MAX) return;
    PangoLayout *layout = layout_of(canvas, text);
    set_color(canvas->cairo, color);
    cairo_move_to(canvas->cairo, x, y);
    pango_cairo_show_layout(canvas->cairo, layout);
    cairo_new_path(canvas->cairo);
    g_object_unref(layout);
}

struct gp_photo {
    cairo_surface_t *surface;
};

gp_photo *gp_photo_new(const uint8_t *data, size_t bytes, int side_max) {
    int width = 0, height = 0;
    if (!WebPGetInfo(data, bytes, &width, &height)) return NULL;
    if (width < 1 || height < 1 || width > side_max || height > side_max) return NULL;
    gp_photo *photo = calloc(1, sizeof *photo);
    if (!photo) return NULL;
    /* Without alpha: the fourth byte of a pixel counts for nothing. */
    photo->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    uint8_t *pixels = cairo_image_surface_get_data(photo->surface);
    int stride = cairo_image_surface_get_stride(photo->surface);
    if (!pixels || !WebPDecodeBGRAInto(data, bytes, pixels, (size_t)stride * height, stride)) {
        gp_photo_free(photo);
        return NULL;
    }
    cairo_surface_mark_dirty(photo->surface);
    return photo;
}

void gp_photo_free(gp_photo *photo) {
    if (!photo) return;
    cairo_surface_destroy(photo->surface);
    free(photo);
}

void gp_photo_draw(gp_canvas *canvas, gp_photo *photo, double width, double height) {
    double across = cairo_image_surface_get_width(photo->surface);
    double down = cairo_image_surface_get_height(photo->surface);
    double scale = fmax(width / across, height / down);
    if (!(scale > 0) || !(scale < SCALE_MAX)) return;
    cairo_save(canvas->cairo);
    cairo_rectangle(canvas->cairo, 0, 0, width, height);
    cairo_clip(canvas->cairo);
    cairo_translate(
        canvas->cairo, (width - across * scale) / 2, (height - down * scale) / 2);
    cairo_scale(canvas->cairo, scale, scale);
    cairo_set_source_surface(canvas->cairo, photo->surface, 0, 0);
    /* Its edges are not mixed with what lies beyond them. */
    cairo_pattern_set_extend(cairo_get_source(canvas->cairo), CAIRO_EXTEND_PAD);
    cairo_paint(canvas->cairo);
    cairo_restore(canvas->cairo);
}

const uint8_t *gp_canvas_data(gp_canvas *canvas, int *width, int *height, int *stride) {
    if (canvas->is_svg) return NULL;
    cairo_surface_flush(canvas->surface);
    *width = cairo_image_surface_get_width(canvas->surface);
    *height = cairo_image_surface_get_height(canvas->surface);
    *stride = cairo_image_surface_get_stride(canvas->surface);
    return cairo_image_surface_get_data(canvas->surface);
}

const uint8_t *gp_canvas_encode(gp_canvas *canvas, size_t *bytes) {
    if (canvas->is_svg) {
        cairo_surface_finish(canvas->surface);
    } else {
        cairo_surface_flush(canvas->surface);
        canvas->count = 0;
        cairo_surface_write_to_png_stream(canvas->surface, append, canvas);
    }
    int is_good = cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS
        && cairo_surface_status(canvas->surface) == CAIRO_STATUS_SUCCESS;
    if (canvas->is_svg) is_good = canvas->count > 0;
    *bytes = canvas->count;
    return is_good && !canvas->failed ? canvas->bytes : NULL;
}

int gp_color_parse(const char *text, gp_color *color) {
    PangoColor read;
    if (!pango_color_parse(&read, text)) return 0;
    *color = (gp_color){read.red / 65535.0, read.green / 65535.0, read.blue / 65535.0, 1};
    return 1;
}
