#define _GNU_SOURCE
#include "CPlatform.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#ifdef __linux__

/* Of openat2(2) the C library of Debian 12 has no wrapper. */
static int open_resolving(int directory, const char *path, uint64_t flags, uint64_t resolve) {
#ifdef SYS_openat2
    struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = resolve};
    long place;
    int tries = 0;
    /* EAGAIN: a directory was moved meanwhile, so the kernel cannot tell whether a ".." stayed beneath. */
    do place = syscall(SYS_openat2, directory, path, &how, sizeof how);
    while (place < 0 && (errno == EINTR || (errno == EAGAIN && ++tries < 8)));
    return place < 0 ? -errno : (int)place;
#else
    return -ENOSYS;
#endif
}

int cplatform_open_beneath(int directory, const char *path) {
    return open_resolving(directory, path, O_PATH, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
}

int cplatform_open_without_links(const char *path) {
    return open_resolving(AT_FDCWD, path, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int cplatform_open_name(int directory, const char *name) {
    int place = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return place < 0 ? -errno : place;
}

int64_t cplatform_link_target(int link, char *out, size_t capacity) {
    ssize_t count = readlinkat(link, "", out, capacity);
    return count < 0 ? -errno : count;
}

int cplatform_open_contents(int place) {
    /* The path of the descriptor leads to what it has open, whatever its name has become. */
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return file < 0 ? -errno : file;
}

int64_t cplatform_path_of(int place, char *out, size_t capacity) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    ssize_t count = readlink(path, out, capacity);
    return count < 0 ? -errno : count;
}

#else

int cplatform_open_beneath(int directory, const char *path) {
    (void)directory, (void)path;
    return -ENOSYS;
}

int cplatform_open_without_links(const char *path) {
    (void)path;
    return -ENOSYS;
}

/* Devices and pipes act when they are opened, so a name is looked at first. */
int cplatform_open_name(int directory, const char *name) {
    struct stat found;
    if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
    if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode) && !S_ISLNK(found.st_mode)) return -ENXIO;
    int place = openat(directory, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_SYMLINK | O_CLOEXEC);
    return place < 0 ? -errno : place;
}

int64_t cplatform_link_target(int link, char *out, size_t capacity) {
    ssize_t count = freadlink(link, out, capacity);
    return count < 0 ? -errno : count;
}

int cplatform_open_contents(int place) {
    int file = fcntl(place, F_DUPFD_CLOEXEC, 0);
    return file < 0 ? -errno : file;
}

int64_t cplatform_path_of(int place, char *out, size_t capacity) {
    char path[PATH_MAX];
    if (fcntl(place, F_GETPATH, path) < 0) return -errno;
    return snprintf(out, capacity, "%s", path);
}

#endif

int cplatform_open_names(int place) {
    int directory = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return directory < 0 ? -errno : directory;
}
