#pragma once

#include <sys/types.h>

/// Starts a program in a session of its own: nothing of the terminal reaches it, and nothing that is open goes along but
/// `log_file`, as its output, and `ready_pipe`, as descriptor 3. Its folder is “/”. Returns 0, or the errno.
int bothy_start_detached(
    const char *program, char *const arguments[], char *const environment[], int log_file, int ready_pipe, pid_t *child);
