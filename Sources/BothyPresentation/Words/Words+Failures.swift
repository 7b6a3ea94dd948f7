import BothyClient
import BothyContract

/// What went wrong, as a screen says it. Failures become sentences here alone.
extension Words {
    /// - Parameter error: whatever was thrown; of what is no failure of ours, only that it did not work is said.
    public func failure(_ error: any Error) -> Notice {
        guard let failure = error as? ClientFailure else { return unforeseen }
        if failure.problem?.code == .pageInvalid { return unknownPage }
        let (text, remedy) = counted.failed(failure)
        var notice = Notice(tooLarge(failure) ?? text, tone: .failure, remedy: remedy)
        (notice.code, notice.status) = (failure.code, failure.status)
        notice.needsConnection = failure.needsConnection
        return notice
    }

    private var unforeseen: Notice {
        var notice = Notice(self[.failedTitle], tone: .failure)
        notice.code = .unexpected
        return notice
    }

    /// What the server says of it names what programs send.
    private var unknownPage: Notice {
        var notice = Notice(self[.pageUnknown], tone: .failure)
        notice.isOfAddress = true
        return notice
    }

    /// Why what is shown may not be the newest.
    func staleness(_ failure: ClientFailure) -> String {
        failure.code == .signInNeeded ? self.failure(failure).text : self[.feedKept]
    }

    /// What is found on this device alone, and why.
    ///
    /// - Parameter failure: nil where nobody else was asked.
    func keptAlone(_ failure: ClientFailure?) -> String {
        guard let failure else { return self[.postSearchHere] }
        return failure.code == .signInNeeded ? self.failure(failure).text : self[.postSearchAway]
    }

    /// Bytes are for programs.
    private func tooLarge(_ failure: ClientFailure) -> String? {
        guard failure.code == .fileTooLarge, let most = failure.problem?.limit else { return nil }
        return filled(.fileTooLarge, size(most))
    }
}
