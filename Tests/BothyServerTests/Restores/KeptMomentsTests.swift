import BothyContract
import Testing

@testable import BothyServer

/// Random histories that are thinned again and again, by settings that change, while moments of them are asked for: what a restore goes
/// back to is exactly what an unthinned drive would have there.
@Suite struct KeptMomentsTests {
    private static let day: Int64 = 86_400
    private static let settings = [(2, 10, 40), (1, 1, 1), (5, 5, 90), (30, 90, 365)].map {
        VersionThinning(all: $0, daily: $1, weekly: $2)!
    }

    /// A drive as it was after one of its changes, seen when nothing of it was thinned.
    private struct Moment {
        var cursor: ChangeCursor
        var at: Timestamp
        /// File → the version that it had.
        var heads: [String: String]
        /// Name → content, of what is there.
        var shown: [String: ContentHash]
    }

    private final class World {
        let server: TestServer
        var random: SeededRandom
        var files = [String]()
        var moments = [Moment]()
        /// Moments that were asked for and gave way to an earlier one.
        var rounded = 0

        init(seed: UInt64) async throws {
            server = try await TestServer()
            random = SeededRandom(seed: seed)
            // Before a day has passed nothing can be thinned.
            server.clock.advance(seconds: .random(in: 1...40 * KeptMomentsTests.day, using: &random))
        }

        func live(steps: Int) async throws {
            for step in 0..<steps {
                let pause: [ClosedRange<Int64>] = [1...60, 1...KeptMomentsTests.day, 1...15 * KeptMomentsTests.day]
                server.clock.advance(seconds: .random(in: pause.randomElement(using: &random)!, using: &random))
                let content = "\(moments.count) \(step)"
                if files.count < 2 || Int.random(in: 0..<15, using: &random) == 0 {
                    files.append(try await server.commit(content, FilePlacement(name: "f\(files.count)")).file.id)
                } else {
                    let id = files.randomElement(using: &random)!
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: _ = try await server.update(id, UpdateFileRequest(name: "renamed \(content)"))
                    case 1: _ = try await server.update(id, UpdateFileRequest(trashed: .random(using: &random)))
                    default:
                        _ = try await server.commit(
                            content, FilePlacement(fileId: id, name: "x", conflict: .overwrite))
                    }
                }
                try await remember()
            }
        }

        func remember() async throws {
            let cursor = try #require(ChangeCursor(text: try await server.cursor()))
            moments.append(
                Moment(
                    cursor: cursor, at: server.clock.now(), heads: try await heads(after: cursor.sequence),
                    shown: try await shown()))
        }

        func heads(after sequence: Int64) async throws -> [String: String] {
            let files = files
            return try await server.database.read { db in
                let past = PastDrive(db, drive: 1, after: sequence)
                return try files.reduce(into: [:]) { $0[$1] = try past.head(of: $1)?.id }
            }
        }

        func shown() async throws -> [String: ContentHash] {
            try await server.list("parentId=root").reduce(into: [:]) { $0[$1.name] = $1.checksum }
        }

        func thin() async throws {
            let thinning = KeptMomentsTests.settings.randomElement(using: &random)!
            let walk = ThinningWalk(
                thinning, database: server.database,
                lived: { [clock = server.clock] in Int64(clock.uptimeSeconds()) })
            while try await walk.step() == .more {}
        }

        /// - Returns: the moment that a restore goes to, and the restore; nil where it is refused.
        func ask(dryRun: Bool) async throws -> (moment: Moment, restore: DriveRestore)? {
            let asked = moments.randomElement(using: &random)!
            let isTime = Bool.random(using: &random)
            let answer = try await server.restore(
                RestoreRequest(
                    requestId: nil, at: isTime ? asked.at : nil, cursor: isTime ? nil : asked.cursor.text,
                    dryRun: dryRun))
            guard answer.status == 200 else {
                try await expectForgotten(answer)
                return nil
            }
            let restore: DriveRestore = try answer.json()
            let used = try #require(moments.first { $0.cursor.text == restore.cursor }, "it is no moment of the drive")
            #expect(used.cursor.sequence <= asked.cursor.sequence, "nothing is from later than was asked for")
            #expect((restore.askedAt != nil) == (used.cursor != asked.cursor))
            #expect(restore.at <= restore.askedAt ?? restore.at)
            if restore.askedAt != nil { rounded += 1 }
            return (used, restore)
        }

        /// The earliest moment that there is, is one.
        private func expectForgotten(_ answer: TestAnswer) async throws {
            #expect(answer.code == .momentForgotten, "\(answer.text)")
            let earliest = try #require(try answer.problem().earliest)
            let again = try await server.restore(RestoreRequest(requestId: nil, at: earliest, dryRun: true))
            try #require(again.status == 200, "\(again.text)")
            #expect(try again.json(DriveRestore.self).askedAt == nil)
        }

