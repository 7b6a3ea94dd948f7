import BothyContract
import BothyServer
import Crypto
import Foundation
import Testing

/// Random histories, put back to random moments, against the model's own memory of those moments.
@Suite struct RestoreModelTests {
    private static let seeds = ProcessInfo.processInfo.environment["BOTHY_TEST_SEEDS"].flatMap(UInt64.init) ?? 6

    private struct Moment {
        var model: DriveModel
        var cursor: String
        var at: Timestamp
    }

    /// A server and its model, with every moment that there was.
    private final class World {
        let server: TestServer
        var random: SeededRandom
        var model = DriveModel()
        var moments: [Moment] = []

        init(seed: UInt64) async throws {
            server = try await TestServer()
            random = SeededRandom(seed: seed)
        }

        func live(steps: Int) async throws {
            for _ in 0..<steps {
                server.clock.advance(seconds: 1)
                let operation = model.anyOperation(&random)
                let (code, created) = try await server.perform(operation)
                let expected = model.perform(operation, created: created)
                try #require(code == expected, "\(operation)")
                if Int.random(in: 0..<12, using: &random) == 0 { try await server.drain() }
                try await remember()
            }
        }

        func remember() async throws {
            moments.append(Moment(model: model, cursor: try await server.cursor(), at: server.clock.now()))
        }

        func anyMoment() throws -> Moment { try #require(moments.randomElement(using: &random)) }

        func request(_ moment: Moment, fileId: String? = nil) -> RestoreRequest {
            Bool.random(using: &random)
                ? RestoreRequest(requestId: nil, at: moment.at, fileId: fileId)
                : RestoreRequest(requestId: nil, cursor: moment.cursor, fileId: fileId)
        }

        /// Restores everything, and holds the server to the model.
        func restoreAll(to moment: Moment, _ note: String) async throws -> DriveRestore {
            server.clock.advance(seconds: 1)
            let answer = try await server.restore(request(moment))
            try #require(answer.status == 200, "\(note): \(answer.text)")
            model.restore(to: moment.model)
            model.learn(try await server.wholeListing())
            try await hold(note)
            try await remember()
            return try answer.json()
        }

        func hold(_ note: String) async throws {
            let listing = try await server.wholeListing()
            let expected = model.listing
            for id in Set(listing.keys).union(expected.keys) where listing[id] != expected[id] {
                let (found, wanted) = (listing[id], expected[id])
                Issue.record("\(note): \(id) is \(String(describing: found)) and not \(String(describing: wanted))")
            }
            for (id, node) in model.nodes where listing[id] != nil && !node.isFolder {
                let checksum = try await server.file(id).checksum
                let hash = ContentHash(bytes: Array(SHA256.hash(data: Data(node.content.utf8))))
                #expect(checksum == hash || node.content.isEmpty && checksum == nil, "\(note): content of \(id)")
            }
        }
    }

    @Test(arguments: [UInt64](1...seeds))
    func aDrivePutBackIsTheDriveAsItWas(seed: UInt64) async throws {
        let world = try await World(seed: seed)
        for round in 0..<4 {
            try await world.live(steps: 40)
            let moment = try world.anyMoment()
            _ = try await world.restoreAll(to: moment, "seed \(seed) round \(round)")
        }
    }

