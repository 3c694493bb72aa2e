#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

/* Before the first connection: SQLite does not count the memory it uses, which nobody asks for and which takes a lock
   with each piece. Returns SQLite's code; later calls change nothing. */
static inline int csqlite_skip_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Makes the file if there is none, 0600 from birth, and takes group's and others' rights from one that has them.
   SQLite gives its -wal and -shm the rights of this file. Returns 0 or an errno value. */
static inline int csqlite_private_file(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    struct stat status;
    int failure = fstat(file, &status) ? errno : 0;
    if (!failure && (status.st_mode & 077)) failure = fchmod(file, status.st_mode & 0700) ? errno : 0;
    close(file);
    return failure;
}

/* Returns 0 or an errno value. */
static inline int csqlite_rename(const char *from, const char *to) {
    return rename(from, to) ? errno : 0;
}

struct csqlite_file {
    uint64_t device, inode;
    int64_t size;
};

/* Which file lies at the path. Returns 0 or an errno value. */
static inline int csqlite_look(const char *path, struct csqlite_file *file) {
    struct stat status;
    if (stat(path, &status)) return errno;
    *file = (struct csqlite_file){.device = status.st_dev, .inode = status.st_ino, .size = status.st_size};
    return 0;
}

/* Frames that the write-ahead log holds, as its index says: the field mxFrame of <https://sqlite.org/walformat.html>,
   section 2.1. Read from the memory that SQLite shares: to open and close the index's file would drop the locks that
   SQLite has on it. 0 where there is no index. On the connection's thread. */
static inline int64_t csqlite_wal_frames(sqlite3 *database) {
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) || !file) return 0;
    if (!file->pMethods || file->pMethods->iVersion < 2) return 0;
    void volatile *index = NULL;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) || !index) return 0;
    return ((uint32_t volatile *)index)[4];
}

/* Milliseconds since 1970. */
static inline int64_t csqlite_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
