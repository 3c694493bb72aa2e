#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <curl/curl.h>

/* libcurl comes with some thirty libraries, which would be with every process that never sends anything: so nothing is
   linked against it, and what is used of it is found by name when the first message is sent. */
struct ccurl {
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_info_read) *multi_info_read;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_setopt) *multi_setopt;
    __typeof__(curl_multi_wakeup) *multi_wakeup;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
};

static inline int ccurl_find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* It is never unloaded. Returns 0 where it is not there, or lacks something. */
static inline int ccurl_load(struct ccurl *curl) {
#ifdef __APPLE__
    void *library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
    return library
        && ccurl_find(library, "curl_easy_cleanup", &curl->easy_cleanup)
        && ccurl_find(library, "curl_easy_getinfo", &curl->easy_getinfo)
        && ccurl_find(library, "curl_easy_init", &curl->easy_init)
        && ccurl_find(library, "curl_easy_setopt", &curl->easy_setopt)
        && ccurl_find(library, "curl_easy_strerror", &curl->easy_strerror)
        && ccurl_find(library, "curl_global_init", &curl->global_init)
        && ccurl_find(library, "curl_multi_add_handle", &curl->multi_add_handle)
        && ccurl_find(library, "curl_multi_cleanup", &curl->multi_cleanup)
        && ccurl_find(library, "curl_multi_info_read", &curl->multi_info_read)
        && ccurl_find(library, "curl_multi_init", &curl->multi_init)
        && ccurl_find(library, "curl_multi_perform", &curl->multi_perform)
        && ccurl_find(library, "curl_multi_poll", &curl->multi_poll)
        && ccurl_find(library, "curl_multi_remove_handle", &curl->multi_remove_handle)
        && ccurl_find(library, "curl_multi_setopt", &curl->multi_setopt)
        && ccurl_find(library, "curl_multi_wakeup", &curl->multi_wakeup)
        && ccurl_find(library, "curl_slist_append", &curl->slist_append)
        && ccurl_find(library, "curl_slist_free_all", &curl->slist_free_all);
}

/* Setters that are variadic in C, one for each kind of value. */

static inline CURLcode ccurl_set_long(
    const struct ccurl *curl, CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLMcode ccurl_set_multi(
    const struct ccurl *curl, CURLM *multi, CURLMoption option, long value) {
    return curl->multi_setopt(multi, option, value);
}

/* libcurl copies the text, but for CURLOPT_POSTFIELDS. */
static inline CURLcode ccurl_set_text(
    const struct ccurl *curl, CURL *easy, CURLoption option, const char *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(
    const struct ccurl *curl, CURL *easy, CURLoption option, void *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_post(
    const struct ccurl *curl, CURL *easy, const void *bytes, size_t length) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    return code ? code : curl->easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode ccurl_set_writer(
    const struct ccurl *curl, CURL *easy, size_t (*write)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, write);
    return code ? code : curl->easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_set_header_reader(
    const struct ccurl *curl, CURL *easy, size_t (*read)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, read);
    return code ? code : curl->easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

/* `permits` is given the bytes of the address about to be connected to, 4 or 16 of them. */
struct ccurl_gate {
    int (*permits)(void *context, const uint8_t *address, int length);
    void *context;
};

static inline curl_socket_t ccurl_open_socket(void *pointer, curlsocktype purpose, struct curl_sockaddr *address) {
    struct ccurl_gate *gate = pointer;
    const uint8_t *bytes = NULL;
    int length = 0;
    (void)purpose;
    if (address->family == AF_INET) {
        bytes = (const uint8_t *)&((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
        length = 4;
    } else if (address->family == AF_INET6) {
        bytes = (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
        length = 16;
    }
    if (!bytes || !gate->permits(gate->context, bytes, length)) return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    return socket(address->family, address->socktype, address->protocol);
#endif
}

/* The gate must outlive the transfer. */
static inline CURLcode ccurl_set_gate(
    const struct ccurl *curl, CURL *easy, struct ccurl_gate *gate) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
    return code ? code : curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, gate);
}

static inline long ccurl_status(const struct ccurl *curl, CURL *easy) {
    long status = 0;
    curl->easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* What CURLOPT_PRIVATE was set to. */
static inline void *ccurl_private(const struct ccurl *curl, CURL *easy) {
    char *pointer = NULL;
    curl->easy_getinfo(easy, CURLINFO_PRIVATE, &pointer);
    return pointer;
}

/* The next transfer that is over, or NULL. */
static inline CURL *ccurl_next_done(const struct ccurl *curl, CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl->multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
