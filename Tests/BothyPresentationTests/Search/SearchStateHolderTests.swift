import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

@MainActor @Suite struct SearchStateHolderTests {
    /// Answers each search when it is told to.
    private final class MadeUpSearch: FileSearching {
        private let names: [String]
        private let held = Mutex<[String: CheckedContinuation<Void, Never>]>([:])
        private let holding: Set<String>
        private let failure: ClientFailure?
        /// What came last is not looked through yet.
        private let isBehind: Bool
        /// Texts by the names of the files that have them; nil where only names are searched.
        private let texts: [String: [SearchResponse.Stretch]]?

        init(
            _ names: [String], holding: Set<String> = [], failure: ClientFailure? = nil, isBehind: Bool = false,
            texts: [String: [SearchResponse.Stretch]]? = nil
        ) {
            self.names = names
            self.texts = texts
            self.holding = holding
            self.failure = failure
            self.isBehind = isBehind
        }

        func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings {
            if holding.contains(text) {
                await withCheckedContinuation { continuation in held.withLock { $0[text] = continuation } }
            }
            if let failure { throw failure }
            let terms = NameWords.terms(of: text)
            let found = names.filter { NameWords.matches(of: terms, in: $0) != nil || texts?[$0] != nil }
            let items = found.prefix(limit).map { name in
                FoundItem(
                    item: FolderItem(
                        id: ItemID(name), name: name, mimeType: "text/plain", size: 5, modifiedAt: Timestamp(seconds: 0)
                    ),
                    folder: .root, above: ["Letters"], isAtHand: name.hasPrefix("here") ? true : nil,
                    match: texts?[name] == nil ? .name : .text, excerpt: texts?[name] ?? [])
            }
            return SearchFindings(items: items, isComplete: found.count <= limit && !isBehind, texts: .searched)
        }

        func isHeld(_ text: String) -> Bool { held.withLock { $0[text] != nil } }

        func letGo(_ text: String) { held.withLock { $0.removeValue(forKey: text) }?.resume() }
    }

    private func holder(_ search: any FileSearching) -> SearchStateHolder {
        SearchStateHolder(search, words: .english, clock: PersonsClock(now: Timestamp(seconds: 0), zone: .gmt))
    }

    @Test func whatIsAtHandIsMarkedAndWhereNoDeviceLooksNothingIs() async {
        let holder = holder(MadeUpSearch(["here 1", "1"]))
        await holder.search("1")
        #expect(holder.state.rows.map(\.whereabouts) == ["On this device", nil])
    }

    @Test func whatIsFoundSaysWhereItLiesAndWhatWasMeant() async {
        let holder = holder(MadeUpSearch(["Taxes 2024.pdf", "other"]))
        #expect(holder.state.standing == .fresh)
        await holder.search("24 tax")
        #expect(holder.state.isEmpty)
        await holder.search("2024 TAX")
        let row = holder.state.rows[0]
        #expect(row.name.map(\.text) == ["Tax", "es ", "2024", ".pdf"])
        #expect(row.name.map(\.isFound) == [true, false, true, false])
        #expect(row.place == "Files / Letters" && holder.state.standing == .shown && !holder.state.isCut)
    }

    @Test func whatATextHasIsShownWithTheWordMarkedAndCannotPassForAnything() async {
        let holder = holder(
            MadeUpSearch(
                ["soup.txt", "tea.txt", "salt"],
                texts: [
                    "soup.txt": [.init("a pinch of ", isFound: false), .init("salt", isFound: true)],
                    "tea.txt": [.init("\u{202E}<b>", isFound: false)], "unread": [],
                ]))
        await holder.search("salt")
        let rows = holder.state.rows
        #expect(rows[0].excerpt == [.init("a pinch of ", isFound: false), .init("salt", isFound: true)])
        #expect(rows[1].excerpt.map(\.text) == ["⟨U+202E⟩<b>"])
        #expect(rows[2].excerpt.isEmpty && rows[2].name == [.init("salt", isFound: true)])
        #expect(holder.state.texts == .searched)
    }

    @Test func aTextThatWasNotReadSaysThatItHasTheWord() async {
        let holder = holder(MadeUpSearch(["big.log"], texts: ["big.log": []]))
        await holder.search("salt")
        #expect(holder.state.rows[0].excerpt.map(\.text) == ["Found in its text."])
    }

    @Test func whatIsKnownHereIsShownBeforeTheServerHasAnswered() async {
        let search = DeviceAndServer(here: ["saffron"], there: ["soup"])
        let holder = self.holder(search)
        let searching = Task { await holder.search("saffron") }
        while !search.isAsked { await Task.yield() }
        #expect(holder.state.rows.map(\.id.text) == ["saffron"] && holder.state.texts == .asked)
        #expect(!holder.state.hasMore, "the server may tell of it")
        search.answer()
        await searching.value
        #expect(holder.state.rows.map(\.id.text) == ["saffron", "soup"] && holder.state.texts == .searched)
    }

    @Test func nothingIsNotCalledNothingBeforeTheServerHasAnswered() async {
        let search = DeviceAndServer(here: [], there: [])
        let holder = self.holder(search)
        await holder.search("saffron", reach: .here)
        #expect(!search.isAsked && holder.state.texts == .asked && !holder.state.isEmpty)
        search.answer()
        await holder.search("saffron")
        #expect(holder.state.isEmpty)
    }

