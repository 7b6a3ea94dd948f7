import BothyAgent
import BothyClient
import BothyContract
import Testing

@Suite struct JournalPartTests {
    private static func operation(_ id: Int64, _ state: JournalOperation.State, _ failure: ClientFailure? = nil)
        -> JournalOperation
    {
        JournalOperation(
            id: id, requestId: "request-\(id)", action: .rename(name: "b"), subject: LUID(id), state: state,
            lastError: failure, createdAt: Timestamp(seconds: 100 + id), updatedAt: Timestamp(seconds: 200 + id))
    }

    @Test func anEmptyJournalIsAtRest() {
        #expect(JournalPart.lines(of: []).map(\.state) == [.idle])
        // It said that everything was sent, above what was to be sent to the feed.
        #expect(JournalPart.lines(of: []).map(\.words) == ["All changes to your files were sent."])
        #expect(JournalPart.lines(of: [Self.operation(1, .acknowledged)]).map(\.state) == [.idle])
    }

    @Test func whatWaitsSaysForWhat() {
        let offline = ClientFailure(.offline, "The server cannot be reached.")
        let lines = JournalPart.lines(of: [Self.operation(1, .queued, offline), Self.operation(2, .queued)])
        #expect(lines.map(\.state) == [.waiting])
        #expect(lines[0].words == "2 changes to be sent. The server cannot be reached.")
        #expect(lines[0].reason == "offline" && lines[0].since == Timestamp(seconds: 101))
        #expect(JournalPart.lines(of: [Self.operation(1, .sending)]).map(\.state) == [.working])
    }

    @Test func whatNeedsAPersonComesFirstWithItsRemedy() {
        let taken = ClientFailure(.nameConflict, "The name is taken.")
        let lines = JournalPart.lines(of: [Self.operation(1, .queued), Self.operation(2, .parked, taken)])
        #expect(lines.map(\.state) == [.held, .working])
        #expect(lines[0].words.contains("The name is taken.") && lines[0].remedy?.contains("bothy journal") == true)
    }

    /// It named `journal discard`, which throws the edit away, and ended in two full stops.
    @Test func aConflictNamesWhatDecidesIt() {
        let newer = ClientFailure(.revisionConflict, "“a.txt” has a newer revision.")
        let lines = JournalPart.lines(of: [
            Self.operation(1, .conflict, newer), Self.operation(2, .parked), Self.operation(3, .conflict, newer),
        ])
        #expect(lines.map(\.state) == [.held, .held])
        #expect(lines[0].words == "2 changes conflicted with a change on the server: “a.txt” has a newer revision.")
        let remedy = lines[0].remedy ?? ""
        #expect(remedy.contains("“bothy conflicts”") && remedy.contains("“bothy resolve”"))
        #expect(!remedy.contains("discard"))
        #expect(lines[1].words == "1 change could not be made on the server: it needs you.")
        #expect(lines[1].remedy?.contains("“bothy journal”") == true)
    }
}
