import BothyClient
import BothyContract
import BothyPresentation
import NIOCore
import Synchronization
import Testing

/// Conflicts that are what a test says.
final class MadeUpConflicts: DeviceConflicts {
    private struct State {
        var waiting: [DeviceConflict]
        var decided: [DecidedConflict]
        var failure: ClientFailure?
        var asked = [String]()
        var policy = ConflictResolution.fork
    }

    private let state: Mutex<State>
    private let texts: [ConflictSide: [UInt8]]

    init(
        _ waiting: [DeviceConflict] = [], decided: [DecidedConflict] = [], texts: [ConflictSide: String] = [:],
        failure: ClientFailure? = nil
    ) {
        state = Mutex(State(waiting: waiting, decided: decided, failure: failure))
        self.texts = texts.mapValues { Array($0.utf8) }
    }

    var asked: [String] { state.withLock { $0.asked } }

    private func read<Value: Sendable>(_ body: (inout sending State) throws -> sending Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }

    func waiting() async throws -> [DeviceConflict] { try read { $0.waiting } }
    func count() async throws -> Int { try await waiting().count }

    /// What there is, and what there is once all of it is decided.
    func looks(decided most: Int) -> AsyncThrowingStream<ConflictsLook, any Error> {
        AsyncThrowingStream { continuation in
            do {
                let (waiting, decided) = try read { ($0.waiting, $0.decided) }
                continuation.yield(ConflictsLook(waiting: waiting, decided: decided))
                continuation.yield(ConflictsLook(waiting: [], decided: decided))
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    func conflict(_ id: DeviceConflict.ID) async throws -> DeviceConflict {
        guard let found = try await waiting().first(where: { $0.id == id }) else {
            throw ClientFailure(.notFound, "It was decided meanwhile.")
        }
        return found
    }

    func beginning(of side: ConflictSide, _ id: DeviceConflict.ID, most bytes: Int) async throws -> [UInt8] {
        guard let text = texts[side] else { throw ClientFailure(.offline, "There is no connection.") }
        return text
    }

    func content(ofMine id: DeviceConflict.ID) async throws -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { $0.finish() }
    }

    func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async throws {
        guard try await conflict(id).seen == seen else {
            throw ClientFailure(.changedMeanwhile, "It has changed again.")
        }
        try read { state in
            state.asked.append("\(choice.rawValue) \(id)")
            state.waiting.removeAll { $0.id == id }
        }
    }

    func policy() async throws -> ConflictResolution { try read { $0.policy } }
    func set(_ policy: ConflictResolution) async throws { try read { $0.policy = policy } }

    func decided(most: Int) async throws -> [DecidedConflict] { try read { $0.decided } }

    func takeBack(_ id: DecidedConflict.ID) async throws { try read { $0.asked.append("undo \(id)") } }
}

@MainActor @Suite struct ConflictsStateHolderTests {
    private nonisolated static func conflict(
        _ kind: DeviceConflict.Kind = .edits, id: String = "7",
        choices: [ConflictDecision.Choice] = [.mine, .theirs, .both, .merged], theirs: DeviceConflict.Side? = side,
        hasTwoContents: Bool = true
    ) -> DeviceConflict {
        DeviceConflict(
            id: id, kind: kind, above: ["Letters"],
            mine: .init(name: "a.txt", size: 12, modifiedAt: Timestamp(seconds: 120), device: "laptop"),
            theirs: theirs, since: Timestamp(seconds: 100), failure: ClientFailure(.nameConflict, "The name is taken."),
            choices: choices, seen: "9-3", hasTwoContents: hasTwoContents)
    }

    private nonisolated static let side = DeviceConflict.Side(
        name: "a.txt", size: 1500, modifiedAt: Timestamp(seconds: 60), device: nil, item: ItemID("9"))

    private func opened(_ conflicts: MadeUpConflicts) async -> ConflictsStateHolder {
        let holder = ConflictsStateHolder(
            conflicts, words: .english, clock: PersonsClock(now: Timestamp(seconds: 3600), zone: .gmt))
        await holder.open()
        return holder
    }

    @Test func nothingToDecideSaysSo() async {
        #expect(await opened(MadeUpConflicts()).state.isEmpty)
    }

    @Test func bothSidesTellWhatTheyAreAndWhereFrom() async throws {
        let card = try #require(await opened(MadeUpConflicts([Self.conflict()])).state.cards.first)
        #expect(card.mine.facts == ["12 B", "1 Jan 1970, 00:02", "laptop"] && card.mine.canOpen)
        #expect(card.theirs.facts == ["1.5 kB", "1 Jan 1970, 00:01", "another device"])
        #expect(card.theirs.place == .file(ItemID("9")) && card.place == "Files / Letters" && card.canCompare)
    }

    @Test(
        arguments: [
            (.edits, [.mine, .theirs, .both, .merged], ["Keep yours", "Keep theirs", "Keep both", "Merge"]),
            (.name, [.theirs, .both], ["Keep theirs", "Keep both"]),
            (.deletion, [.mine, .theirs], ["Delete it anyway", "Keep it"]), (.other, [.theirs], ["Discard"]),
        ] as [(DeviceConflict.Kind, [ConflictDecision.Choice], [String])])
    func everyKindHasItsOwnChoices(
        _ kind: DeviceConflict.Kind, _ choices: [ConflictDecision.Choice], _ labels: [String]
    ) async throws {
        let card = try #require(
            await opened(MadeUpConflicts([Self.conflict(kind, choices: choices)])).state.cards.first)
        #expect(card.choices.map(\.label) == labels && card.choices.allSatisfy { !$0.hint.isEmpty })
        #expect(!card.what.isEmpty && card.choices.map(\.kind) == choices)
    }

    @Test(
        arguments: [
            ("a.jpg", nil, "a.jpg", "image/jpeg", false), ("a.zip", nil, "a.zip", nil, false),
            ("a.md", nil, "a.md", "text/markdown", true), ("Makefile", nil, "Makefile", nil, true),
            ("a", "application/octet-stream", "a", "application/octet-stream", true),
            ("a.py", "application/x-python-code", "a.py", "application/x-python-code", true),
            ("a.txt", nil, "a.txt", "image/png", true), ("a", nil, "a", "image/png", false),
        ] as [(String, String?, String, String?, Bool)])
    func onlyTextsAreComparedAndMerged(
        _ mine: String, _ mineType: String?, _ theirs: String, _ theirType: String?, _ areTexts: Bool
    ) async throws {
        var conflict = Self.conflict()
        (conflict.mine.name, conflict.mine.mimeType) = (mine, mineType)
        conflict.theirs?.name = theirs
        conflict.theirs?.mimeType = theirType
        let card = try #require(await opened(MadeUpConflicts([conflict])).state.cards.first)
        #expect(card.canCompare == areTexts)
        let choices: [ConflictDecision.Choice] =
            areTexts ? [.mine, .theirs, .both, .merged] : [.mine, .theirs, .both]
        #expect(card.choices.map(\.kind) == choices)
        #expect(card.mine.canOpen && card.theirs.canOpen, "each is opened by itself")
    }

    @Test func whatIsNotThereAnyMoreSaysSo() async throws {
        let gone = Self.conflict(theirs: nil)
        let card = try #require(await opened(MadeUpConflicts([gone])).state.cards.first)
        #expect(card.theirs.facts == ["No longer exists"] && !card.theirs.canOpen)
        let deleted = try #require(await opened(MadeUpConflicts([Self.conflict(.deletion)])).state.cards.first)
        #expect(deleted.mine.facts == ["Deleted"])
    }

    @Test func whatBecomesOfConflictsIsChosenForAllThatCome() async {
        let holder = await opened(MadeUpConflicts())
        #expect(
            holder.state.policies.map(\.label) == [
                "Ask me", "Keep both", "Last version wins", "Merge texts",
            ])
        #expect(holder.state.policies.filter(\.isChosen).map(\.kind) == [.fork])
        await holder.set(.ask)
        #expect(holder.state.policies.filter(\.isChosen).map(\.kind) == [.ask])
        #expect(holder.state.notice?.text == "The setting was saved.")
    }

