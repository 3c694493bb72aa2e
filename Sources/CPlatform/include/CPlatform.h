#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/* What Swift cannot say, or says differently on Linux and macOS. Every function that can fail returns a negative errno. */

/* Threads */

/* Runs `body(context)` on a new detached thread. Of the name the first 15 bytes count. */
int cplatform_thread_start(const char *name, void (*body)(void *), void *context);
/* Lets other threads have the processor before this one, where it is short. */
void cplatform_thread_give_way(void);
/* The running thread's number, with which others may lower its priority by so many nice levels while it runs. */
int cplatform_thread_id(void);
void cplatform_thread_lower(int id, int by);
/* The event loop this thread belongs to, or NULL. */
void cplatform_set_current_loop(const void *loop);
const void *cplatform_current_loop(void);

/* A mutex, allocated so that its address never changes. */
void *cplatform_mutex_create(void);
void cplatform_mutex_lock(void *mutex);
void cplatform_mutex_unlock(void *mutex);
void cplatform_mutex_destroy(void *mutex);

/* A condition variable, allocated as a mutex is. It is waited for by whoever holds the mutex. */
void *cplatform_condition_create(void);
void cplatform_condition_wait(void *condition, void *mutex);
void cplatform_condition_signal(void *condition);
void cplatform_condition_destroy(void *condition);

/* Descriptors. All are made non-blocking and close-on-exec. */

/* A way to wake a thread: `ends[0]` becomes readable after a signal on `ends[1]` (the same number where one suffices). */
int cplatform_wake_open(int ends[2]);
void cplatform_wake_signal(int end);
void cplatform_wake_clear(int end);

int64_t cplatform_read(int descriptor, void *buffer, size_t capacity);
/* The next byte, which stays to be read: 1, 0 at the end, or -errno. */
int cplatform_peek(int descriptor, uint8_t *byte);
/* Sends without raising SIGPIPE. */
int64_t cplatform_send(int descriptor, const void *bytes, size_t length);
int cplatform_shutdown_writing(int descriptor);
/* Whether the peer has closed its side, even if there is something left to read. */
int cplatform_has_hung_up(int descriptor);
void cplatform_close(int descriptor);
/* Writes what `code` (positive errno) means. */
void cplatform_error_text(int code, char *out, size_t capacity);

/* TCP */

typedef struct {
    uint8_t bytes[128];
    uint32_t length;
} cplatform_address;

/* Fills up to `capacity` addresses for listening; returns how many, or -errno (-ENOENT: no such host). */
int cplatform_resolve(const char *host, uint16_t port, cplatform_address *out, int capacity);
void cplatform_set_port(cplatform_address *address, uint16_t port);
/* Writes the numeric address without port; sets whether it is a loopback one. An IPv4 address mapped into IPv6 is written as IPv4. */
int cplatform_address_text(const cplatform_address *address, char *out, size_t capacity, int *is_loopback);
int cplatform_listen_tcp(const cplatform_address *address, int backlog);
int cplatform_connect_tcp(const cplatform_address *address);
int cplatform_local_port(int descriptor);
int cplatform_peer_address(int descriptor, cplatform_address *out);
/* Accepts one connection, or -EAGAIN. */
int cplatform_accept(int listener, int is_tcp);

/* Unix sockets */

/* Longest path that a socket address holds, without the final NUL. */
size_t cplatform_unix_path_limit(void);
/* Binds and listens; the file has mode 0600 from its first moment. */
int cplatform_listen_unix(const char *path, int backlog);
/* Connects; 0 or more is a non-blocking descriptor. -EAGAIN: somebody listens, but with a full queue. */
int cplatform_connect_unix(const char *path);
int cplatform_peer_credentials(int descriptor, uint32_t *uid, int32_t *pid);

typedef struct {
    uint64_t device, inode;
    uint32_t uid, mode;
    int is_directory, is_socket;
} cplatform_file;

/* What the path itself is (a symbolic link is not followed). */
int cplatform_file_facts(const char *path, cplatform_file *out);

/* What an open descriptor leads to, whatever has become of its path. */
int cplatform_open_file_facts(int descriptor, cplatform_file *out);
int cplatform_make_directory(const char *path);
int cplatform_unlink(const char *path);

/* Gives the disk space of a part of a file back; the file keeps its length, and the part reads as zeros. -EOPNOTSUPP or
   -ENOSYS where the file system cannot. */
int cplatform_punch(int descriptor, int64_t from, int64_t length);

/* Gives each of two paths the other's file, at one stroke. -EINVAL, -ENOSYS or -ENOTSUP where the file system cannot. */
int cplatform_exchange(const char *one, const char *other);

/* 1 while somebody has this file, opened here for reading only, open for writing; 0 if nobody has; else it cannot be
   told. */
