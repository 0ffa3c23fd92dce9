#define _GNU_SOURCE
#include "Spawning.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int prepare_files(posix_spawn_file_actions_t *actions, int output, const char *directory) {
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (!error && directory) error = posix_spawn_file_actions_addchdir_np(actions, directory);
    return error;
}

static int prepare_signals(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

int spawning_start(char *const arguments[], char *const environment[], const char *directory, pid_t *pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = prepare_files(&actions, ends[1], directory);
    if (!error) error = prepare_signals(&attributes);
    // Only the reading end: it shares no flags with the writing end, which the child expects to block.
    if (!error && fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) error = errno;
    if (!error) error = posix_spawn(pid, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!error) return ends[0];
    close(ends[0]);
    return -error;
}
