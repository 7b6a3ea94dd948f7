import BothyAgent
import BothyClient
import BothyContract
import Testing

@Suite(.timeLimit(.minutes(10))) struct AgentEngineTests {
    private let journal = EventJournal()
    private let rules = ScriptedRules()
    private let clock = SteppedClock()

    private func engine(_ parts: [any AgentPart]? = nil) -> AgentEngine {
        AgentEngine(
            parts: parts ?? [ScriptedPart("first", journal), ScriptedPart("second", journal)], rules: rules,
            clock: clock)
    }

    @Test func partsStartInOrderAreLookedAtAndStopTheOtherWayRound() async {
        let engine = engine()
        await engine.look()
        #expect(journal.take() == ["first starts", "second starts"])
        await engine.look()
        #expect(journal.take() == ["first looks", "second looks"])
        await engine.stop()
        #expect(journal.take() == ["second stops", "first stops"])
        await engine.look()
        #expect(journal.take().isEmpty)
    }

    /// A folder that a command had asked for, and that went away before it had it, was not kept any more.
    @Test func whatIsLentIsTakenBackHoweverItsUseEnds() async throws {
        let (engine, journal) = (engine(), journal)
        try await engine.lend("a", of: "second") { journal.add("used") }
        #expect(journal.take() == ["second lends a", "used", "second has a again"])
        let gone = ClientFailure(.agentFailed, "Nobody listens.")
        await #expect(throws: gone) { try await engine.lend("a", of: "second") { throw gone } }
        #expect(journal.take() == ["second lends a", "second has a again"])
    }

    @Test func whatHoldsIsToldAndStopsEverything() async {
        let engine = engine()
        await engine.look()
        _ = journal.take()
        let line = AgentStatusLine("account", .held, "Nobody is signed in.", remedy: "Sign in.")
        rules.set(AgentHold(line))
        await engine.look()
        #expect(journal.take() == ["second stops", "first stops"])
        #expect(await engine.status() == [line])
        rules.set(nil)
        await engine.look()
        #expect(journal.take() == ["first starts", "second starts"])
    }

    @Test func aPauseEndsByItself() async {
        let engine = engine()
        rules.set(AgentHold(PauseRule.condition(of: DevicePause(until: clock.now().adding(seconds: 3600)))))
        await engine.look()
        #expect(journal.take().isEmpty)
        #expect(await engine.status().map(\.reason) == ["user"])
        await clock.someoneSleeps()
        rules.set(nil)
        clock.advance(seconds: 3602)
        while await engine.status().count != 2 { await Task.yield() }
        #expect(journal.take() == ["first starts", "second starts"])
    }

    /// A machine without a clock of its own learns what time it is when it has a network.
    @Test func aPauseIsOverWhenTheCalendarIsSetPastItsEnd() async {
        let engine = engine()
        rules.set(AgentHold(PauseRule.condition(of: DevicePause(until: clock.now().adding(seconds: 3600)))))
        await engine.look()
        await clock.someoneSleeps()
        rules.set(nil)
        clock.setCalendar(ahead: 7200)
        clock.advance(seconds: 61)
        while await engine.status().count != 2 { await Task.yield() }
        #expect(journal.take() == ["first starts", "second starts"])
    }

    /// One failed reading stopped everything until somebody typed a command.
    @Test func rulesThatCannotBeReadAreReadAgain() async {
        let engine = engine()
        await engine.look()
        _ = journal.take()
        rules.fail(ClientFailure(.homeUnusable, "Too many open files."))
        await engine.look()
        #expect(journal.take() == ["second stops", "first stops"])
        #expect(await engine.status().map(\.words) == ["Too many open files."])
        await clock.someoneSleeps()
        rules.set(nil)
        clock.advance(seconds: 11)
        while await engine.status().count != 2 { await Task.yield() }
        #expect(journal.take() == ["first starts", "second starts"])
    }

    @Test func aPartThatCannotBeginIsToldOfAndTriedAtTheNextLook() async {
        let failure = ClientFailure(.diskFull, "There is no room left.")
        let broken = ScriptedPart("first", journal, failure: failure)
        let engine = engine([broken, ScriptedPart("second", journal)])
        await engine.look()
        #expect(journal.take() == ["second starts"])
        let told = await engine.status().first
        #expect(told?.state == .held)
        #expect(told?.words == failure.words)
        #expect(told?.remedy == failure.remedy)
        broken.mend()
        await engine.look()
        #expect(journal.take() == ["first starts", "second looks"])
    }

    @Test func aPartThatCannotLookIsToldOfAndBeginsAnewAtTheNextLook() async {
        let part = ScriptedPart("first", journal)
        let engine = engine([part])
        await engine.look()
        let failure = ClientFailure(.diskFull, "There is no room left.")
        part.breaks(failure)
        await engine.look()
        #expect(await engine.status().map(\.words) == [failure.words])
        part.mend()
        await engine.look()
        #expect(await engine.status().map(\.state) == [.idle])
        #expect(journal.take() == ["first starts", "first starts"])
    }

    @Test func looksThatComeTogetherComeOneAfterTheOther() async {
        let engine = engine()
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await engine.look() } }
        }
        let lines = journal.take()
        #expect(lines.prefix(2) == ["first starts", "second starts"])
        #expect(lines.count { $0.hasSuffix("starts") } == 2)
    }
}
