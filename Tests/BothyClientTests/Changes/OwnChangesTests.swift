import BothyClient
import BothyContract
import Testing

/// A device's own changes, as the answers to them told: what is taken of them is what the log would have told, or nothing is.
@Suite struct OwnChangesTests {
    private func place(_ sequence: Int64, epoch: Int64 = 1) -> String {
        ChangeCursor(epoch: epoch, sequence: sequence, tag: UInt32(sequence) &* 7 &+ UInt32(epoch)).text
    }

    private func file(_ id: String, version: Int64 = 1) -> File {
        let time = Timestamp(seconds: version)
        return File(
            id: id, name: "\(id) \(version)", mimeType: File.defaultMimeType, size: 0, parentId: File.rootId,
            version: version, createdAt: time, modifiedAt: time, updatedAt: time)
    }

    private func told(_ sequence: Int64, _ file: File, in own: inout OwnChanges) {
        own.note(file, at: place(sequence), before: place(sequence - 1))
    }

    @Test func whatJoinsIsAPageInTheOrderOfTheLog() {
        var own = OwnChanges()
        told(8, file("b"), in: &own)
        told(7, file("a"), in: &own)
        let page = own.page(after: place(6))
        #expect(page?.changes.map(\.id) == ["a", "b"] && page?.cursor == place(8))
        #expect(page?.hasMore == true, "what others did since is not known")
    }

    @Test func anEntityComesOnceAtItsNewestState() {
        var own = OwnChanges()
        told(7, file("a"), in: &own)
        told(8, file("b"), in: &own)
        told(9, file("a", version: 2), in: &own)
        let page = own.page(after: place(6))
        #expect(page?.changes.map(\.file) == [file("b"), file("a", version: 2)])
    }

    @Test func whatSomebodyElseDidBeforeBetweenOrUnderAnotherTagIsLeftToTheLog() {
        for gap: (inout OwnChanges) -> Void in [
            { told(8, file("a"), in: &$0) },
            {
                told(7, file("a"), in: &$0)
                told(9, file("b"), in: &$0)
            },
            { $0.note(file("a"), at: place(7), before: ChangeCursor(epoch: 1, sequence: 6, tag: 1).text) },
            { $0.note(file("a"), at: place(7, epoch: 2), before: place(6, epoch: 2)) },
            // A change that changed nothing is answered with the newest place, which may be somebody else's.
            { $0.note(file("a"), at: place(7), before: nil) },
            // One request that makes several changes shows one of them.
            { $0.note(file("a"), at: place(8), before: place(6)) },
            {
                told(7, file("a"), in: &$0)
                $0.note(nil, at: place(8), before: nil)
            },
            {
                told(7, file("a"), in: &$0)
                $0.note(file("b"), at: nil, before: nil)
            },
        ] {
            var own = OwnChanges()
            gap(&own)
            #expect(own.page(after: place(6)) == nil)
        }
    }

    @Test func nothingIsSaidOfTheBeginningOfALogWhichHasOneNameInEveryDrive() {
        var own = OwnChanges()
        let beginning = ChangeCursor(epoch: 1, sequence: 0, tag: 0).text
        own.note(file("a"), at: place(1), before: beginning)
        #expect(own.page(after: beginning) == nil)
    }

    @Test func whatTheLogHasToldSinceIsNoObstacle() {
        var own = OwnChanges()
        own.note(nil, at: place(7), before: nil)
        told(8, file("a"), in: &own)
        #expect(own.page(after: place(6)) == nil)
        #expect(own.page(after: place(7))?.cursor == place(8))
        told(9, file("b"), in: &own)
        #expect(own.page(after: place(8))?.changes.map(\.id) == ["b"])
        #expect(own.page(after: place(9)) == nil, "there is nothing to tell")
    }

    @Test func moreThanIsKeptIsLeftToTheLog() {
        var own = OwnChanges()
        for sequence in 1...Int64(OwnChanges.most) { told(sequence + 1, file("a", version: sequence), in: &own) }
        var full = own
        #expect(full.page(after: place(1))?.cursor == place(Int64(OwnChanges.most) + 1))
        told(Int64(OwnChanges.most) + 2, file("b"), in: &own)
        #expect(own.page(after: place(1)) == nil)
        told(Int64(OwnChanges.most) + 3, file("c"), in: &own)
        #expect(own.page(after: place(Int64(OwnChanges.most) + 2))?.changes.map(\.id) == ["c"])
    }

