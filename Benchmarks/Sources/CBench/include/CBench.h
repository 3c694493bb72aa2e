#ifndef CBENCH_H
#define CBENCH_H

/* What the benchmark needs and Swift's Glibc module leaves out. */
#include <sys/types.h>
#include <sys/epoll.h>

/* How often this process has asked for memory. */
unsigned long cbench_allocations(void);

/* The least that following a file takes: a queue that tells of each write to it, and what was written since, read from
 * `file`. Each is negative where it failed. */
int cbench_follow(const char *path);
long cbench_next(int queue, int file, char *buffer, long capacity);

#endif
