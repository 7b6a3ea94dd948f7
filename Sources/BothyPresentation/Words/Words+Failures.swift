import BothyClient

/// What went wrong, as a screen says it. Failures become sentences here alone.
extension Words {
    /// - Parameter error: whatever was thrown; of what is no failure of ours, only that it did not work is said.
    public func failure(_ error: any Error) -> Notice {
        guard let failure = error as? ClientFailure else { return Notice(self[.failedTitle], tone: .failure) }
        let (text, remedy) = counted.failed(failure)
        return Notice(tooLarge(failure) ?? text, tone: .failure, remedy: remedy)
    }

    /// Bytes are for programs.
    private func tooLarge(_ failure: ClientFailure) -> String? {
        guard failure.code == .fileTooLarge, let most = failure.problem?.limit else { return nil }
        return filled(.fileTooLarge, size(most))
    }
}