        /// A plan that is listed keeps what it speaks of: it is not what is tried out here.
        func forgetPlans() async throws {
            try await server.database.write { db in
                try db.execute("DELETE FROM restore_steps")
                try db.execute("DELETE FROM restores")
            }
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func aMomentThatIsGoneBackToIsWhatItWasWhateverWasThinned(_ seed: UInt64) async throws {
        let world = try await World(seed: seed)
        for _ in 0..<5 {
            try await world.live(steps: 25)
            try await world.thin()
            for _ in 0..<8 {
                guard let (used, _) = try await world.ask(dryRun: true) else { continue }
                let found = try await world.heads(after: used.cursor.sequence)
                for (file, head) in used.heads { #expect(found[file] == head, "seed \(seed): \(file) at \(used.at)") }
            }
            try await world.forgetPlans()
        }
        #expect(world.rounded > 0, "seed \(seed): nothing was tried out")
    }

    @Test(arguments: 100..<108 as Range<UInt64>)
    func whatIsPutBackIsTheDriveAsItWasThenAndUndone(_ seed: UInt64) async throws {
        let world = try await World(seed: seed)
        for round in 0..<3 {
            try await world.live(steps: 30)
            try await world.thin()
            let before = try await world.shown()
            guard let (used, restore) = try await world.ask(dryRun: false) else { continue }
            #expect(try await world.shown() == used.shown, "seed \(seed) round \(round)")
            try await world.remember()
            guard restore.before != nil else { continue }
            let undone = try await world.server.restore(RestoreRequest(requestId: nil, cursor: restore.before))
            #expect(undone.status == 200, "\(undone.text)")
            #expect(try await world.shown() == before, "seed \(seed) round \(round): undone")
            try await world.remember()
        }
    }

    private func thin(_ server: TestServer, at now: Int64) async throws {
        let walk = ThinningWalk(Self.settings[0], database: server.database, lived: { now })
        while try await walk.step() == .more {}
    }

    private func versions(_ server: TestServer) async throws -> Int {
        try await server.database.read { try $0.first("SELECT count(*) FROM revisions")?.int(0) ?? 0 }
    }

    @Test func whileARestoreIsBeingPlannedNothingOfItsDriveIsLetGo() async throws {
        let server = try await TestServer()
        let file = try await server.commit("0", FilePlacement(name: "a")).file
        for number in 1..<6 {
            server.clock.advance(seconds: 60)
            _ = try await server.commit("\(number)", FilePlacement(fileId: file.id, name: "a", conflict: .overwrite))
        }
        let request = RestoreRequest(requestId: nil, at: server.clock.now(), dryRun: true)
        let opening = RestoreOpening(request: request, identity: .none(for: "POST /v1/restore"))
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        _ = try await server.database.write { try opening.perform(in: $0, stamp: stamp) }
        try await thin(server, at: 400 * Self.day)
        #expect(try await versions(server) == 6)
        try await server.database.write { try $0.execute("DELETE FROM restores") }
        try await thin(server, at: 400 * Self.day)
        #expect(try await versions(server) == 2, "the first and the newest")
    }

    @Test func aFileThatWasNotThereAtTheMomentThatIsKeptSaysWhichThatIs() async throws {
        let server = try await TestServer()
        _ = try await server.createFolder("before")
        server.clock.advance(seconds: 2 * Self.day)
        let file = try await server.commit("0", FilePlacement(name: "a")).file
        let at = server.clock.now()
        server.clock.advance(seconds: 60)
        _ = try await server.commit("1", FilePlacement(fileId: file.id, name: "a", conflict: .overwrite))
        server.clock.advance(seconds: 7 * Self.day)
        try await thin(server, at: Int64(server.clock.uptimeSeconds()))
        let refused = try await server.restore(RestoreRequest(requestId: nil, at: at, fileId: file.id, dryRun: true))
        #expect(refused.code == .notThereThen)
        #expect(try refused.problem().detail.contains("the last moment before \(at) that is kept"))
    }

    /// Where a clock was set back, the change that was logged last counts.
    @Test(arguments: [1, 2, 3, 100]) func aMomentIsFoundPageByPageAsInOneGo(_ page: Int) async throws {
        let server = try await TestServer()
        var times = [server.clock.now()]
        for (number, seconds) in [10, 10, -35, 10, 10, 40, -5].enumerated() {
            server.clock.jump(seconds: Int64(seconds))
            _ = try await server.commit("\(number)", FilePlacement(name: "f\(number)"))
            times.append(server.clock.now())
        }
        for at in times.flatMap({ [$0, $0.adding(seconds: -1), $0.adding(seconds: 100)] }) {
            let sought = try await RestoreMoment.seek(at, in: server.database, drive: 1, page: page)
            let expected = try await server.database.read { db in
                try db.first(
                    "SELECT max(sequence) FROM changes WHERE drive_id = 1 AND at_ms <= ?", [at.sql]
                )?.optional(0, SQLRow.int64)
            }
            #expect(sought.found?.sequence == expected, "\(at)")
        }
    }

    /// Requests overtake one another, and after a kill the server has lived a minute less.
    @Test func theLogsLivedTimeNeverGoesBack() async throws {
        let server = try await TestServer()
        let stamps = [500, 440, 501].map { lived in
            StampSource(clock: server.clock, lived: { lived }).stamp(for: TestCaller.kitchen.caller)
        }
        for (number, stamp) in stamps.enumerated() {
            let hash = UploadWorld.reference([UInt8(number)])
            try await server.database.write { db in
                let content = try ContentTable(db, drive: 1).insert(checksum: hash.sha256, size: 1, blocks: [hash])
                let commit = FileCommit(placement: FilePlacement(name: "\(number)"), contentId: content)
                _ = try FileCommit.commit(commit, in: db, stamp: stamp)
            }
        }
        for sql in [
            "SELECT at_lived FROM changes ORDER BY sequence", "SELECT made_lived FROM revisions ORDER BY sequence",
        ] {
            #expect(try await server.database.read { try $0.query(sql).map { $0.int64(0) } } == [500, 500, 501])
        }
    }
}
