import BothyContract

/// How a transfer goes, and what becomes of it: what the records of uploads and downloads have in common, and what both
/// machines decide by.
protocol TransferCourse {
    var state: TransferState { get set }
    /// Why it failed, or waits.
    var lastError: TransferFailure? { get set }
    /// Failures in a row that were not the network's.
    var failures: Int { get set }
    /// The most that was ever shown as done, in bytes.
    var shownBytes: Int64 { get set }
}

extension UploadTransfer: TransferCourse {}
extension DownloadTransfer: TransferCourse {}

extension TransferCourse {
    /// Failures in a row that are not the network's before a person is asked.
    static var patience: Int { 5 }

    /// - Parameter bytes: the whole file's.
    mutating func complete(bytes: Int64) {
        state = .completed
        lastError = nil
        failures = 0
        shownBytes = bytes
    }

    mutating func grant(_ wish: TransferWish) {
        lastError = nil
        state =
            switch wish {
            case .pause: .paused(.user)
            case .stop: .paused(.stopped)
            case .cancel: .canceled
            }
    }

    /// Only a person can help. Signing in lets it resume.
    mutating func end(with failure: TransferFailure) {
        lastError = failure
        state = failure.code == .signInNeeded ? .paused(.signInNeeded) : .failed
    }

    /// Counts a failure. What is transient is tried again: the network's and a busy database's for ever, the server's own a few times.
    mutating func isWorthAnotherTry(after failure: TransferFailure) -> Bool {
        guard failure.isWorthRetrying else { return false }
        if failure.isNetworks || failure.code == .homeBusy { return true }
        failures += 1
        return failures < Self.patience
    }

    mutating func wait(after failure: TransferFailure) {
        lastError = failure
        state = .paused(PauseReason(waitingAfter: failure))
    }
}

extension PauseReason {
    fileprivate init(waitingAfter failure: TransferFailure) {
        self =
            if failure.code == .offline {
                .offline
            } else if failure.problem?.code == .tooManyUploads {
                .tooManyUploads
            } else {
                .serverBusy
            }
    }
}
