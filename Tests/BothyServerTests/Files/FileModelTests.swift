import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import Testing

/// Random sequences of operations, by two devices, against a model small enough to be right.
@Suite struct FileModelTests {
    private static let seeds = ProcessInfo.processInfo.environment["BOTHY_TEST_SEEDS"].flatMap(UInt64.init) ?? 12

    @Test(arguments: [UInt64](1...seeds))
    func whatRandomOperationsMakeIsWhatTheModelSays(seed: UInt64) async throws {
        let server = try await TestServer()
        var random = SeededRandom(seed: seed)
        var model = DriveModel()
        var replica = Replica()
        var cursor: String?
        for step in 0..<120 {
            let operation = model.anyOperation(&random)
            let (code, created) = try await server.perform(operation)
            let expected = model.perform(operation, created: created)
            #expect(code == expected, "seed \(seed) step \(step): \(operation)")
            if code != expected { return }
            if Int.random(in: 0..<10, using: &random) == 0 {
                let limit = Int.random(in: 1...20, using: &random)
                let pulled = try await server.changes(after: cursor, limit: limit)
                replica.apply(pulled.changes)
                cursor = pulled.cursor
                if Bool.random(using: &random) { try await server.drain() }
            }
        }
        let pulled = try await server.changes(after: cursor, limit: 5)
        replica.apply(pulled.changes)
        let listing = try await server.wholeListing()
        #expect(Self.difference(listing, model.listing).isEmpty, "seed \(seed)")
        #expect(Self.difference(replica.listing, listing).isEmpty, "seed \(seed): pulling shows what listing shows")
        var fresh = Replica()
        fresh.apply(try await server.changes(after: nil, limit: 3).changes)
        #expect(Self.difference(fresh.listing, listing).isEmpty, "seed \(seed): a first link shows what listing shows")
        try await server.drain()
        replica.apply(try await server.changes(after: pulled.cursor, limit: 5).changes)
        #expect(replica.ids == fresh.ids, "seed \(seed): nothing is kept of what went with its folder")
    }

    private static func difference(
        _ left: [String: Replica.Entry], _ right: [String: Replica.Entry]
    ) -> [String] {
        Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
            .map { "\(left[$0].map { "\($0)" } ?? "nothing") and not \(right[$0].map { "\($0)" } ?? "nothing")" }
    }
}
