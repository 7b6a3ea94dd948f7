import BothyClient

/// Waits until the server has done what this command has written down.
struct ServerWait: Sendable {
    let home: DeviceHome
    /// Says to a person what is waited for: once, where it takes a while.
    let note: @Sendable (String) async -> Void

    /// Seconds between two tries of a command that waits for a connection.
    private static let patience = 2.0
    /// Seconds after which who waits is told for what.
    private static let silence = 1.0

    /// - Parameter looked: given what the journal holds still of what this command wrote down, after each try.
    /// - Throws: why something of it waits for a person.
    func run(_ looked: ([JournalOperation]) async throws -> Void = { _ in }) async throws {
        let mine = Set(home.files.reach.recorded)
        let telling = Task { [note] in
            guard (try? await Task.sleep(for: .seconds(Self.silence))) != nil else { return }
            await note("Waiting for the server. Ctrl-C leaves the change in the journal.")
        }
        defer { telling.cancel() }
        while true {
            try await home.files.sendWhatWaits()
            let held = try await home.replica.operations().filter { mine.contains($0.id) }
            try await looked(held)
            if let failure = held.first(where: \.isStuck)?.lastError { throw failure }
            if held.allSatisfy({ $0.state == .acknowledged }) { return }
            try await Task.sleep(for: .seconds(Self.patience))
        }
    }
}

extension JournalOperation {
    /// It waits for a person, and says why.
    var isStuck: Bool { waitsForAPerson && lastError != nil }
}
