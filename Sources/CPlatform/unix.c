#define _GNU_SOURCE
#include "CPlatform.h"
#include "descriptor.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

size_t cplatform_unix_path_limit(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

static int fill(struct sockaddr_un *address, const char *path) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) > cplatform_unix_path_limit()) return -ENAMETOOLONG;
    strcpy(address->sun_path, path);
    return 0;
}

/* The mode must be right before anyone can connect. Linux gives the file the mode of the socket's own inode, so nothing
   outside this descriptor changes; elsewhere only the umask of the whole process decides. */
static int bind_privately(int descriptor, const struct sockaddr_un *address) {
#ifdef __linux__
    if (fchmod(descriptor, 0600) < 0) return -1;
    return bind(descriptor, (const struct sockaddr *)address, sizeof *address);
#else
    mode_t before = umask(0177);
    int result = bind(descriptor, (const struct sockaddr *)address, sizeof *address);
    umask(before);
    return result;
#endif
}

int cplatform_listen_unix(const char *path, int backlog) {
    struct sockaddr_un address;
    int code = fill(&address, path);
    if (code < 0) return code;
    int descriptor = cplatform_prepare(socket(AF_UNIX, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    if (bind_privately(descriptor, &address) < 0 || listen(descriptor, backlog) < 0) return cplatform_fail(descriptor);
    return descriptor;
}

int cplatform_connect_unix(const char *path) {
    struct sockaddr_un address;
    int code = fill(&address, path);
    if (code < 0) return code;
    int descriptor = cplatform_prepare(socket(AF_UNIX, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return cplatform_fail(descriptor);
    return descriptor;
}

int cplatform_peer_credentials(int descriptor, uint32_t *uid, int32_t *pid) {
#ifdef __linux__
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    *uid = credentials.uid;
    *pid = credentials.pid;
#else
    uid_t user;
    gid_t group;
    pid_t process = 0;
    socklen_t length = sizeof process;
    if (getpeereid(descriptor, &user, &group) < 0) return -errno;
    if (getsockopt(descriptor, SOL_LOCAL, LOCAL_PEERPID, &process, &length) < 0) return -errno;
    *uid = user;
    *pid = process;
#endif
    return 0;
}

static int tell(const struct stat *facts, cplatform_file *out) {
    out->device = (uint64_t)facts->st_dev;
    out->inode = (uint64_t)facts->st_ino;
    out->uid = facts->st_uid;
    out->mode = facts->st_mode & 07777;
    out->is_directory = S_ISDIR(facts->st_mode);
    out->is_socket = S_ISSOCK(facts->st_mode);
    return 0;
}

int cplatform_file_facts(const char *path, cplatform_file *out) {
    struct stat facts;
    return lstat(path, &facts) < 0 ? -errno : tell(&facts, out);
}

int cplatform_open_file_facts(int descriptor, cplatform_file *out) {
    struct stat facts;
    return fstat(descriptor, &facts) < 0 ? -errno : tell(&facts, out);
}

int cplatform_make_directory(const char *path) { return mkdir(path, 0700) < 0 ? -errno : 0; }
int cplatform_exchange(const char *one, const char *other) {
#ifdef __linux__
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) < 0 ? -errno : 0;
#else
    return renamex_np(one, other, RENAME_SWAP) < 0 ? -errno : 0;
#endif
}

int cplatform_punch(int descriptor, int64_t from, int64_t length) {
#ifdef __linux__
    int how = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    return fallocate(descriptor, how, from, length) < 0 ? -errno : 0;
#else
    (void)descriptor;
    (void)from;
    (void)length;
    return -ENOSYS;
#endif
}

int cplatform_has_writers(int descriptor) {
#ifdef __linux__
    /* The lease is given back at once; who opens the file in between waits that long. Breaking one sends SIGIO, which
       ends a process that does not expect it; SIGURG is ignored. */
    if (fcntl(descriptor, F_SETSIG, SIGURG) < 0) return -errno;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) < 0) return errno == EAGAIN ? 1 : -errno;
    return fcntl(descriptor, F_SETLEASE, F_UNLCK) < 0 ? -errno : 0;
#else
    (void)descriptor;
    return -ENOTSUP;
#endif
}

int cplatform_unlink(const char *path) { return unlink(path) < 0 ? -errno : 0; }

int cplatform_lock_file(const char *path) {
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return -errno;
    if (flock(descriptor, LOCK_EX | LOCK_NB) < 0) return cplatform_fail(descriptor);
    char text[16];
    int length = snprintf(text, sizeof text, "%d\n", (int)getpid());
    /* The number is a courtesy to whoever finds the lock taken; the lock itself does not depend on it. */
    if (ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, (size_t)length, 0) < 0) {}
    return descriptor;
}

int32_t cplatform_lock_holder(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return 0;
    char text[16] = {0};
    ssize_t count = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    return count > 0 ? (int32_t)strtol(text, NULL, 10) : 0;
}
