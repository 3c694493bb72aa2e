#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#else
#include <pthread/qos.h>
#endif

static _Thread_local const void *current_loop;

#ifdef __linux__
int cplatform_thread_id(void) { return gettid(); }

void cplatform_thread_lower(int id, int by) {
    /* A nice value is a thread's own here (setpriority(2), "C library/kernel differences"). */
    setpriority(PRIO_PROCESS, (id_t)id, getpriority(PRIO_PROCESS, (id_t)id) + by);
}
#else
int cplatform_thread_id(void) { return 0; }
/* A thread can lower only itself here, so this one keeps its priority. */
void cplatform_thread_lower(int id, int by) { (void)id, (void)by; }
#endif

void cplatform_thread_give_way(void) {
#ifdef __linux__
    cplatform_thread_lower(gettid(), 5);
#else
    pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#endif
}

void cplatform_set_current_loop(const void *loop) { current_loop = loop; }
const void *cplatform_current_loop(void) { return current_loop; }

typedef struct {
    const char *name;
    void (*body)(void *);
    void *context;
} start;

static void *run(void *argument) {
    start copy = *(start *)argument;
    free(argument);
#ifdef __linux__
    /* top, perf and the benchmark tell threads apart by their names. */
    prctl(PR_SET_NAME, copy.name);
#endif
    copy.body(copy.context);
    return NULL;
}

int cplatform_thread_start(const char *name, void (*body)(void *), void *context) {
    start *argument = malloc(sizeof *argument);
    if (argument == NULL) return -ENOMEM;
    argument->name = name;
    argument->body = body;
    argument->context = context;
    pthread_t thread;
    int code = pthread_create(&thread, NULL, run, argument);
    if (code != 0) {
        free(argument);
        return -code;
    }
    pthread_detach(thread);
    return 0;
}

void *cplatform_mutex_create(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    if (mutex == NULL || pthread_mutex_init(mutex, NULL) != 0) abort();
    return mutex;
}

void cplatform_mutex_lock(void *mutex) { pthread_mutex_lock(mutex); }
void cplatform_mutex_unlock(void *mutex) { pthread_mutex_unlock(mutex); }

void cplatform_mutex_destroy(void *mutex) {
    pthread_mutex_destroy(mutex);
    free(mutex);
}

void *cplatform_condition_create(void) {
    pthread_cond_t *condition = malloc(sizeof *condition);
    if (condition == NULL || pthread_cond_init(condition, NULL) != 0) abort();
    return condition;
}

void cplatform_condition_wait(void *condition, void *mutex) { pthread_cond_wait(condition, mutex); }
void cplatform_condition_signal(void *condition) { pthread_cond_signal(condition); }

void cplatform_condition_destroy(void *condition) {
    pthread_cond_destroy(condition);
    free(condition);
}
