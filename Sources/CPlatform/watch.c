#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#else
#include <sys/event.h>
#include <time.h>
#endif

#ifdef __linux__

int cplatform_watch_open(void) {
    int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return queue < 0 ? -errno : queue;
}

int cplatform_watch_add(int queue, const char *path, int is_directory, int tells_writes) {
    uint32_t changes = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
    changes |= is_directory ? IN_ONLYDIR | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO : IN_MODIFY;
    if (tells_writes) changes |= IN_MODIFY;
    /* Added, because a directory may be on the way to one path and the end of another. */
    int watch = inotify_add_watch(queue, path, changes | IN_DONT_FOLLOW | IN_MASK_ADD);
    return watch < 0 ? -errno : watch;
}

void cplatform_watch_remove(int queue, int watch) { inotify_rm_watch(queue, watch); }

int cplatform_watch_read(int queue, void (*tell)(void *context, int watch, const char *name), void *context) {
    _Alignas(struct inotify_event) char buffer[16384];
    ssize_t count;
    do count = read(queue, buffer, sizeof buffer);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN ? 0 : -errno;
    for (const char *at = buffer; at < buffer + count;) {
        const struct inotify_event *event = (const void *)at;
        tell(context, event->mask & IN_Q_OVERFLOW ? -1 : event->wd, event->len ? event->name : "");
        at += sizeof *event + event->len;
    }
    return count > 0;
}

#else

int cplatform_watch_open(void) {
    int queue = kqueue();
    if (queue < 0) return -errno;
    fcntl(queue, F_SETFD, FD_CLOEXEC);
    return queue;
}

/* The number is a descriptor. One that is open for events only does not keep a volume from being unmounted. */
int cplatform_watch_add(int queue, const char *path, int is_directory, int tells_writes) {
    (void)tells_writes;
    int file = open(path, O_EVTONLY | O_SYMLINK | O_CLOEXEC | (is_directory ? O_DIRECTORY : 0));
    if (file < 0) return -errno;
    struct kevent wanted;
    EV_SET(
        &wanted, file, EVFILT_VNODE, EV_ADD | EV_CLEAR,
        NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE, 0, NULL);
    if (kevent(queue, &wanted, 1, NULL, 0, NULL) < 0) {
        int code = errno;
        close(file);
        return -code;
    }
    return file;
}

void cplatform_watch_remove(int queue, int watch) {
    (void)queue;
    close(watch);
}

int cplatform_watch_read(int queue, void (*tell)(void *context, int watch, const char *name), void *context) {
    struct kevent found[64];
    struct timespec now = {0, 0};
    int count;
    do count = kevent(queue, NULL, 0, found, 64, &now);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    for (int index = 0; index < count; index++) tell(context, (int)found[index].ident, "");
    return count > 0;
}

#endif