    @Test func whereTheServerDoesNotAnswerNamesAreShownAndWhyNoMore() async {
        let search = DeviceAndServer(
            here: ["saffron"], there: [], failure: ClientFailure(.serverBusy, "The server is busy."))
        search.answer()
        let holder = self.holder(search)
        await holder.search("saffron")
        guard case .unsearched(let why) = holder.state.texts else {
            Issue.record("\(holder.state.texts)")
            return
        }
        #expect(
            why.hasPrefix("Only the names that this device knows were searched") && why.hasSuffix("The server is busy.")
        )
        #expect(holder.state.rows.map(\.id.text) == ["saffron"] && holder.state.standing == .shown)
        await holder.search("")
        #expect(holder.state.texts == .searched)
    }

    @Test func whatWasFoundStaysWhereAskingFurtherGoesWrong() async {
        let holder = holder(BrokenFurther())
        await holder.search("saffron")
        #expect(holder.state.rows.map(\.id.text) == ["saffron"] && holder.state.standing == .shown)
        guard case .unsearched = holder.state.texts else {
            Issue.record("\(holder.state.texts)")
            return
        }
    }

    @Test func theServersLateAnswerToLessDoesNotReplaceTheAnswerToMore() async {
        let search = DeviceAndServer(here: ["saffron"], there: ["soup"])
        let holder = self.holder(search)
        let early = Task { await holder.search("saff") }
        while !search.isAsked { await Task.yield() }
        await holder.search("saffr", reach: .here)
        search.answer()
        await early.value
        #expect(holder.state.query == "saffr" && holder.state.texts == .asked)
    }

    @Test func nothingTypedIsNothingSearchedFor() async {
        let holder = holder(MadeUpSearch(["a"]))
        await holder.search("a")
        await holder.search(" \t")
        #expect(holder.state.standing == .fresh && holder.state.rows.isEmpty)
    }

    @Test(arguments: [" .-", "\"", "🎉"]) func whatIsNoWordIsSaidToBeNone(_ typed: String) async {
        let holder = holder(MadeUpSearch(["a"]))
        await holder.search("a")
        await holder.search(typed)
        #expect(holder.state.standing == .wordless && holder.state.rows.isEmpty && holder.state.query == typed)
    }

    @Test func aLateAnswerToLessDoesNotReplaceTheAnswerToMore() async {
        let search = MadeUpSearch(["ab", "ac"], holding: ["a"])
        let holder = holder(search)
        let early = Task { await holder.search("a") }
        while !search.isHeld("a") { await Task.yield() }
        await holder.search("ab")
        search.letGo("a")
        await early.value
        #expect(holder.state.query == "ab" && holder.state.rows.map(\.id) == [ItemID("ab")])
    }

    @Test func whatWasNotLookedThroughYetIsNotCalledNothing() async {
        let (done, behind) = (holder(MadeUpSearch(["a"])), holder(MadeUpSearch(["a"], isBehind: true)))
        await done.search("b")
        #expect(done.state.isEmpty && !done.state.isBehind)
        await behind.search("b")
        #expect(behind.state.isBehind && !behind.state.isEmpty)
        await behind.search("a")
        #expect(!behind.state.isBehind && behind.state.isCut && behind.state.rows.count == 1)
    }

    @Test func moreThanIsShownIsSaidAndAFailureIsToo() async {
        let holder = holder(MadeUpSearch((0...SearchStateHolder.most).map { "a \($0)" }))
        await holder.search("a")
        #expect(holder.state.isCut && holder.state.rows.count == SearchStateHolder.most)
        let failing = self.holder(MadeUpSearch([], failure: ClientFailure(.serverBusy, "The server is busy.")))
        await failing.search("a")
        guard case .failed(let notice) = failing.state.standing else {
            Issue.record("it did not fail")
            return
        }
        #expect(notice.text == "The server is busy.")
    }
}

/// A device that finds things by itself, and a server that is asked, and answers when it is told to.
private final class DeviceAndServer: FileSearching {
    private struct State {
        var isAsked = false
        var answers = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let here: [String]
    private let there: [String]
    private let failure: ClientFailure?
    private let state = Mutex(State())

    init(here: [String], there: [String], failure: ClientFailure? = nil) {
        self.here = here
        self.there = there
        self.failure = failure
    }

    var isAsked: Bool { state.withLock { $0.isAsked } }

    func answer() {
        state.withLock { state in
            state.answers = true
            return state.waiting.take()
        }?.resume()
    }

    func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings {
        var findings = SearchFindings(items: here.map { Self.item($0, .name) }, isComplete: false, texts: .unasked)
        guard reach == .everywhere else { return findings }
        await withCheckedContinuation { continuation in
            let answers = state.withLock { state in
                state.isAsked = true
                if !state.answers { state.waiting = continuation }
                return state.answers
            }
            if answers { continuation.resume() }
        }
        if let failure {
            findings.texts = .unanswered(failure)
        } else {
            findings.join(there.map { Self.item($0, .text) }, isComplete: true, limit: limit)
        }
        return findings
    }

    private static func item(_ name: String, _ match: SearchResponse.Match) -> FoundItem {
        let item = FolderItem(
            id: ItemID(name), name: name, mimeType: "text/plain", size: 5, modifiedAt: Timestamp(seconds: 0))
        return FoundItem(item: item, folder: .root, above: [], match: match)
    }
}

/// Names are found, and whatever is asked after that goes wrong in a way that nobody foresaw.
private struct BrokenFurther: FileSearching {
    func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings {
        guard reach == .here else { throw CancellationError() }
        let item = FolderItem(
            id: ItemID(text), name: text, mimeType: "text/plain", size: 5, modifiedAt: Timestamp(seconds: 0))
        return SearchFindings(
            items: [FoundItem(item: item, folder: .root, above: [])], isComplete: true, texts: .unasked)
    }
}
