import BothyContract

/// Decides what is done where a name is taken: by the flags, or by asking a person, once for one or for all.
actor ExistsDecider {
    private var policy: ExistsPolicy
    private let display: ProgressDisplay
    private let keepsHistory: Bool

    enum Decision: Sendable {
        case replace, keepBoth, skip
    }

    /// - Parameter keepsHistory: what is replaced stays as an older version.
    init(policy: ExistsPolicy, display: ProgressDisplay, keepsHistory: Bool) {
        self.policy = policy
        self.display = display
        self.keepsHistory = keepsHistory
    }

    /// What the server is told for a name that is free now: somebody else may take it before the file arrives.
    var policyForFreeName: ConflictPolicy {
        switch policy {
        case .keepBoth: .fork
        case .fail: .fail
        case .replace, .replaceVersions, .ask: .overwrite
        }
    }

    /// - Parameters:
    ///   - subject: the sentence that says what is there.
    ///   - several: more may be asked about after this one.
    ///   - mayGo: asked where nobody can be: whether what is there is in the server's history, or was named to be replaced.
    /// - Throws: a `Complaint` with `--fail`, and where nobody can be asked about what is nowhere else; a
    ///   `CancellationError` when the person says «cancel».
    func decide(
        _ subject: String, several: Bool, mayGo: @Sendable () async throws -> Bool = { true }
    ) async throws -> Decision {
        switch policy {
        case .replace: return .replace
        case .replaceVersions:
            if try await mayGo() { return .replace }
            throw Complaint(
                .exists, "\(subject) It is not a version of the file on the server, and would be lost.",
                remedy: "Use --keep-both to keep it, or --replace.", status: .notThereOrInConflict)
        case .keepBoth: return .keepBoth
        case .fail:
            throw Complaint(
                .exists, subject, remedy: "To replace it, leave out --fail; or use --keep-both.",
                status: .notThereOrInConflict)
        case .ask: return try await ask(subject, several)
        }
    }

    /// Set by «skip all»; there is no flag for it.
    private var skipsAll = false

    private func ask(_ subject: String, _ several: Bool) async throws -> Decision {
        if skipsAll { return .skip }
        let question = ExistsQuestion(subject: subject, keepsHistory: keepsHistory, several: several)
        while true {
            try Task.checkCancellation()
            guard let line = await display.ask(question.text) else { throw CancellationError() }
            guard let reply = question.reply(line) else { continue }
            switch reply.answer {
            case .replace:
                if reply.forAll { policy = .replace }
                return .replace
            case .keepBoth:
                if reply.forAll { policy = .keepBoth }
                return .keepBoth
            case .skip:
                skipsAll = reply.forAll
                return .skip
            case .cancel: throw CancellationError()
            }
        }
    }
}
