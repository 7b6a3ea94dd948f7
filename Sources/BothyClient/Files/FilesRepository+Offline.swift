import BothyContract

/// Choosing between the server and what is known here.
extension FilesRepository {
    /// - Parameters:
    ///   - there: asks the server.
    ///   - here: answers from the replica.
    func look<Value>(
        there: (FilesRemoteSource) async throws -> Value, here: () async throws -> Value
    ) async throws -> Value {
        guard try await replica.isLinked() else { return try await ask(remote, there) }
        if try await mustLookHere() { return try await here() }
        do {
            return try await ask(briefly, there)
        } catch let failure as ClientFailure where failure.code == .offline {
            reach.lost()
            return try await here()
        }
    }

    /// Does it at the server, or writes it down where there is no way to it.
    ///
    /// - Parameters:
    ///   - there: asks the server, under a request id.
    ///   - later: what is written down instead, and what it is about.
    /// - Returns: the file as it is then; nil for what is gone.
    func change(
        there: (FilesRemoteSource, String) async throws -> File?,
        later: () async throws -> (JournalOperation.Action, LUID?)
    ) async throws -> File? {
        let requestId = JournalRecorder.newRequestId()
        guard try await replica.isLinked() else { return try await ask(remote) { try await there($0, requestId) } }
        if try await mustLookHere() {
            let (action, subject) = try await later()
            return try await settle(try await replica.record(action, on: subject))
        }
        do {
            return try await ask(briefly) { try await there($0, requestId) }
        } catch let failure as ClientFailure where failure.code == .offline {
            reach.lost()
            // The server may have done it, and only its answer was lost: it will know the request again.
            let (action, subject) = try await later()
            return try await settle(try await replica.record(action, on: subject, requestId: requestId))
        }
    }

    /// There is no way to the server, or what is shown has something done to it that the server does not know yet.
    private func mustLookHere() async throws -> Bool {
        if reach.isOffline { return true }
        guard try await replica.hasOperations() else { return false }
        if reach.takeJournalTurn() {
            // What was done earlier goes along by itself, unless the person holds that back; what is typed now does not wait, and
            // is about what the server has now.
            if try await conditions.hold(on: .byItself) == nil {
                try await sendWhatWaits()
            } else {
                try await askWhatIsNew()
            }
        }
        if reach.isOffline { return true }
        return try await replica.hasOperations()
    }

    /// Fetches what is new; without a way to the server, that is noted and nothing else.
    private func askWhatIsNew() async throws {
        do {
            try await replica.pull()
            reach.answered()
        } catch let failure as ClientFailure where failure.code == .offline {
            reach.lost()
        }
    }

    /// Fetches what is new, and sends what waits; without a way to the server, that is noted and nothing else.
    package func sendWhatWaits() async throws {
        do {
            try await replica.pull()
            reach.answered()
            reach.found()
            switch try await replica.push() {
            case .held(let failure) where failure.code == .offline: reach.lost()
            case .elsewhere: try await replica.leaveToSender(.files)
            case .held, .done: break
            }
            try await replica.pull()
        } catch let failure as ClientFailure where failure.code == .offline {
            reach.lost()
        }
    }

    /// What has become of an operation: done, waiting, or refused, and then it is as if it had never been asked.
    private func settle(_ operation: JournalOperation?) async throws -> File? {
        guard let operation else { return nil }
        if !reach.isOffline {
            await replica.attend(operation)
            try await sendWhatWaits()
        }
        var now = try await replica.operation(operation.id)
        if now.map({ operation.isOvertaken(by: $0) }) ?? true {
            switch try await replica.end(ofAttended: operation) {
            case .done: now = nil
            case .replaced(let made): now = try await replica.operation(made.id)
            case .givenUp(let failure): throw failure
            }
        }
        if let now, now.waitsForAPerson {
            try await replica.discard(now.id)
            throw now.lastError ?? ClientFailure(.refused, "The server refused it.")
        }
        if let now, now.state != .acknowledged { reach.record(now.id) }
        return try await replica.wireFile(operation.subject)
    }

    private func ask<Value>(
        _ source: FilesRemoteSource, _ body: (FilesRemoteSource) async throws -> Value
    ) async throws -> Value {
        let value = try await body(source)
        reach.answered()
        return value
    }

    /// No request has found its way to the server, or one has found none.
    public var isOffline: Bool { reach.isOffline }
}
