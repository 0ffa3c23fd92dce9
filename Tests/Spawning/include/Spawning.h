#ifndef SPAWNING_H
#define SPAWNING_H

#include <sys/types.h>

/// Starts a program with nothing to read, and both its outputs in one pipe.
///
/// It is killed when this process ends, however that ends, unless it has left its process group. It has no other
/// descriptor of this process and every signal as a login shell has it: Swift's own threads block signals, and a program
/// would inherit that and never hear a SIGTERM. C, because Glibc shows Swift nothing that needs _GNU_SOURCE.
///
/// - Parameters:
///   - arguments: the program's path and its arguments, ended by NULL.
///   - environment: `NAME=value`, ended by NULL.
///   - directory: where it runs; NULL for here.
///   - pid: set to the child's.
/// - Returns: the pipe's reading end, not blocking and closed on exec; or an error number, negated.
int spawning_start(char *const arguments[], char *const environment[], const char *directory, pid_t *pid);

#endif
