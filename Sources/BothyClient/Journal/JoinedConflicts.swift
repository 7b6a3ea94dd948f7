import BothyContract
import NIOCore

/// The conflicts of several places of a device, as one list.
package struct JoinedConflicts: DeviceConflicts {
    /// Seconds between two looks, while somebody listens.
    private static let interval = 1.0

    private let parts: [any ConflictsOfOneKind]
    private let replica: ReplicaEngine
    private let clock: any ClientClock

    /// - Parameter replica: has the account's policy.
    package init(_ parts: [any ConflictsOfOneKind], replica: ReplicaEngine, clock: any ClientClock) {
        self.parts = parts
        self.replica = replica
        self.clock = clock
    }

    package func policy() async throws -> ConflictResolution { try await replica.conflictPolicy(of: .root) }

    package func set(_ policy: ConflictResolution) async throws {
        try await replica.setConflictPolicy(policy, of: .root)
    }

    package func looks(decided most: Int) -> AsyncThrowingStream<ConflictsLook, any Error> {
        Watched.stream(every: Self.interval, by: clock) {
            ConflictsLook(waiting: try await waiting(), decided: try await decided(most: most))
        }
    }

    package func waiting() async throws -> [DeviceConflict] {
        var all = [DeviceConflict]()
        for part in parts { all += try await part.waiting() }
        return all
    }

    package func count() async throws -> Int {
        var count = 0
        for part in parts { count += try await part.count() }
        return count
    }

    package func conflict(_ id: DeviceConflict.ID) async throws -> DeviceConflict {
        try await first { try await $0.conflict(id) }
    }

    package func beginning(of side: ConflictSide, _ id: DeviceConflict.ID, most bytes: Int) async throws -> [UInt8] {
        try await first { try await $0.beginning(of: side, id, most: bytes) }
    }

    package func content(ofMine id: DeviceConflict.ID) async throws -> AsyncThrowingStream<ByteBuffer, any Error> {
        try await first { try await $0.content(ofMine: id) }
    }

    package func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async throws {
        try await first { try await $0.resolve(id, choice, seen: seen) }
    }

    package func decided(most: Int) async throws -> [DecidedConflict] {
        var all = [DecidedConflict]()
        for part in parts { all += try await part.decided(most: most) }
        return Array(all.sorted { $0.decidedAt > $1.decidedAt }.prefix(most))
    }

    package func takeBack(_ id: DecidedConflict.ID) async throws {
        try await first { try await $0.takeBack(id) }
    }

    /// The part that knows of it answers.
    private func first<Value>(_ ask: (any ConflictsOfOneKind) async throws -> Value) async throws -> Value {
        for part in parts {
            do {
                return try await ask(part)
            } catch let failure as ClientFailure where failure.code == .notFound {
                continue
            }
        }
        throw ReplicaEngine.unknown
    }
}