    @Test func whatIsDecidedElsewhereGoesByItself() async throws {
        let holder = ConflictsStateHolder(
            MadeUpConflicts([Self.conflict()]), words: .english,
            clock: PersonsClock(now: Timestamp(seconds: 3600), zone: .gmt))
        var seen = [Int]()
        try await holder.follow { seen.append($0.cards.count) }
        #expect(seen == [1, 0] && holder.state.isEmpty)
    }

    @Test func whatIsDecidedGoesAndIsSaid() async {
        let conflicts = MadeUpConflicts([Self.conflict()])
        let holder = await opened(conflicts)
        await holder.resolve("7", .both, seen: "9-3")
        #expect(conflicts.asked == ["both 7"] && holder.state.isEmpty)
        #expect(holder.state.notice?.text == "Decided. No version is lost.")
    }

    @Test func whoHasSeenAnotherVersionDecidesNothing() async {
        let conflicts = MadeUpConflicts([Self.conflict()])
        let holder = await opened(conflicts)
        await holder.resolve("7", .mine, seen: "9-2")
        #expect(conflicts.asked.isEmpty && holder.state.cards.count == 1)
        #expect(holder.state.notice == Words.english.failure(ClientFailure(.changedMeanwhile, "It has changed again.")))
    }

    @Test func whatDiffersIsShownLineByLine() async {
        let holder = await opened(MadeUpConflicts([Self.conflict()], texts: [.mine: "a\nB\n", .theirs: "a\nb\n"]))
        await holder.open("7")
        guard case .texts(let texts) = holder.state.comparison else {
            Issue.record("nothing is compared")
            return
        }
        #expect(texts.added == 1 && texts.removed == 1 && holder.state.cards.count == 1)
    }

