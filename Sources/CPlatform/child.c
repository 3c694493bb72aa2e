#define _GNU_SOURCE
#include "CPlatform.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#else
#include <sys/event.h>
#include <sys/time.h>
#endif

/* A descriptor that is readable once the process has ended: a pidfd, or a queue with one event. */
static int end_descriptor(pid_t pid) {
#ifdef __linux__
    /* The kernel sets close-on-exec by itself (pidfd_open(2)). */
    int end = (int)syscall(SYS_pidfd_open, pid, 0);
    return end < 0 ? -errno : end;
#else
    int queue = kqueue();
    if (queue < 0) return -errno;
    fcntl(queue, F_SETFD, FD_CLOEXEC);
    struct kevent wanted;
    EV_SET(&wanted, pid, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
    if (kevent(queue, &wanted, 1, NULL, 0, NULL) < 0) {
        int code = errno;
        close(queue);
        return -code;
    }
    return queue;
#endif
}

static int open_pipe(int ends[2], int ours) {
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
#else
    if (pipe(ends) < 0) return -errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    /* Ours alone: a child may not expect a pipe that does not wait. */
    fcntl(ends[ours], F_SETFL, O_NONBLOCK);
    return 0;
}

static void close_pipes(int pipes[3][2]) {
    for (int index = 0; index < 3; index++)
        for (int end = 0; end < 2; end++)
            if (pipes[index][end] >= 0) close(pipes[index][end]);
}

static int spawn(
    pid_t *pid, const char *path, char *const words[], char *const environment[], const char *directory, int place,
    int pipes[3][2]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return -ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -ENOMEM;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
#ifdef __linux__
    /* A session is a process group too, and Linux shares the processor out among sessions (sched(7), "The autogroup
       feature"): in ours, a child's work would be taken from the loop's share. */
    short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#else
    posix_spawnattr_setpgroup(&attributes, 0);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#endif
    int code = 0;
    if (directory) code = posix_spawn_file_actions_addchdir_np(&actions, directory);
    else if (place >= 0) code = posix_spawn_file_actions_addfchdir_np(&actions, place);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, pipes[0][0], 0);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, pipes[1][1], 1);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, pipes[2][1], 2);
#ifdef __linux__
    /* Not all of a process's descriptors are close-on-exec: some libraries forget it. */
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#else
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    posix_spawnattr_setflags(&attributes, flags);
    if (!code) code = posix_spawn(pid, path, &actions, &attributes, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -code;
}

static int start(
    const char *path, char *const words[], char *const environment[], const char *directory, int place,
    cplatform_child *out) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int code = open_pipe(pipes[0], 1);
    if (!code) code = open_pipe(pipes[1], 0);
    if (!code) code = open_pipe(pipes[2], 0);
    pid_t pid = -1;
    if (!code) code = spawn(&pid, path, words, environment, directory, place, pipes);
    if (code) {
        close_pipes(pipes);
        return code;
    }
    int end = end_descriptor(pid);
    if (end < 0) {
        kill(-pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        close_pipes(pipes);
        return end;
    }
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    *out = (cplatform_child){pid, end, pipes[0][1], pipes[1][0], pipes[2][0]};
    return 0;
}

int cplatform_child_start(
    const char *path, char *const words[], char *const environment[], const char *directory, cplatform_child *out) {
    return start(path, words, environment, directory, -1, out);
}

int cplatform_child_start_in(
    const char *path, char *const words[], char *const environment[], int place, cplatform_child *out) {
    return start(path, words, environment, NULL, place, out);
}

int cplatform_child_start_on(
    const char *path, char *const words[], char *const environment[], const char *directory, const int streams[3],
    cplatform_child *out) {
    int ends[3][2] = {{streams[0], -1}, {-1, streams[1]}, {-1, streams[2]}};
    pid_t pid = -1;
    int code = spawn(&pid, path, words, environment, directory, -1, ends);
    if (code) return code;
    int end = end_descriptor(pid);
    if (end < 0) {
        kill(-pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        return end;
    }
    *out = (cplatform_child){pid, end, -1, -1, -1};
    return 0;
}

int cplatform_child_reap(int32_t pid, int *status) {
    pid_t found;
    do found = waitpid(pid, status, WNOHANG);
    while (found < 0 && errno == EINTR);
    if (found < 0) return -errno;
    return found == 0 ? -EAGAIN : 0;
}

int cplatform_child_signal(int32_t pid, int number) {
    /* Its group has its number, and lives on where the leader has ended and was reaped. */
    return kill(-pid, number) < 0 ? -errno : 0;
}

int cplatform_process_end(int32_t pid) { return end_descriptor(pid); }

int cplatform_process_signal(int end, int32_t pid, int number) {
#ifdef __linux__
    (void)pid;
    return syscall(SYS_pidfd_send_signal, end, number, NULL, 0) < 0 ? -errno : 0;
#else
    (void)end;
    return kill(pid, number) < 0 ? -errno : 0;
#endif
}
