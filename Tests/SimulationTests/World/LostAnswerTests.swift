import Simulation
import Testing

/// What is done to something after the request about it was sent, and before anybody here knows what came of that.
@Suite struct LostAnswerTests {
    /// How a request ends, and when what was on its way arrives: before the device asks, or after. Only what is late is on
    /// its way.
    private static let fates: [(faults: NetworkFaults, arrivesFirst: [Bool])] = [
        (NetworkFaults(dropped: 100), [false]), (NetworkFaults(cut: 100), [false]),
        (NetworkFaults(late: 100), [false, true]),
    ]

    /// The first file and the first folder, as everyone has them; what is new is the second.
    private static let deeds: [Deed] = [
        .create(folder: 0, name: 1, content: .unique(2)), .edit(file: 0, content: .unique(2), .inPlace),
        .makeFolder(parent: 0, name: 1), .rename(thing: 0, name: 1), .move(thing: 0, folder: 1), .delete(thing: 0),
        .setExecutable(file: 0, true), .touch(file: 0),
    ]

    private static let followUps: [[Event]] = [
        [], [.web(.deletePermanently(thing: 0))], [.web(.deletePermanently(thing: 1))], [.web(.trash(thing: 0))],
        [.web(.trash(thing: 1))], [.web(.rename(thing: 0, name: 4))], [.web(.rename(thing: 1, name: 4))],
        [.web(.move(thing: 0, folder: 1))], [.web(.edit(file: 0, content: .unique(3)))],
        [.web(.edit(file: 1, content: .unique(3)))], [.person(device: 1, .delete(thing: 0))],
        [.person(device: 1, .delete(thing: 1))], [.person(device: 1, .rename(thing: 0, name: 4))],
        [.person(device: 1, .rename(thing: 1, name: 4))], [.person(device: 1, .setExecutable(file: 0, false))],
        [.person(device: 1, .edit(file: 0, content: .unique(4), .byRename))],
        [.person(device: 1, .edit(file: 1, content: .unique(4), .inPlace))],
        [.web(.edit(file: 0, content: .unique(3))), .person(device: 1, .edit(file: 0, content: .unique(4), .inPlace))],
        [.web(.deletePermanently(thing: 0)), .person(device: 1, .delete(thing: 0))],
        [.web(.trash(thing: 1)), .person(device: 1, .rename(thing: 1, name: 4))],
    ]

    /// Where there is one file, nothing is done to a second one.
    private static func followUps(of deed: Deed) -> [[Event]] {
        if case .create = deed { return followUps }
        return followUps.filter { events in
            !events.contains { event in
                switch event {
                case .web(.edit(file: 1, content: _)), .person(device: _, .edit(file: 1, content: _, _)): true
                default: false
                }
            }
        }
    }

    /// Each of what a person does, with each end of the request about it, and each thing that is done then here or elsewhere.
    @Test(arguments: deeds) func itIsKnownForWhatItIs(deed: Deed) async {
        for fate in Self.fates {
            for then in Self.followUps(of: deed) {
                for arrivesFirst in fate.arrivesFirst {
                    let run = await world(deed, fate.faults, then, arrivesFirst: arrivesFirst)
                    #expect(run.finding == nil, "\(fate.faults), then \(then): \(run.trace.joined(separator: "\n"))")
                }
            }
        }
    }

    /// Both have made a file of one name, and the last write wins: of that file nothing was agreed on before it was sent over it.
    @Test func whatIsSentOverAnothersFileAndDeletedBeforeAnAnswer_staysDeleted() async {
        let simulator = Simulator(size: SimulationSize()) { FolderSyncMaker() }
        let calm = PassConditions()
        for fate in Self.fates {
            for arrivesFirst in fate.arrivesFirst {
                let arrival: [Event] = arrivesFirst ? [.arrivals] : []
                let run = await simulator.run(
                    WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop", conflicts: .lastWriteWins)]),
                    [
                        .pass(device: 1, calm), .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
                        .pass(device: 0, calm), .person(device: 1, .create(folder: 0, name: 0, content: .unique(2))),
                        .pass(device: 1, PassConditions(faults: fate.faults)), .person(device: 1, .delete(thing: 0)),
                    ] + arrival + [.pass(device: 1, calm), .arrivals])
                #expect(run.finding == nil, "\(fate.faults): \(run.trace.joined(separator: "\n"))")
            }
        }
    }

    /// - Parameter arrivesFirst: what was on its way arrives before the device asks, or after.
    private func world(
        _ deed: Deed, _ fate: NetworkFaults, _ then: [Event], arrivesFirst: Bool
    ) async -> Simulator.Run {
        let calm = PassConditions()
        let simulator = Simulator(size: SimulationSize()) { FolderSyncMaker() }
        let before: [Event] = [
            .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
            .person(device: 0, .makeFolder(parent: 0, name: 5)), .pass(device: 0, calm), .pass(device: 1, calm),
            .person(device: 1, deed), .pass(device: 1, PassConditions(faults: fate)),
        ]
        let arrival: [Event] = arrivesFirst ? [.arrivals] : []
        let after: [Event] = [.pass(device: 1, calm), .arrivals, .pass(device: 0, calm), .pass(device: 1, calm)]
        return await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]), before + then + arrival + after)
    }
}
