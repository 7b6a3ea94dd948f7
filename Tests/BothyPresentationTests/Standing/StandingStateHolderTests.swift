import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

/// A device that stands as a test says.
final class MadeUpStanding: DeviceStanding {
    private let told: [QuietLine]
    private let failure: ClientFailure?
    private let heard = Mutex([String]())

    init(_ told: QuietLine..., failure: ClientFailure? = nil) {
        self.told = told
        self.failure = failure
    }

    var asked: [String] { heard.withLock { $0 } }

    func line() async throws -> QuietLine {
        if let failure { throw failure }
        return told[0]
    }

    func lines() -> AsyncThrowingStream<QuietLine, any Error> {
        AsyncThrowingStream { stream in
            for line in told { stream.yield(line) }
            stream.finish()
        }
    }

    func pause(seconds: Int64?) async throws {
        if let failure { throw failure }
        heard.withLock { $0.append("pause \(seconds.map(String.init) ?? "for good")") }
    }

    func resume() async throws { heard.withLock { $0.append("resume") } }
}

@MainActor @Suite struct StandingStateHolderTests {
    private func holder(_ standing: MadeUpStanding) -> StandingStateHolder {
        StandingStateHolder(standing, words: .english) {
            PersonsClock(now: Timestamp(seconds: 7200), zone: .gmt)
        }
    }

    @Test(
        arguments: [
            (QuietLine(kind: .inStep, open: 0), "Up to date", .calm),
            (QuietLine(kind: .working, open: 1), "1 in progress", .busy),
            (QuietLine(kind: .working, open: 4), "4 in progress", .busy),
            (QuietLine(kind: .working, open: 0), "Syncing", .busy),
            (QuietLine(kind: .offline(since: Timestamp(seconds: 60)), open: 3), "3 waiting for a connection", .waiting),
            (QuietLine(kind: .offline(since: nil), open: 1), "1 waiting for a connection", .waiting),
            (QuietLine(kind: .offline(since: nil), open: 0), "No connection", .waiting),
            (QuietLine(kind: .paused(rule: "pause", until: nil), open: 2), "Paused by you", .waiting),
            (
                QuietLine(kind: .paused(rule: "pause", until: Timestamp(seconds: 9000)), open: 2), "Paused until 02:30",
                .waiting
            ),
            (QuietLine(kind: .paused(rule: "battery", until: nil), open: 2), "Paused: on battery", .waiting),
            (QuietLine(kind: .diskFull, open: 2), "This device’s disk is full", .asking),
            (QuietLine(kind: .signInNeeded, open: 0), "Sign in again", .asking),
            (QuietLine(kind: .asks(1, .transfers), open: 5), "1 needs attention", .asking),
            (QuietLine(kind: .asks(2, .conflicts), open: 5), "2 need attention", .asking),
        ] as [(QuietLine, String, StandingState.Tone)])
    func theLineTellsTheTruth(_ line: QuietLine, _ text: String, _ tone: StandingState.Tone) async throws {
        let holder = holder(MadeUpStanding(line))
        await holder.open()
        let state = try #require(holder.state)
        #expect(state.text == text && state.tone == tone && !state.lead.isEmpty)
    }

    @Test func withoutAConnectionItSaysSinceWhenAndHowFreshWhatIsShownIs() async throws {
        let holder = holder(
            MadeUpStanding(
                QuietLine(kind: .offline(since: Timestamp(seconds: 3600)), open: 0, asOf: Timestamp(seconds: 1800))))
        await holder.open()
        let lead = try #require(holder.state).lead
        #expect(lead.hasPrefix("No connection, since 01:00.") && lead.hasSuffix("Last updated 00:30."))
    }

    @Test func everythingCanBePausedAndGoesOn() async throws {
        let running = MadeUpStanding(QuietLine(kind: .inStep, open: 0))
        let here = holder(running)
        await here.open()
        #expect(try #require(here.state).canPause)
        await here.pause(seconds: StandingStateHolder.shortPause)
        await here.pause()
        #expect(
            running.asked == ["pause 3600", "pause for good"]
                && here.notice?.text == "Syncing is paused until you resume.")
        let paused = MadeUpStanding(QuietLine(kind: .paused(rule: "pause", until: nil), open: 0))
        let there = holder(paused)
        await there.open()
        #expect(try #require(there.state).isPaused && !(try #require(there.state).canPause))
        await there.resume()
        #expect(paused.asked == ["resume"])
    }

    @Test(
        arguments: [
            (.folders, .synced), (.conflicts, .conflicts), (.transfers, .transfers),
        ] as [(QuietLine.Asking, Destination)])
    func itLeadsToWhatAsks(_ asking: QuietLine.Asking, _ place: Destination) async throws {
        let holder = holder(MadeUpStanding(QuietLine(kind: .asks(1, asking), open: 0)))
        await holder.open()
        #expect(try #require(holder.state).place == place)
    }

    /// Whoever plugs it in ends it, or switches it off in the settings: there is nothing to go on with by a button.
    @Test func onBatteryItLeadsToTheSwitch() async throws {
        let holder = holder(MadeUpStanding(QuietLine(kind: .paused(rule: "battery", until: nil), open: 2)))
        await holder.open()
        let state = try #require(holder.state)
        #expect(!state.isPaused && !state.canPause && state.place == .settings && state.lead.contains("plugged in"))
    }

    @Test func onlyWhatChangesIsTold() async throws {
        let line = QuietLine(kind: .inStep, open: 0)
        let holder = holder(MadeUpStanding(line, line, QuietLine(kind: .working, open: 1)))
        var told = [String]()
        try await holder.follow { told.append($0.text) }
        #expect(told == ["Up to date", "1 in progress"])
    }

    @Test func whatCannotBeToldIsNotClaimed() async throws {
        let holder = holder(MadeUpStanding(failure: ClientFailure(.homeUnusable, "The home is gone.")))
        await holder.open()
        #expect(try #require(holder.state).text == "The home is gone.")
        await holder.pause()
        #expect(holder.notice?.text == "The home is gone.")
    }
}
