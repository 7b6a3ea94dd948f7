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
}
