/* <sys/types.h> first: event-config.h defines _GNU_SOURCE, and what comes after it would see another fd_set than Swift's Glibc module. */
#include <sys/types.h>
#include <event2/event.h>
