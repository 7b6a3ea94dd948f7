#define _GNU_SOURCE
#include "detached.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#ifdef __linux__

static int configure(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int log_file, int ready_pipe) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(actions, log_file, 1);
    if (!failed) failed = posix_spawn_file_actions_adddup2(actions, log_file, 2);
    if (!failed) failed = posix_spawn_file_actions_adddup2(actions, ready_pipe, 3);
    if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(actions, 4);
    if (!failed) failed = posix_spawn_file_actions_addchdir_np(actions, "/");
    if (!failed) failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed) failed = posix_spawnattr_setsigdefault(attributes, &all);
    if (!failed)
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return failed;
}

int bothy_start_detached(
    const char *program, char *const arguments[], char *const environment[], int log_file, int ready_pipe,
    pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        failed = configure(&actions, &attributes, log_file, ready_pipe);
        if (!failed) failed = posix_spawn(child, program, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

#else

int bothy_start_detached(
    const char *program, char *const arguments[], char *const environment[], int log_file, int ready_pipe,
    pid_t *child) {
    (void)program, (void)arguments, (void)environment, (void)log_file, (void)ready_pipe, (void)child;
    return ENOTSUP;
}

#endif
