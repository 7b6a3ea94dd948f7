import BothyContract

@testable import BothyClient

/// One device's feed with its journal, in memory.
struct TestFeed: Sendable {
    let clock = TestClock()
    let replica: ReplicaStore
    let store: FeedStore
    let domain: FeedDomain

    /// - Parameter perform: the server.
    init(perform: @escaping @Sendable (FeedOperation) async throws -> FeedAnswer) throws {
        replica = try ReplicaDatabase.inMemory()
        store = FeedStore(replica: { [replica] in replica }, settings: try .inMemory(), clock: clock)
        domain = FeedDomain(perform: perform)
    }

    /// As a process that is started anew has it.
    func runner(
        told: @escaping @Sendable (JournalRunner.Event) async -> Void = { _ in }
    ) throws -> JournalRunner {
        JournalRunner(
            store: replica, drive: PaperDrive().from("kitchen"), domains: [domain], alone: true, clock: clock,
            chance: { 0.5 }, told: told)
    }

    func push() async throws -> JournalRunner.Rest { try await runner().push() }
}
