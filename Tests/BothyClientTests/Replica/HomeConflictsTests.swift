import BothyClient
import BothyContract
import Foundation
import Testing

/// What waits to be decided, as a screen is told of it.
@Suite struct HomeConflictsTests {
    private static let base = "one\ntwo\nthree\nfour\nfive\n"
    private static let theirs = "one\ntwo\nthree\nfour\nFIVE\n"
    private static let mine = "ONE\ntwo\nthree\nfour\nfive\n"

    private struct Desk {
        var here: TestEngine
        var there: TestEngine
        var conflicts: HomeConflicts

        init() throws {
            let drive = PaperDrive()
            (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
            conflicts = HomeConflicts(replica: here.engine) { $0.map { "the \($0)" } }
        }

        /// A file that both devices know.
        func shared(_ text: String) async throws -> LUID {
            let file = try await here.put("a.txt", Array(text.utf8))
            try await here.sync()
            try await there.sync()
            try await here.engine.setConflictPolicy(.ask, of: .root)
            return file
        }

        func edit(_ desk: TestEngine, _ text: String) async throws {
            try await desk.edit(
                try #require(try await desk.engine.file(at: RemotePath("/a.txt"))).luid, Array(text.utf8))
        }

        func held(_ name: String) -> String? { here.drive.bytes(name).map { String(decoding: $0, as: UTF8.self) } }
    }

    private func bothEdited() async throws -> (Desk, DeviceConflict) {
        let desk = try Desk()
        _ = try await desk.shared(Self.base)
        try await desk.edit(desk.there, Self.theirs)
        try await desk.there.sync()
        try await desk.edit(desk.here, Self.mine)
        try await desk.here.sync()
        return (desk, try #require(try await desk.conflicts.waiting().first))
    }

    @Test func bothSidesOfAnEditAreTold() async throws {
        let (desk, conflict) = try await bothEdited()
        #expect(conflict.kind == .edits && conflict.name == "a.txt" && conflict.hasTwoContents)
        #expect(conflict.mine.device == "kitchen" && conflict.mine.size == Int64(Self.mine.utf8.count))
        #expect(conflict.theirs?.size == Int64(Self.theirs.utf8.count) && conflict.theirs?.device == "the phone")
        #expect(conflict.choices == [.mine, .theirs, .both, .merged])
        #expect(try await desk.conflicts.count() == 1)
        let mine = try await desk.conflicts.beginning(of: .mine, conflict.id, most: 1 << 20)
        let theirs = try await desk.conflicts.beginning(of: .theirs, conflict.id, most: 1 << 20)
        #expect(mine == Array(Self.mine.utf8) && theirs == Array(Self.theirs.utf8))
        #expect(try await desk.conflicts.beginning(of: .mine, conflict.id, most: 3) == Array("ONE".utf8))
    }

    /// It is the only copy of what was made here, so that it stays; but nobody decides by what a disk has made of it.
    @Test func aSideThatADiskHasDamagedIsNotShownAndStays() async throws {
        let (desk, conflict) = try await bothEdited()
        let content = try #require(try await desk.here.engine.operations().compactMap(\.content).first)
        func expectDamage(_ body: () async throws -> Void) async {
            await #expect {
                try await body()
            } throws: {
                let failure = $0 as? ClientFailure
                return failure?.code == .sourceDamaged && failure?.words.contains("“a.txt” that waits here") == true
                    && failure?.remedy.contains("keep theirs") == true
            }
        }
        try flipABit(of: content.path, at: Self.mine.utf8.count - 1)
        for most in [1, 1 << 20] {
            await expectDamage { _ = try await desk.conflicts.beginning(of: .mine, conflict.id, most: most) }
        }
        await expectDamage { _ = try await desk.conflicts.content(ofMine: conflict.id) }
        let theirs = try await desk.conflicts.beginning(of: .theirs, conflict.id, most: 1 << 20)
        #expect(theirs == Array(Self.theirs.utf8))
        #expect(FileManager.default.fileExists(atPath: content.path), "it is the only copy")
        #expect(try await desk.conflicts.count() == 1)

        try flipABit(of: content.path, at: Self.mine.utf8.count - 1)
        #expect(try await desk.conflicts.beginning(of: .mine, conflict.id, most: 3) == Array("ONE".utf8))
    }

    @Test(arguments: ConflictDecision.Choice.allCases)
    func eachChoiceIsMadeAndCanBeTakenBack(_ choice: ConflictDecision.Choice) async throws {
        let (desk, conflict) = try await bothEdited()
        try await desk.conflicts.resolve(conflict.id, choice, seen: conflict.seen)
        try await desk.here.sync()
        let expected: [ConflictDecision.Choice: String] = [
            .mine: Self.mine, .theirs: Self.theirs, .both: Self.theirs, .merged: "ONE\ntwo\nthree\nfour\nFIVE\n",
        ]
        #expect(desk.held("a.txt") == expected[choice])
        #expect(try await desk.conflicts.waiting().isEmpty)
        let decided = try #require(try await desk.conflicts.decided(most: 10).first)
        #expect(decided.choice == choice && !decided.isAutomatic && decided.name == "a.txt")
        #expect((decided.beside != nil) == (choice == .both))
        try await desk.conflicts.takeBack(decided.id)
        try await desk.here.sync()
        let again = try #require(try await desk.conflicts.waiting().first)
        #expect(try await desk.conflicts.beginning(of: .mine, again.id, most: 99) == Array(Self.mine.utf8))
        #expect(try await desk.conflicts.decided(most: 1).first?.undoneAt != nil)
    }

    @Test func whoHasSeenAnOlderVersionDecidesNothing() async throws {
        let (desk, conflict) = try await bothEdited()
        try await desk.edit(desk.there, "something newer")
        try await desk.there.sync()
        try await desk.here.engine.pull()
        await #expect {
            try await desk.conflicts.resolve(conflict.id, .mine, seen: conflict.seen)
        } throws: {
            ($0 as? ClientFailure)?.code == .changedMeanwhile
        }
        #expect(desk.held("a.txt") == "something newer")
        #expect(try await desk.conflicts.count() == 1)
    }

