/* The least a relay can be: the bytes of stdin go to the socket as one POST, the body of the answer goes to stdout.
   No deadline, no retry, no check of what comes back. What cdev-hook costs is measured against this.
   Without the socket's path it does nothing: what starting a program costs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { head_room = 12 * 1024, body_limit = 10 * 1024 * 1024 };

static int field(char *out, size_t room, const char *name, const char *variable) {
    const char *value = getenv(variable);
    return value == NULL ? 0 : snprintf(out, room, "%s: %s\r\n", name, value);
}

static int make_head(char *out, size_t room, size_t length) {
    unsigned char id[16];
    if (getentropy(id, sizeof id) < 0) return -1;
    int at = snprintf(out, room,
        "POST /hooks/claude HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Connection: close\r\nContent-Length: %zu\r\nCdev-Request: ", length);
    for (size_t i = 0; i < sizeof id; i++) at += snprintf(out + at, room - at, "%02x", id[i]);
    at += snprintf(out + at, room - at, "\r\n");
    at += field(out + at, room - at, "Cdev-Attended", "CLAUDE_CODE_SESSION_ATTENDED");
    at += field(out + at, room - at, "Cdev-Entrypoint", "CLAUDE_CODE_ENTRYPOINT");
    at += field(out + at, room - at, "Cdev-Claude-Pid", "CLAUDE_PID");
    at += field(out + at, room - at, "Cdev-Project", "CLAUDE_PROJECT_DIR");
    at += field(out + at, room - at, "Cdev-Shell", "SHELL");
    return at + snprintf(out + at, room - at, "\r\n");
}

static int send_all(int to, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(to, bytes, length);
        if (count <= 0) return -1;
        bytes += count;
        length -= (size_t)count;
    }
    return 0;
}

static char *text;
static size_t room = head_room + 64 * 1024;

/* Reads to the end of `from`, behind the room for the head. */
static size_t read_body(int from) {
    size_t length = 0;
    for (;;) {
        if (room - head_room - length < 4096) text = realloc(text, room *= 2);
        if (text == NULL || length > body_limit) exit(1);
        ssize_t count = read(from, text + head_room + length, room - head_room - length);
        if (count <= 0) return length;
        length += (size_t)count;
    }
}

/* Behind the heads of interim answers (1xx): a large body is answered with one while it is read. */
static char *behind_interim(char *answer) {
    while (strncmp(answer, "HTTP/1.1 1", 10) == 0) {
        char *end = strstr(answer, "\r\n\r\n");
        if (end == NULL) break;
        answer = end + 4;
    }
    return answer;
}

/* Prints what follows the empty line once Content-Length bytes of it are there. */
static int relay_answer(int from) {
    static char answer[64 * 1024];
    size_t count = 0;
    for (;;) {
        ssize_t more = read(from, answer + count, sizeof answer - 1 - count);
        if (more <= 0) return 1;
        answer[count += (size_t)more] = 0;
        char *last = behind_interim(answer);
        char *end = strstr(last, "\r\n\r\n");
        char *length = strstr(last, "Content-Length: ");
        if (end == NULL || length == NULL) continue;
        size_t head = (size_t)(end + 4 - answer), body = strtoul(length + 16, NULL, 10);
        if (count - head >= body) return send_all(1, answer + head, body) < 0;
    }
}

int main(int count, char **arguments) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count == 1) return 0;
    if (count != 2 || strlen(arguments[1]) >= sizeof address.sun_path) return 1;
    strcpy(address.sun_path, arguments[1]);
    text = malloc(room);
    if (text == NULL) return 1;
    size_t length = read_body(0);
    char head[head_room];
    int size = make_head(head, sizeof head, length);
    if (size < 0 || size >= head_room) return 1;
    memcpy(text + head_room - size, head, (size_t)size);
    int to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (to < 0 || connect(to, (struct sockaddr *)&address, sizeof address) < 0) return 1;
    if (send_all(to, text + head_room - size, (size_t)size + length) < 0) return 1;
    return relay_answer(to);
}
