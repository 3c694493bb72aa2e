#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach/mach.h>
#endif

uint32_t cplatform_uid(void) { return geteuid(); }
int64_t cplatform_uptime(void) {
    struct timespec time;
#ifdef __linux__
    clock_gettime(CLOCK_BOOTTIME, &time);
#else
    clock_gettime(CLOCK_MONOTONIC, &time);
#endif
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void cplatform_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

int64_t cplatform_raise_file_limit(uint64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    if (limit.rlim_cur >= wanted) return (int64_t)limit.rlim_cur;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return (int64_t)before;
    return (int64_t)limit.rlim_cur;
}

int cplatform_bound_memory(int32_t pid, uint64_t bytes) {
#ifdef __linux__
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    return prlimit(pid, RLIMIT_DATA, &limit, NULL) < 0 ? -errno : 0;
#else
    (void)pid;
    (void)bytes;
    return -ENOSYS;
#endif
}

void cplatform_bound_kept_memory(void) {
#ifdef __GLIBC__
    /* Told once, they no longer grow with what is freed: by themselves to 32 and 64 MiB, the second for each thread. */
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void cplatform_give_back_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int64_t cplatform_resident_bytes(void) {
#ifdef __linux__
    FILE *file = fopen("/proc/self/statm", "re");
    long total = 0, resident = 0;
    if (file == NULL) return -errno;
    int fields = fscanf(file, "%ld %ld", &total, &resident);
    fclose(file);
    return fields == 2 ? (int64_t)resident * sysconf(_SC_PAGESIZE) : -EIO;
#else
    struct mach_task_basic_info info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return -EIO;
    return (int64_t)info.resident_size;
#endif
}