    @Test func aDeletionThatMetAnEditTellsWhatWasChanged() async throws {
        let desk = try Desk()
        let file = try await desk.shared(Self.base)
        let seen = try await desk.here.engine.seen(
            try #require(try await desk.here.engine.serverId(of: file)), asOf: nil)
        try await desk.edit(desk.there, Self.theirs)
        try await desk.there.sync()
        try await desk.here.engine.record(.trash(seen: seen), on: file)
        try await desk.here.sync()
        let conflict = try #require(try await desk.conflicts.waiting().first)
        #expect(conflict.kind == .deletion && conflict.choices == [.mine, .theirs] && !conflict.hasTwoContents)
        #expect(conflict.mine.size == nil && conflict.theirs?.size == Int64(Self.theirs.utf8.count))
    }

    @Test func whatHasTheNameIsTold() async throws {
        let desk = try Desk()
        let file = try await desk.shared(Self.base)
        try await desk.there.put("b.txt", Array("taken".utf8))
        try await desk.there.sync()
        try await desk.here.engine.record(.rename(name: "b.txt"), on: file)
        try await desk.here.sync()
        let conflict = try #require(try await desk.conflicts.waiting().first)
        #expect(conflict.kind == .name && conflict.mine.name == "b.txt" && conflict.theirs?.size == 5)
        #expect(conflict.choices == [.theirs, .both] && conflict.failure?.code == .nameConflict)
    }

    @Test func theWholeOfWhatWasMadeHereCanBeOpened() async throws {
        let (desk, conflict) = try await bothEdited()
        var bytes = [UInt8]()
        for try await piece in try await desk.conflicts.content(ofMine: conflict.id) {
            bytes += Array(piece.readableBytesView)
        }
        #expect(bytes == Array(Self.mine.utf8))
    }

    @Test func anIdOfNothingIsNotFound() async throws {
        let desk = try Desk()
        for id in ["", "7", "f12", "9999999999999999999999"] {
            await #expect { try await desk.conflicts.conflict(id) } throws: {
                ($0 as? ClientFailure)?.code == .notFound
            }
        }
    }

    @Test func severalPlacesAreOneList() async throws {
        let (desk, conflict) = try await bothEdited()
        let other = try Desk()
        defer { withExtendedLifetime(other) {} }
        let joined = JoinedConflicts(
            [other.conflicts, desk.conflicts], replica: desk.here.engine, clock: TestClock())
        #expect(try await joined.waiting().map(\.id) == [conflict.id])
        #expect(try await joined.count() == 1)
        try await joined.resolve(conflict.id, .theirs, seen: conflict.seen)
        #expect(try await joined.decided(most: 5).count == 1)
        #expect(try await joined.count() == 0)
    }
}
