#define _GNU_SOURCE
#include "CPlatform.h"
#include "descriptor.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int cplatform_resolve(const char *host, uint16_t port, cplatform_address *out, int capacity) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    int code = getaddrinfo(host, service, &hints, &found);
    if (code == EAI_SYSTEM) return -errno;
    if (code == EAI_MEMORY) return -ENOMEM;
    if (code != 0) return -ENOENT;
    int count = 0;
    for (struct addrinfo *next = found; next != NULL && count < capacity; next = next->ai_next) {
        if (next->ai_addrlen > sizeof out[count].bytes) continue;
        memcpy(out[count].bytes, next->ai_addr, next->ai_addrlen);
        out[count++].length = next->ai_addrlen;
    }
    freeaddrinfo(found);
    return count;
}

static struct sockaddr *general(const cplatform_address *address) { return (struct sockaddr *)address->bytes; }

void cplatform_set_port(cplatform_address *address, uint16_t port) {
    if (general(address)->sa_family == AF_INET) ((struct sockaddr_in *)address->bytes)->sin_port = htons(port);
    if (general(address)->sa_family == AF_INET6) ((struct sockaddr_in6 *)address->bytes)->sin6_port = htons(port);
}

static int ipv4_text(const uint8_t *bytes, char *out, size_t capacity, int *is_loopback) {
    *is_loopback = bytes[0] == 127;
    return inet_ntop(AF_INET, bytes, out, (socklen_t)capacity) == NULL ? -errno : 0;
}

int cplatform_address_text(const cplatform_address *address, char *out, size_t capacity, int *is_loopback) {
    if (general(address)->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)address->bytes;
        return ipv4_text((const uint8_t *)&v4->sin_addr, out, capacity, is_loopback);
    }
    if (general(address)->sa_family != AF_INET6) return -EAFNOSUPPORT;
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)address->bytes)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(v6)) return ipv4_text(v6->s6_addr + 12, out, capacity, is_loopback);
    *is_loopback = IN6_IS_ADDR_LOOPBACK(v6);
    return inet_ntop(AF_INET6, v6, out, (socklen_t)capacity) == NULL ? -errno : 0;
}

static int open_socket(const cplatform_address *address) {
    return cplatform_prepare(socket(general(address)->sa_family, SOCK_STREAM, 0));
}

int cplatform_listen_tcp(const cplatform_address *address, int backlog) {
    int descriptor = open_socket(address), on = 1;
    if (descriptor < 0) return descriptor;
    /* A restart must not wait for old connections to be forgotten. */
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (general(address)->sa_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(descriptor, general(address), address->length) < 0 || listen(descriptor, backlog) < 0)
        return cplatform_fail(descriptor);
    return descriptor;
}

int cplatform_connect_tcp(const cplatform_address *address) {
    int descriptor = open_socket(address);
    if (descriptor < 0) return descriptor;
    if (connect(descriptor, general(address), address->length) < 0 && errno != EINPROGRESS)
        return cplatform_fail(descriptor);
    return descriptor;
}

int cplatform_local_port(int descriptor) {
    cplatform_address address = {.length = sizeof address.bytes};
    socklen_t length = sizeof address.bytes;
    if (getsockname(descriptor, general(&address), &length) < 0) return -errno;
    if (general(&address)->sa_family == AF_INET) return ntohs(((struct sockaddr_in *)address.bytes)->sin_port);
    if (general(&address)->sa_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)address.bytes)->sin6_port);
    return -EAFNOSUPPORT;
}

int cplatform_peer_address(int descriptor, cplatform_address *out) {
    socklen_t length = sizeof out->bytes;
    if (getpeername(descriptor, general(out), &length) < 0) return -errno;
    out->length = length;
    return 0;
}

int cplatform_accept(int listener, int is_tcp) {
    int descriptor, on = 1;
#ifdef __linux__
    do descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -errno;
#else
    do descriptor = accept(listener, NULL, NULL);
    while (descriptor < 0 && errno == EINTR);
    descriptor = cplatform_prepare(descriptor);
    if (descriptor < 0) return descriptor;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    /* Answers are one write each, so waiting for more to send only delays them. */
    if (is_tcp) setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return descriptor;
}
