#define _GNU_SOURCE
#include "bounded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>

#ifdef __linux__

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int configure(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, const char *folder) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawn_file_actions_addchdir_np(actions, folder);
    if (!failed) failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(actions, 2, "said", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    if (!failed) failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed) failed = posix_spawnattr_setsigdefault(attributes, &all);
    if (!failed) failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed)
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return failed;
}

static int start(
    const char *program, char *const arguments[], char *const environment[], const char *folder, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        failed = configure(&actions, &attributes, folder);
        if (!failed) failed = posix_spawn(child, program, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Whether the process ended by itself, before its time was over and before it was to stop.
static int waits_in_vain(int process, int milliseconds, int stop) {
    int64_t end = now() + milliseconds;
    for (;;) {
        struct pollfd watched[2] = {{.fd = process, .events = POLLIN}, {.fd = stop, .events = POLLIN}};
        int64_t left = end - now();
        if (left <= 0) return 1;
        int count = poll(watched, 2, (int)left);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 1;
        return !(watched[0].revents & POLLIN);
    }
}

enum bothy_ending bothy_run_bounded(
    const char *program, char *const arguments[], char *const environment[], const char *folder, int milliseconds, int stop,
    int *status) {
    pid_t child;
    *status = start(program, arguments, environment, folder, &child);
    if (*status) return bothy_not_started;
    int process = (int)syscall(SYS_pidfd_open, child, 0);
    int is_over = process < 0 || waits_in_vain(process, milliseconds, stop);
    if (process >= 0) close(process);
    // What it has started goes with it.
    kill(-child, SIGKILL);
    int ending = 0;
    while (waitpid(child, &ending, 0) < 0 && errno == EINTR) {}
    if (is_over) return bothy_stopped;
    *status = WIFEXITED(ending) ? WEXITSTATUS(ending) : WTERMSIG(ending);
    return WIFEXITED(ending) ? bothy_ended : bothy_killed;
}

#else

enum bothy_ending bothy_run_bounded(
    const char *program, char *const arguments[], char *const environment[], const char *folder, int milliseconds, int stop,
    int *status) {
    (void)program, (void)arguments, (void)environment, (void)folder, (void)milliseconds, (void)stop;
    *status = ENOTSUP;
    return bothy_not_started;
}

#endif
