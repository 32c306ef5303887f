#include <stdlib.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "pictures.h"

struct gp_film {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    WebPData data;
    int width, height;
};

gp_film *gp_film_new(int width, int height, int loops, double quality) {
    gp_film *film = calloc(1, sizeof *film);
    if (!film) return NULL;
    film->width = width;
    film->height = height;
    WebPDataInit(&film->data);
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&film->config)) {
        gp_film_free(film);
        return NULL;
    }
    options.anim_params.loop_count = loops;
    options.anim_params.bgcolor = 0xffffffff;
    options.allow_mixed = 1;
    film->config.quality = (float)quality;
    film->config.method = 4;
    film->encoder = WebPAnimEncoderNew(width, height, &options);
    if (!film->encoder) {
        gp_film_free(film);
        return NULL;
    }
    return film;
}

int gp_film_add(gp_film *film, const uint8_t *pixels, int stride, int milliseconds) {
    WebPPicture picture;
    if (!WebPPictureInit(&picture)) return 0;
    picture.use_argb = 1;
    picture.width = film->width;
    picture.height = film->height;
    if (!WebPPictureAlloc(&picture)) return 0;
    for (int y = 0; y < film->height; y++) {
        const uint32_t *row = (const uint32_t *)(const void *)(pixels + (size_t)y * stride);
        for (int x = 0; x < film->width; x++)
            picture.argb[(size_t)y * picture.argb_stride + x] = row[x] | 0xff000000u;
    }
    int is_good = WebPAnimEncoderAdd(film->encoder, &picture, milliseconds, &film->config);
    WebPPictureFree(&picture);
    return is_good;
}

int gp_film_end(gp_film *film, int milliseconds) {
    return WebPAnimEncoderAdd(film->encoder, NULL, milliseconds, NULL)
        && WebPAnimEncoderAssemble(film->encoder, &film->data);
}

const uint8_t *gp_film_data(const gp_film *film, size_t *bytes) {
    *bytes = film->data.size;
    return film->data.bytes;
}

void gp_film_free(gp_film *film) {
    if (!film) return;
    if (film->encoder) WebPAnimEncoderDelete(film->encoder);
    WebPDataClear(&film->data);
    free(film);
}
