#define _GNU_SOURCE
#include "descriptor.h"
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

int cplatform_prepare(int descriptor) {
    if (descriptor < 0) return -errno;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0)
        return cplatform_fail(descriptor);
    return descriptor;
}

int cplatform_fail(int descriptor) {
    int code = errno;
    close(descriptor);
    return -code;
}

int cplatform_wake_open(int ends[2]) {
#ifdef __linux__
    ends[0] = ends[1] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return ends[0] < 0 ? -errno : 0;
#else
    if (pipe(ends) < 0) return -errno;
    for (int i = 0; i < 2; i++) cplatform_prepare(ends[i]);
    return 0;
#endif
}

void cplatform_wake_signal(int end) {
    uint64_t one = 1;
    /* A full pipe or counter is awake already. */
    while (write(end, &one, sizeof one) < 0 && errno == EINTR) {}
}

void cplatform_wake_clear(int end) {
    uint64_t buffer[8];
    while (read(end, buffer, sizeof buffer) == sizeof buffer) {}
}

int64_t cplatform_read(int descriptor, void *buffer, size_t capacity) {
    ssize_t count;
    do count = recv(descriptor, buffer, capacity, 0);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

int cplatform_peek(int descriptor, uint8_t *byte) {
    ssize_t count;
    do count = recv(descriptor, byte, 1, MSG_PEEK);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : (int)count;
}

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

int64_t cplatform_send(int descriptor, const void *bytes, size_t length) {
    ssize_t count;
    do count = send(descriptor, bytes, length, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

int cplatform_shutdown_writing(int descriptor) {
    return shutdown(descriptor, SHUT_WR) < 0 ? -errno : 0;
}

#ifndef POLLRDHUP
#define POLLRDHUP 0
#endif

int cplatform_has_hung_up(int descriptor) {
    struct pollfd entry = {.fd = descriptor, .events = POLLRDHUP};
    return poll(&entry, 1, 0) == 1 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void cplatform_close(int descriptor) { close(descriptor); }

void cplatform_error_text(int code, char *out, size_t capacity) {
#ifdef __linux__
    const char *text = strerror_r(code, out, capacity);
    if (text != out) snprintf(out, capacity, "%s", text);
#else
    strerror_r(code, out, capacity);
#endif
}
