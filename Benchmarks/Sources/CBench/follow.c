#define _GNU_SOURCE
#include "CBench.h"
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

int cbench_follow(const char *path) {
    int queue = inotify_init1(IN_CLOEXEC);
    if (queue >= 0 && inotify_add_watch(queue, path, IN_MODIFY) < 0) {
        close(queue);
        return -1;
    }
    return queue;
}

long cbench_next(int queue, int file, char *buffer, long capacity) {
    _Alignas(struct inotify_event) char event[4096];
    if (read(queue, event, sizeof event) <= 0) return -1;
    return read(file, buffer, (size_t)capacity);
}
