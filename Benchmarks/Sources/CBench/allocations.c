#include "CBench.h"

static unsigned long count;

unsigned long cbench_allocations(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

/* A sanitizer has functions of its own for these; then nothing is counted. */
#ifndef SANITIZED
#include <errno.h>
#include <stddef.h>

/* A program's own functions come before the C library's, so these count for everything in the process. */
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_malloc(size_t);
extern void *__libc_memalign(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static void note(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    note();
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

void *realloc(void *old, size_t size) {
    note();
    return __libc_realloc(old, size);
}
#endif
