#include <string.h>
#include <zlib.h>

/* The most bytes that gzip makes of `count`. */
static inline unsigned long czlib_bound(unsigned long count) { return compressBound(count) + 12; }

/* Writes the gzip form (RFC 1952) of `bytes`. zlib's own entry for this is a macro, which Swift does not see.
   Returns 0 where there is no memory or `*size` bytes do not hold it, else 1 and the form's length in `*size`. */
static inline int czlib_gzip(unsigned char *form, unsigned long *size, const unsigned char *bytes, unsigned long count)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    /* 16 above the size of the window asks for gzip's frame; 8 is the default use of memory. */
    if (deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = (unsigned)count;
    stream.next_out = form;
    stream.avail_out = (unsigned)*size;
    int result = deflate(&stream, Z_FINISH);
    *size = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END;
}