    @Test(arguments: [UInt64](1...seeds))
    func restoringToTheMomentBeforeUndoesARestore(seed: UInt64) async throws {
        let world = try await World(seed: seed &+ 1_000)
        for round in 0..<3 {
            try await world.live(steps: 50)
            let before = world.model
            let done = try await world.restoreAll(to: world.anyMoment(), "seed \(seed) round \(round)")
            let undo = Moment(model: before, cursor: try #require(done.before), at: world.server.clock.now())
            let answer = try await world.server.restore(RestoreRequest(requestId: nil, cursor: undo.cursor))
            try #require(answer.status == 200, "\(answer.text)")
            world.model.restore(to: before)
            world.model.learn(try await world.server.wholeListing())
            try await world.hold("seed \(seed) round \(round): undone")
            let live = world.model.below(File.rootId)
            #expect(live == before.below(File.rootId), "seed \(seed) round \(round)")
            try await world.remember()
        }
    }

    @Test(arguments: [UInt64](1...seeds))
    func aFolderPutBackHoldsWhatItHeldAndTheRestStays(seed: UInt64) async throws {
        let world = try await World(seed: seed &+ 2_000)
        for round in 0..<6 {
            try await world.live(steps: 30)
            let moment = try world.anyMoment()
            let (past, now) = (moment.model, world.model)
            let folders = now.ids.filter { id in
                id != File.rootId && now.isThere(id) && past.isThere(id) && !past.isTrashed(id)
                    && now.nodes[id]?.isFolder == true
            }
            guard let folder = folders.randomElement(using: &world.random) else { continue }
            world.server.clock.advance(seconds: 1)
            let answer = try await world.server.restore(world.request(moment, fileId: folder))
            try #require(answer.status == 200, "seed \(seed) round \(round): \(answer.text)")
            world.model = try await world.server.model(after: now)
            let note = "seed \(seed) round \(round): \(folder)"
            let held = past.below(folder).filter { entry in
                // Files that are gone for good stay gone, and folders with nothing else in them.
                let id = String(entry.value.prefix { $0 != " " })
                return entry.value == "folder" || now.isThere(id)
            }
            let holds = world.model.below(folder)
            #expect(holds.filter { $0.value != "folder" } == held.filter { $0.value != "folder" }, "\(note)")
            #expect(Set(holds.keys).isSubset(of: held.keys), "\(note)")
            #expect(!world.model.isTrashed(folder), "\(note) is there again")
            for (id, node) in now.nodes where now.isThere(id) && !now.path(id).contains(folder) {
                guard !past.path(id).contains(folder), !now.path(folder).contains(id) else { continue }
                guard let parentId = node.parentId, past.path(parentId).first(where: { $0 == folder }) == nil else {
                    continue
                }
                let after = world.model.nodes[id]
                #expect(after?.parentId == node.parentId, "\(note): \(id) stays where it is")
                #expect(after?.trashed == node.trashed, "\(note): \(id) stays what it is")
                #expect(after?.content == node.content, "\(note): \(id) stays as it is")
            }
            try await world.remember()
        }
    }

    @Test(arguments: [UInt64](1...seeds))
    func aRunDoesWhatItsDryRunListed(seed: UInt64) async throws {
        let world = try await World(seed: seed &+ 3_000)
        try await world.live(steps: 80)
        let moment = try world.anyMoment()
        var request = world.request(moment)
        request.dryRun = true
        let before = try await world.server.wholeListing()
        let planned: DriveRestore = try await world.server.restore(request).json()
        #expect(planned.state == .planned)
        #expect(try await world.server.wholeListing() == before, "a dry run changes nothing")
        let listed = try await world.server.restoreChanges(planned.restoreId, limit: 3)
        let run = try await world.server.restore(RestoreRequest(requestId: nil, planId: planned.restoreId))
        try #require(run.status == 200, "\(run.text)")
        let done = try await world.server.restoreChanges(planned.restoreId)
        #expect(done.allSatisfy { $0.outcome == .done }, "seed \(seed)")
        #expect(listed.map(\.fileId) == done.map(\.fileId))
        let touched = Set(listed.filter { $0.action == .putBack || $0.action == .trash }.map(\.fileId))
        let after = try await world.server.wholeListing()
        for (id, entry) in before where entry.version != after[id]?.version {
            #expect(touched.contains(id), "seed \(seed): \(id) changed, and was not listed")
        }
        for change in listed where change.action == .putBack {
            #expect(after[change.fileId]?.path == change.pastPath, "seed \(seed)")
        }
    }
}

extension TestServer {
    /// The drive as the server has it, as a model that goes on from another.
    func model(after old: DriveModel) async throws -> DriveModel {
        var model = old
        let contents = Dictionary(
            uniqueKeysWithValues: ["", "one", "two", "three"].map {
                (ContentHash(bytes: Array(SHA256.hash(data: Data($0.utf8)))), $0)
            })
        for id in try await wholeListing().keys {
            let file = try await file(id)
            if model.nodes[id] == nil { model.ids.append(id) }
            model.nodes[id] = DriveModel.Node(
                parentId: file.parentId, name: file.name, isFolder: file.isFolder, version: file.version,
                trashed: file.trashedAt != nil, starred: file.starred,
                content: file.checksum.flatMap { contents[$0] } ?? "")
        }
        return model
    }
}