    @Test func theBeginningIsToldWhileAnAnswerBetweenIsOnItsWay() {
        var own = OwnChanges()
        told(9, file("c"), in: &own)
        #expect(own.beginning(after: place(6)) == nil)
        told(7, file("a"), in: &own)
        let page = own.beginning(after: place(6))
        #expect(page?.changes.map(\.id) == ["a"] && page?.cursor == place(7) && page?.hasMore == true)
        #expect(own.page(after: place(7)) == nil, "not all of it is told")
        told(8, file("b"), in: &own)
        #expect(own.beginning(after: place(7))?.changes.map(\.id) == ["b", "c"])
        #expect(own.beginning(after: place(9)) == nil)
    }

    /// Who takes the beginning does not ask the log after it, so what only the log can tell is not forgotten by that.
    @Test func theBeginningLeavesOpenWhatWasNotTold() {
        var own = OwnChanges()
        told(7, file("a"), in: &own)
        own.note(file("x"), at: nil, before: nil)
        #expect(own.beginning(after: place(6))?.cursor == place(7))
        told(8, file("b"), in: &own)
        #expect(own.page(after: place(7)) == nil, "something was done of which no answer told")
        own = OwnChanges()
        told(7, file("a"), in: &own)
        own.note(nil, at: place(8), before: nil)
        #expect(own.beginning(after: place(6))?.cursor == place(7))
        #expect(own.page(after: place(6)) == nil, "what was done last is not told")
    }

    /// Two devices at one drive; one of them goes by its own answers where they suffice, and asks the log where they do not. Wherever
    /// that has left its cursor: the log, asked from there, tells all that is missing.
    @Test(arguments: PropertyCases.seeds(40)) func whoeverGoesByThemMissesNothing(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let drive = PaperDrive()
        let (here, there) = (drive.from("here"), drive.from("there"))
        var known = Known(cursor: drive.backup.cursor(1))
        for step in 0..<80 {
            let device = random.below(4) == 0 ? there : here
            let id = drive.files.map(\.id)[random.below(drive.files.count)]
            let request = "r\(random.below(100))"
            switch random.below(8) {
            case 0, 1: _ = try? await device.createFolder(named: "n\(step)", in: id, requestId: request)
            case 2, 3, 4:
                let change = UpdateFileRequest(
                    name: random.below(2) == 0 ? "m\(step)" : nil, starred: random.below(2) == 0)
                _ = try? await device.update(id, change, seen: nil, requestId: request)
            case 5: _ = try? await device.trash(id, seen: .anything, requestId: request)
            case 6:
                _ = try? await device.update(id, UpdateFileRequest(trashed: false), seen: nil, requestId: request)
            default:
                while random.below(2) == 0, let begun = await here.beginningOfOwnChanges(after: known.cursor) {
                    known.take(begun)
                }
                if let page = await here.ownChanges(after: known.cursor) { known.take(page) }
                var whole = known
                whole.take(try await here.changes(after: known.cursor))
                #expect(whole.files == drive.everything, "after step \(step)")
                if random.below(3) == 0 { known = whole }
            }
        }
    }

    /// What is known of a drive, and up to which place of its log.
    private struct Known {
        var cursor: String
        var files = [String: File]()

        mutating func take(_ page: GetChangesResponse) {
            for change in page.changes { files[change.id] = change.file?.asKept }
            cursor = page.cursor
        }
    }
}

extension PaperDrive {
    fileprivate var everything: [String: File] {
        Dictionary(uniqueKeysWithValues: files.filter { $0.id != File.rootId }.map { ($0.id, $0.asKept) })
    }
}

extension File {
    /// Whether it lies in the trash, a replica works out.
    fileprivate var asKept: File {
        var copy = self
        copy.trashed = false
        return copy
    }
}
