#define _GNU_SOURCE
#include "Spawning.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

/// The process that outlives this one to end what it started, and the group that all of them are in; an error number,
/// negated, if it could not be started.
static pid_t guard;

static int prepare_files(posix_spawn_file_actions_t *actions, int input, int output, const char *directory) {
    int error = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (!error && directory) error = posix_spawn_file_actions_addchdir_np(actions, directory);
    return error;
}

static int prepare_attributes(posix_spawnattr_t *attributes, pid_t group) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setpgroup(attributes, group);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    if (!error) error = posix_spawnattr_setflags(attributes, flags);
    return error;
}

/// Starts the guard: a shell that reads from a pipe until this process is gone, whose end nobody else has, and then ends
/// its group.
///
/// Not prctl(2)'s parent-death signal: that is for the end of the *thread* that started the program, and the system
/// forgets it when a program gives up root, as mosquitto and gpsd do.
static void start_guard(void) {
    static char *const arguments[] = {"/bin/sh", "-c", "trap '' HUP INT TERM; read nothing; kill -9 0", NULL};
    static char *const environment[] = {NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        guard = -errno;
        return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (!error) error = prepare_attributes(&attributes, 0);
    if (!error) error = posix_spawn(&guard, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (!error) return; // the other end stays open until this process ends
    close(ends[1]);
    guard = -error;
}

int spawning_start(char *const arguments[], char *const environment[], const char *directory, pid_t *pid) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_guard);
    if (guard < 0) return guard;
    int ends[2], input[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    // A pipe that nobody writes into: at its end whatever /dev/null may be on this machine, which root's programs can replace.
    if (pipe2(input, O_CLOEXEC) != 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    close(input[1]);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = prepare_files(&actions, input[0], ends[1], directory);
    if (!error) error = prepare_attributes(&attributes, guard);
    // Only the reading end: it shares no flags with the writing end, which the child expects to block.
    if (!error && fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) error = errno;
    if (!error) error = posix_spawn(pid, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(ends[1]);
    if (!error) return ends[0];
    close(ends[0]);
    return -error;
}
