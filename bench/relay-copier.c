/* The least that any relay can be: bytes in, bytes out, between two pairs of descriptors. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[1 << 16];

static int copy(int from, int to) {
  ssize_t length = read(from, buffer, sizeof buffer);
  if (length <= 0) return 0;
  for (ssize_t done = 0; done < length;) {
    ssize_t written = write(to, buffer + done, (size_t)(length - done));
    if (written < 0 && errno != EINTR) return 0;
    if (written > 0) done += written;
  }
  return 1;
}

int main(int count, char **words) {
  int to_server[2], from_server[2];
  if (count < 2 || pipe(to_server) || pipe(from_server)) return 1;
  pid_t server = fork();
  if (server == 0) {
    /* In a session of its own, as a wrap starts it: Linux shares out a busy machine by sessions. */
    setsid();
    dup2(to_server[0], 0);
    dup2(from_server[1], 1);
    close(to_server[1]);
    close(from_server[0]);
    execvp(words[1], words + 1);
    _exit(127);
  }
  close(to_server[0]);
  close(from_server[1]);
  struct pollfd ends[2] = {{0, POLLIN, 0}, {from_server[0], POLLIN, 0}};
  for (;;) {
    if (poll(ends, 2, -1) < 0) continue;
    if (ends[0].revents && !copy(0, to_server[1])) {
      close(to_server[1]);
      ends[0].fd = -1;
    }
    if (ends[1].revents && !copy(from_server[0], 1)) break;
  }
  waitpid(server, 0, 0);
  return 0;
}
