#pragma once

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

/// Runs a program in `folder`, in a group of processes of its own, and waits until it has ended: for `milliseconds` at most, and no longer
/// than until `stop` can be read from. Then the whole group is killed. Nothing that is open goes along; what it says as its error lies in
/// the file `said` of the folder. `status` becomes its exit status, the signal, or the errno.
enum bothy_ending bothy_run_bounded(
    const char *program, char *const arguments[], char *const environment[], const char *folder, int milliseconds, int stop,
    int *status);
