import Simulation
import Testing

/// A checker that finds nothing holds nothing: careless sync is found out in each way in which it is careless.
@Suite struct CarelessWorldTests {
    private let simulator = Simulator(size: SimulationSize(devices: 2, steps: 60, work: .folders)) {
        CarelessMaker()
    }
    private let twoDevices = WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")])

    private func findings(_ schedule: [Event]) async -> Finding.Rule? {
        await simulator.run(twoDevices, schedule).finding?.rule
    }

    @Test func everySeedIsFoundOut() async {
        var rules = [Finding.Rule: Int]()
        for seed: UInt64 in 0..<40 {
            if let rule = await simulator.run(seed: seed).finding?.rule { rules[rule, default: 0] += 1 }
        }
        #expect(rules.values.reduce(0, +) >= 38, "\(rules)")
    }

    @Test func whatWasDeletedCameBack() async {
        let pass = PassConditions()
        let rule = await findings([
            .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 0, pass),
            .pass(device: 1, pass), .person(device: 0, .delete(thing: 0)), .pass(device: 1, pass),
        ])
        #expect(rule == .cameBack)
    }

    @Test func anEditWasLostToAnother() async {
        let pass = PassConditions()
        let rule = await findings([
            .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 0, pass),
            .pass(device: 1, pass), .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)),
            .person(device: 1, .edit(file: 0, content: .unique(3), .inPlace)),
        ])
        #expect(rule == .lost || rule == .noRest)
    }

    /// It takes what is absent for deleted, whatever its folder looks like.
    @Test func whatWasDeletedUnaskedIsFoundOut() async {
        let trusting = Simulator(size: simulator.size) { CarelessMaker(trustsAbsence: true) }
        let pass = Event.pass(device: 0, PassConditions())
        let files = (0..<3).map {
            Event.person(device: 0, .create(folder: 0, name: $0, content: .unique($0 + 1)))
        }
        let run = await trusting.run(
            twoDevices, files + [pass, pass, .folder(device: 0, .emptied), pass])
        #expect(run.finding?.rule == .deletedUnasked, "\(run.trace)")
    }

    @Test func aSeedIsReplayedExactly() async {
        for seed: UInt64 in 0..<10 {
            let (first, second) = (await simulator.run(seed: seed), await simulator.run(seed: seed))
            #expect(first.trace == second.trace && first.finding == second.finding)
        }
    }

    @Test func aFailingScheduleBecomesSmall() async throws {
        let failure = try #require(await simulator.failure(ofSeed: 1, shrinking: 2000))
        #expect(failure.schedule.count <= 8, "\(failure.schedule)")
        #expect(failure.events == 60)
    }

    /// Who looks for all that goes wrong hears of each world, and is not ended by the first.
    @Test func eachWorldIsToldOfAsItEnds() async {
        var (all, first) = (Set<UInt64>(), Set<UInt64>())
        await simulator.run(seeds: 0..<12, width: 2) { seed, _ in
            all.insert(seed)
            return true
        }
        await simulator.run(seeds: 0..<12, width: 2) { seed, finding in
            first.insert(seed)
            return finding == nil
        }
        #expect(all == Set(0..<12) && first.count < 12)
    }

    /// A world that is ended in its middle has not gone wrong.
    @Test func whatIsEndedBeforeItsTimeIsNoFinding() async {
        let (told, tell) = AsyncStream<Void>.makeStream()
        let real = Simulator(size: SimulationSize(devices: 3, steps: 200)) { FolderSyncMaker() }
        let work = Task {
            var findings = [Finding]()
            await real.run(seeds: 1..<UInt64.max, width: 2) { _, finding in
                if let finding { findings.append(finding) }
                tell.yield()
                return true
            }
            return (findings, await real.failure(ofSeed: 1, shrinking: 2000) == nil)
        }
        for await _ in told { break }
        work.cancel()
        let (findings, isNothing) = await work.value
        #expect(findings.isEmpty && isNothing, "\(findings)")
    }
}
