#ifndef CAVAHI_SHIM_H
#define CAVAHI_SHIM_H

#include <dlfcn.h>
#include <string.h>

#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/thread-watch.h>

/* Few daemons announce anything, so nothing is linked against Avahi, which brings D-Bus with it: what is used of it is found
   by name when something is to be announced. */
struct cavahi {
    __typeof__(avahi_alternative_service_name) *alternative_service_name;
    __typeof__(avahi_client_errno) *client_errno;
    __typeof__(avahi_client_free) *client_free;
    __typeof__(avahi_client_new) *client_new;
    __typeof__(avahi_entry_group_add_service_strlst) *entry_group_add_service_strlst;
    __typeof__(avahi_entry_group_commit) *entry_group_commit;
    __typeof__(avahi_entry_group_new) *entry_group_new;
    __typeof__(avahi_entry_group_reset) *entry_group_reset;
    __typeof__(avahi_free) *free;
    __typeof__(avahi_strerror) *strerror;
    __typeof__(avahi_threaded_poll_free) *threaded_poll_free;
    __typeof__(avahi_threaded_poll_get) *threaded_poll_get;
    __typeof__(avahi_threaded_poll_new) *threaded_poll_new;
    __typeof__(avahi_threaded_poll_start) *threaded_poll_start;
    __typeof__(avahi_threaded_poll_stop) *threaded_poll_stop;
};

static inline int cavahi_find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* It is never unloaded. Returns 0 where it is not there, or lacks something. */
static inline int cavahi_load(struct cavahi *avahi) {
    void *common = dlopen("libavahi-common.so.3", RTLD_NOW | RTLD_LOCAL);
    void *client = common ? dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL) : NULL;
    return client
        && cavahi_find(common, "avahi_alternative_service_name", &avahi->alternative_service_name)
        && cavahi_find(client, "avahi_client_errno", &avahi->client_errno)
        && cavahi_find(client, "avahi_client_free", &avahi->client_free)
        && cavahi_find(client, "avahi_client_new", &avahi->client_new)
        && cavahi_find(client, "avahi_entry_group_add_service_strlst", &avahi->entry_group_add_service_strlst)
        && cavahi_find(client, "avahi_entry_group_commit", &avahi->entry_group_commit)
        && cavahi_find(client, "avahi_entry_group_new", &avahi->entry_group_new)
        && cavahi_find(client, "avahi_entry_group_reset", &avahi->entry_group_reset)
        && cavahi_find(common, "avahi_free", &avahi->free)
        && cavahi_find(common, "avahi_strerror", &avahi->strerror)
        && cavahi_find(common, "avahi_threaded_poll_free", &avahi->threaded_poll_free)
        && cavahi_find(common, "avahi_threaded_poll_get", &avahi->threaded_poll_get)
        && cavahi_find(common, "avahi_threaded_poll_new", &avahi->threaded_poll_new)
        && cavahi_find(common, "avahi_threaded_poll_start", &avahi->threaded_poll_start)
        && cavahi_find(common, "avahi_threaded_poll_stop", &avahi->threaded_poll_stop);
}

#endif
