import Simulation
import Testing

/// A device whose cursor has expired compares its folder with the server's as it did at first, and takes nothing that is absent
/// for deleted.
@Suite struct LinkingAnewTests {
    private let simulator = Simulator(size: SimulationSize()) { FolderSyncMaker() }
    private let twoDevices = WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")])
    private let passes = [Event.pass(device: 0, PassConditions()), .pass(device: 1, PassConditions())]

    private func kitchen(_ deeds: Deed...) -> [Event] { deeds.map { .person(device: 0, $0) } }

    /// It is a version of what was in that place, and comes back to where it was: one of the two may be saved over then.
    @Test func whatChangedNamesWithSomethingThatWasDeletedThen_isInBothPlaces() async {
        let (file, folder, below) = (0, 1, 1)
        let before = kitchen(
            .create(folder: 0, name: 0, content: .unique(1)), .makeFolder(parent: 0, name: 4),
            .create(folder: folder, name: 1, content: .unique(2)))
        let meanwhile = kitchen(.swap(file, below), .delete(thing: folder))
        let elsewhere = [Event.web(.upload(folder: 0, name: 5, content: .unique(4)))]
        let after = kitchen(.edit(file: below, content: .unique(3), .byRename))
        for forgets in [[.forgetLog] + meanwhile, meanwhile + [.forgetLog]] {
            let run = await simulator.run(twoDevices, before + passes + elsewhere + forgets + passes + after + passes)
            #expect(run.finding == nil, "\(run.trace)")
            #expect(run.trace.contains { $0.contains("fetched e/b: absentWhileLinking") }, "\(run.trace)")
        }
    }
}
