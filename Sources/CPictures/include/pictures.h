#ifndef GESTURED_PICTURES_H
#define GESTURED_PICTURES_H
#include <stddef.h>
#include <stdint.h>

/* Cairo and pango, libwebp's animations and libchafa behind plain types, so that Swift sees none of
   their headers. A handle is NULL where there is no memory; lengths are points unless said. */

typedef struct {
    double red, green, blue, alpha;
} gp_color;

typedef struct {
    double at;
    gp_color color;
} gp_stop;

typedef struct {
    double width, height;
} gp_size;

typedef struct {
    const char *text; /* UTF-8 */
    size_t bytes;
    const char *family;
    double size;
    int weight;      /* 100 to 900 */
    double wrap;     /* lines are broken at this width; negative: they are not */
    int lines;       /* more lines end in an ellipsis; 0: all lines */
    int alignment;   /* 0: left, 1: center, 2: right, within `wrap` */
    double spacing;  /* between lines */
} gp_text;

/* A surface of pixels, or of a vector drawing, and how it is drawn on. */
typedef struct gp_canvas gp_canvas;

/* `scale` pixels are one point. */
gp_canvas *gp_canvas_pixels(int width, int height, double scale);
gp_canvas *gp_canvas_svg(double width, double height);
void gp_canvas_free(gp_canvas *canvas);

void gp_save(gp_canvas *canvas);
void gp_restore(gp_canvas *canvas);
void gp_transform(gp_canvas *canvas, double a, double b, double c, double d, double e, double f);
/* From a canvas's own points to its pixels. */
typedef struct {
    double xx, yx, xy, yy, x0, y0;
} gp_matrix;
void gp_transform_get(gp_canvas *canvas, gp_matrix *matrix);
/* All between these two is drawn as one, with one alpha. */
void gp_group_begin(gp_canvas *canvas);
void gp_group_end(gp_canvas *canvas, double alpha);

/* Each fill, stroke or clip uses the path up and begins a new one. */
void gp_move(gp_canvas *canvas, double x, double y);
void gp_line(gp_canvas *canvas, double x, double y);
void gp_curve(
    gp_canvas *canvas, double x1, double y1, double x2, double y2, double x, double y);
void gp_arc(gp_canvas *canvas, double x, double y, double radius, double from, double to);
void gp_close(gp_canvas *canvas);
void gp_clip(gp_canvas *canvas);
void gp_fill(gp_canvas *canvas, gp_color color);
void gp_fill_linear(
    gp_canvas *canvas, double x0, double y0, double x1, double y1, const gp_stop *stops,
    size_t count);
void gp_fill_radial(
    gp_canvas *canvas, double x, double y, double radius, const gp_stop *stops, size_t count);
void gp_stroke(gp_canvas *canvas, double width, gp_color color, double dash);

gp_size gp_text_size(gp_canvas *canvas, const gp_text *text);
/* Its top left corner stands at (x, y). */
void gp_text_draw(gp_canvas *canvas, const gp_text *text, double x, double y, gp_color color);

/* A photo, of WebP. NULL: the bytes are none, or one with a side of more pixels, or no memory. */
typedef struct gp_photo gp_photo;
gp_photo *gp_photo_new(const uint8_t *data, size_t bytes, int side_max);
void gp_photo_free(gp_photo *photo);
/* Covers the box from the origin to (width, height) with its middle, in its own proportions. */
void gp_photo_draw(gp_canvas *canvas, gp_photo *photo, double width, double height);

/* Pixels as 32-bit words of alpha, red, green and blue, from the highest bits on; NULL for a
   vector drawing. They are valid until the next drawing. */
const uint8_t *gp_canvas_data(gp_canvas *canvas, int *width, int *height, int *stride);
/* Ends the drawing and returns it as PNG or SVG, which the canvas owns; NULL: no memory. */
const uint8_t *gp_canvas_encode(gp_canvas *canvas, size_t *bytes);

/* Reads the name of a color. Returns whether it is one. */
int gp_color_parse(const char *text, gp_color *color);

/* An animation as WebP. Frames are opaque and as large as it is. */
typedef struct gp_film gp_film;
gp_film *gp_film_new(int width, int height, int loops, double quality);
/* Each returns 1, or 0 where it failed. */
int gp_film_add(gp_film *film, const uint8_t *pixels, int stride, int milliseconds);
int gp_film_end(gp_film *film, int milliseconds);
/* Valid until the film is freed. */
const uint8_t *gp_film_data(const gp_film *film, size_t *bytes);
void gp_film_free(gp_film *film);

enum { gp_symbols, gp_sixels, gp_kitty };
enum { gp_truecolor, gp_indexed, gp_sixteen, gp_plain };

typedef struct {
    int graphics; /* gp_symbols … gp_kitty */
    int colors;   /* gp_truecolor … gp_plain */
} gp_terminal;

/* The best of what a terminal can show, by its environment, a list that ends in NULL. */
gp_terminal gp_terminal_detect(char **environment);

typedef struct {
    uint32_t letter;
    int32_t front, back; /* a color of 24 bits, or an index; -1: the terminal's own */
} gp_cell;

/* Pixels as letters with two colors; `cells` has room for columns × rows. Returns 0 or 1. */
int gp_cells(
    const uint8_t *pixels, int width, int height, int stride, int columns, int rows, int colors,
    gp_cell *cells);
/* Pixels as a command that draws them at the cursor; free it by gp_graphics_free. */
char *gp_graphics(
    const uint8_t *pixels, int width, int height, int stride, int columns, int rows, int graphics,
    size_t *bytes);
void gp_graphics_free(char *command);
#endif
