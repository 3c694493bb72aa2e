#ifndef CASSETS_H
#define CASSETS_H

#include <stddef.h>

/* Files of the repository that the binary carries, each ending in a NUL. */
const char *cassets_forward_sh(void);
const char *cassets_permission_sh(void);

/* A file of the web page: its path on the daemon, its bytes, and how many there are. */
struct cassets_file {
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

/* All files of the page, sorted by path; `count` is how many. They live as long as the process. */
const struct cassets_file *cassets_web(size_t *count);

#endif
