#if os(Linux)
    import BothyAgent
    import BothyClient
    import Testing

    /// What decides on a device whether its agent works, and when it looks again without being told to.
    @Suite(.timeLimit(.minutes(10))) struct DeviceRulesTests {
        private let journal = EventJournal()
        private let plug = MadeUpPlug()

        private func engine(_ bound: BoundHome) -> AgentEngine {
            AgentEngine(
                parts: [ScriptedPart("work", journal)], rules: DeviceRules(home: bound.home), clock: bound.clock)
        }

        /// What happened next, as soon as something has.
        private func told() async -> [String] {
            while true {
                let events = journal.take()
                guard events.isEmpty else { return events }
                await Task.yield()
            }
        }

        @Test func itRestsWhenThePlugIsPulledAndGoesOnWhenItIsBack() async throws {
            let bound = try await BoundHome(power: plug)
            let engine = engine(bound)
            try await bound.home.settings.set(.rest, of: .battery)
            await engine.look()
            #expect(journal.take() == ["work starts"])
            await bound.clock.someoneSleeps()
            plug.pull()
            bound.clock.advance(seconds: 10)
            while await engine.status().first?.part != "battery" { await Task.yield() }
            let line = try #require(await engine.status().first)
            #expect(line.state == .waiting && line.reason == "battery" && line.remedy != nil)
            await bound.clock.someoneSleeps()
            #expect(await told() == ["work stops"])
            plug.pull(false)
            bound.clock.advance(seconds: 10)
            #expect(await told() == ["work starts"])
            await engine.stop()
            try await bound.close()
        }

        @Test func aPauseOutlastsThePlug() async throws {
            let bound = try await BoundHome(power: plug)
            let (engine, rules) = (engine(bound), DeviceRules(home: bound.home))
            plug.pull()
            try await bound.home.settings.set(.rest, of: .battery)
            _ = try await bound.home.settings.setPause(seconds: nil)
            await engine.look()
            let paused = try #require(try await rules.hold())
            #expect(await engine.status() == [paused.line] && paused.line.part == "pause")
            #expect(paused.line.state == .held && paused.line.reason == "user")
            #expect(try await !rules.turned(from: paused), "only a word ends it")
            await engine.stop()
            try await bound.close()
        }

        @Test func aDeviceThatGoesOnLooksAtNoPlug() async throws {
            let bound = try await BoundHome(power: plug)
            plug.pull()
            #expect(try await DeviceRules(home: bound.home).hold() == nil)
            #expect(try await !DeviceRules(home: bound.home).turned(from: nil))
            #expect(bound.clock.sleeps == 0)
            try await bound.close()
        }
    }
#endif