int cplatform_has_writers(int descriptor);
/* Creates the file (0600) and takes an exclusive lock that ends with the descriptor, or -EWOULDBLOCK. Writes the process id into it. */
int cplatform_lock_file(const char *path);
/* The process id in a lock file, or 0. */
int32_t cplatform_lock_holder(const char *path);

/* Files below a directory. What these open is a place: nothing can be read from it, and no device, pipe or socket notices. */

/* The place to which a relative path leads from an open directory. Links are followed, but nothing outside of the
   directory is reached, whatever others do to the names meanwhile: -EXDEV where the path leaves it, as a link that begins
   with "/" does. -ENOSYS where the system cannot do this. */
int cplatform_open_beneath(int directory, const char *path);
/* The directory of an absolute path, or -ELOOP where a name of it is a symbolic link. -ENOSYS as above. */
int cplatform_open_without_links(const char *path);
/* One name of an open directory: the link itself where it is one. */
int cplatform_open_name(int directory, const char *name);
/* The bytes of the link at a place; as many as `capacity` means that there may be more. */
int64_t cplatform_link_target(int link, char *out, size_t capacity);
/* A descriptor to read the regular file at a place. */
int cplatform_open_contents(int place);
/* A descriptor to read the names of the directory at a place. */
int cplatform_open_names(int place);
/* The bytes of the path that a place has now, as the kernel knows it. */
int64_t cplatform_path_of(int place, char *out, size_t capacity);

/* The process */

uint32_t cplatform_uid(void);
void cplatform_ignore_sigpipe(void);
/* Milliseconds since the machine was started, its sleep included: the clock by which processes have a start time. */
int64_t cplatform_uptime(void);
/* Raises the soft limit of open files as far as `wanted` and the hard limit allow; returns the limit in force. */
int64_t cplatform_raise_file_limit(uint64_t wanted);
/* Bounds what a process takes for its data from now on, and its children: beyond that it gets no memory. Files that it maps do not
   count. -ENOSYS where the system cannot do this. */
int cplatform_bound_memory(int32_t pid, uint64_t bytes);
/* Bounds what the C library keeps of freed memory: blocks from 256 KiB on go back to the system at once, and of each
   thread's heap no more than 1 MiB stays at its end. Call it before other threads start. */
void cplatform_bound_kept_memory(void);
/* Gives pages of freed memory back to the system, where the C library keeps them. */
void cplatform_give_back_memory(void);
/* Resident memory in bytes. */
int64_t cplatform_resident_bytes(void);

/* Changes of files */

/* A queue of changes, which is readable while one waits (Linux: inotify(7), macOS: kqueue(2)). */
int cplatform_watch_open(void);
/* Queues the changes of a file (written, attributes changed) or of a directory (names made, removed or replaced; with
   `tells_writes` also what is written to its files, which macOS does not tell) from now on. A symbolic link is not
   followed. Returns the number that stands for it in the queue; on Linux one file has one number, and what is queued of it
   only grows. -ENOSPC or -EMFILE: too many are watched. */
int cplatform_watch_add(int queue, const char *path, int is_directory, int tells_writes);
void cplatform_watch_remove(int queue, int watch);
/* Takes some of what waits, in order, and calls `tell` with each: the number, and the name that changed in that directory,
   empty for the file or directory itself and where the system tells no names. The number is -1 where changes were
   dropped because the queue was full. Returns 1 if something was taken, 0 if nothing waits, or -errno. */
int cplatform_watch_read(int queue, void (*tell)(void *context, int watch, const char *name), void *context);

/* Child processes */

typedef struct {
    int32_t pid;
    /* Becomes readable when the process has ended. */
    int end;
    /* Our ends of its standard input, output and error. */
    int input, output, errors;
} cplatform_child;

/* Starts `path` with exactly these words and this environment (both end in NULL) in `directory` (NULL: ours), as the leader
 * of a process group (on Linux: of a session) of its own, with every signal as it usually is and no descriptor but its three pipes. */
int cplatform_child_start(
    const char *path, char *const words[], char *const environment[], const char *directory, cplatform_child *out);
/* The same in an open directory, whatever its path has become. */
int cplatform_child_start_in(
    const char *path, char *const words[], char *const environment[], int place, cplatform_child *out);
/* The same as the first with three descriptors of the caller's as its input, output and errors, which stay open here. `out` has no pipes. */
int cplatform_child_start_on(
    const char *path, char *const words[], char *const environment[], const char *directory, const int streams[3],
    cplatform_child *out);
/* Takes the exit status of a process that has ended: 0 and `*status` as of waitpid(2), or -EAGAIN while it runs. */
int cplatform_child_reap(int32_t pid, int *status);
/* Sends a signal to the process and its group. */
int cplatform_child_signal(int32_t pid, int number);
/* A descriptor that becomes readable when the process has ended, whoever started it; -ESRCH where there is none. */
int cplatform_process_end(int32_t pid);
/* Sends a signal to the process that `end` stands for. On Linux no later process with its number can get it. */
int cplatform_process_signal(int end, int32_t pid, int number);

#endif
