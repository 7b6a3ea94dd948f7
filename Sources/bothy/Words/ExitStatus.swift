/// How a command ended, for scripts. The numbers never change.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case wrongUsage = 2
    case signInNeeded = 3
    /// What was named is not there, or something else stands in its place.
    case notThereOrInConflict = 4
    /// Some of several things were done, and some were not.
    case partlyDone = 5
    /// Written down on this device, and not done yet: it is sent once there is a connection.
    case queued = 6
    /// Ctrl-C: 128 and the number of SIGINT, as shells have it.
    case interrupted = 130

    /// The status of several things done in one command.
    static func ofAll(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
        var worst = ExitStatus.done
        var anyDone = false
        var anyUndone = false
        for status in statuses {
            if status == .interrupted { return .interrupted }
            if status == .done {
                anyDone = true
            } else {
                if !anyUndone { worst = status }
                anyUndone = true
                if status == .signInNeeded { worst = .signInNeeded }
            }
        }
        if worst == .signInNeeded { return worst }
        return anyDone && anyUndone ? .partlyDone : worst
    }
}
