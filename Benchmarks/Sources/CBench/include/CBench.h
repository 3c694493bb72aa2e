#ifndef CBENCH_H
#define CBENCH_H

/* What the benchmark needs and Swift's Glibc module leaves out. */
#include <sys/types.h>
#include <sys/epoll.h>

/* How often this process has asked for memory. */
unsigned long cbench_allocations(void);

#endif