    @Test func whatCannotBeComparedSaysWhy() async {
        for (texts, words) in [
            ([ConflictSide.mine: "a\u{0}", .theirs: "b"], Words.english[.compareNotText]),
            ([.mine: "a", .theirs: "a"], Words.english[.compareSame]), ([.mine: "a"], "There is no connection."),
        ] {
            let holder = await opened(MadeUpConflicts([Self.conflict()], texts: texts))
            await holder.open("7")
            #expect(holder.state.comparison == .refused(words))
        }
    }

    @Test func oneThatIsGoneIsMissing() async {
        let holder = ConflictsStateHolder(
            MadeUpConflicts(), words: .english, clock: PersonsClock(now: Timestamp(seconds: 0), zone: .gmt))
        await holder.open("7")
        #expect(
            holder.state.standing
                == .failed(
                    Words.english.failure(ClientFailure(.notFound, "It was decided meanwhile.")), isMissing: true))
    }

    @Test(
        arguments: [
            (.edits, .mine, "yours is the newest version, theirs is in the history"),
            (.edits, .theirs, "theirs is kept, yours was discarded"),
            (.edits, .both, "both are kept, yours as “b.txt”"),
            (.edits, .merged, "both are merged"), (.deletion, .mine, "it is in the trash"),
            (.deletion, .theirs, "it was changed elsewhere, and is kept"),
        ] as [(DeviceConflict.Kind, ConflictDecision.Choice, String)])
    func whatWasDecidedIsToldAndCanBeTakenBack(
        _ kind: DeviceConflict.Kind, _ choice: ConflictDecision.Choice, _ words: String
    ) async throws {
        let decided = DecidedConflict(
            id: 4, decidedAt: Timestamp(seconds: 60), isAutomatic: true, choice: choice, kind: kind, name: "a.txt",
            above: [], beside: "b.txt")
        let conflicts = MadeUpConflicts(decided: [decided])
        let holder = await opened(conflicts)
        let row = try #require(holder.state.decided.first)
        #expect(row.about == "Files · \(words) · by itself · 00:01" && row.canTakeBack)
        await holder.takeBack(4)
        #expect(conflicts.asked == ["undo 4"])
    }
}
