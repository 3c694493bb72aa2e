#include <png.h>
#include <string.h>

/* A picture of one grey byte a dot, as libpng's simplified interface writes it: that one never jumps over a caller.
   Returns 0 where it could not be written; with `memory` null only `*size` is set. */
static inline int cpng_write_grey(
    void *memory, size_t *size, const unsigned char *dots, unsigned width, unsigned height)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_GRAY;
    int written = png_image_write_to_memory(&image, memory, size, 0, dots, 0, NULL);
    png_image_free(&image);
    return written;
}
