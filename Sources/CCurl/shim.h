#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/socket.h>

#include <curl/curl.h>

/* Setters that are variadic in C, one for each kind of value. */

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/* libcurl copies the text, but for CURLOPT_POSTFIELDS. */
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_post(CURL *easy, const void *bytes, size_t length) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode ccurl_set_writer(CURL *easy, size_t (*write)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_set_header_reader(
    CURL *easy, size_t (*read)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, read);
    return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
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
static inline CURLcode ccurl_set_gate(CURL *easy, struct ccurl_gate *gate) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
    return code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, gate);
}

static inline long ccurl_status(CURL *easy) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* What CURLOPT_PRIVATE was set to. */
static inline void *ccurl_private(CURL *easy) {
    char *pointer = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer);
    return pointer;
}

/* The next transfer that is over, or NULL. */
static inline CURL *ccurl_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static inline void ccurl_global_init(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

struct ccurl_thread {
    void (*body)(void *);
    void *context;
};

static inline void *ccurl_thread_main(void *pointer) {
    struct ccurl_thread thread = *(struct ccurl_thread *)pointer;
    free(pointer);
#ifdef __linux__
    /* top, perf and the benchmark tell threads apart by their names. */
    prctl(PR_SET_NAME, "cdev-notify");
#endif
    thread.body(thread.context);
    return NULL;
}

/* Runs `body(context)` on a new detached thread. Returns 0 or an errno value. */
static inline int ccurl_thread_start(void (*body)(void *), void *context) {
    struct ccurl_thread *thread = malloc(sizeof *thread);
    if (!thread) return ENOMEM;
    thread->body = body;
    thread->context = context;
    pthread_t id;
    int failure = pthread_create(&id, NULL, ccurl_thread_main, thread);
    if (failure) {
        free(thread);
        return failure;
    }
    return pthread_detach(id);
}

#endif
