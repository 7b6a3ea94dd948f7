#pragma once

#include <stdint.h>

/// How a program that was run came to its end.
enum bothy_ending {
    /// By itself, with an exit status.
    bothy_ended,
    /// By a signal.
    bothy_killed,
    /// By this function, because its time was over or it was to stop.
    bothy_stopped,
    /// It could not be started.
    bothy_not_started
};

/// What a program may take, and what it may reach.
struct bothy_bounds {
    /// Bytes that it can address.
    uint64_t memory;
    /// Bytes of each file that it may write.
    uint64_t written;
    /// Seconds of a core.
    uint64_t work;
    /// How much it gives way to others, 0 to 19.
    int niceness;
    /// Whether the kernel closes it in: no file but what lies below `readable` and its own folder, and no network, as far as the kernel
    /// knows how (Landlock, seccomp). What closes itself in by namespaces must not be closed in before.
    int is_closed;
    /// Paths below which it may read and run, ended by a null. What is not there is passed over.
    const char *const *readable;
};

/// Version of Landlock's interface that the kernel has; 0 where it has none.
int bothy_landlock_version(void);

/// Runs a program in `folder`, in a group of processes of its own, and waits until it has ended: for `milliseconds` at most, and no longer
/// than until `stop` can be read from. Then the whole group is killed. Nothing that is open goes along, and it can gain no rights; what it says as
/// its error lies in the file `said` of the folder. `status` becomes its exit status, the signal, or the errno.
enum bothy_ending bothy_run_bounded(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    const struct bothy_bounds *bounds, int milliseconds, int stop, int *status);
