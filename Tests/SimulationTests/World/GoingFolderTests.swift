import Simulation
import Testing

/// A person goes on working in a folder while it is taken away: at each call that the device makes to its disk and the network.
@Suite struct GoingFolderTests {
    private let simulator = Simulator(size: SimulationSize(devices: 2, steps: 1, work: .folders)) { FolderSyncMaker() }
    private let twoDevices = WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")])
    /// More than a pass over this folder makes.
    private static let calls = 1...40

    @Test func whatIsSavedInAFolderThatGoesIsThere() async {
        let pass = PassConditions()
        let saving = Event.person(device: 1, .create(folder: 1, name: 1, content: .unique(2)))
        for call in Self.calls {
            let meanwhile = PassConditions(interruptions: [.init(call: call, event: saving)])
            let run = await simulator.run(
                twoDevices,
                [
                    .person(device: 0, .makeFolder(parent: 0, name: 0)),
                    .person(device: 0, .create(folder: 1, name: 0, content: .unique(1))), .pass(device: 0, pass),
                    .pass(device: 1, pass), .web(.trash(thing: 0)), .pass(device: 1, meanwhile),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    @Test func whatIsRenamedInAFolderThatMovesHasItsNewNameEverywhere() async {
        let pass = PassConditions()
        let renaming = Event.person(device: 1, .rename(thing: 1, name: 5))
        for call in Self.calls {
            let meanwhile = PassConditions(interruptions: [.init(call: call, event: renaming)])
            let run = await simulator.run(
                twoDevices,
                [
                    .person(device: 0, .makeFolder(parent: 0, name: 0)),
                    .person(device: 0, .makeFolder(parent: 1, name: 1)),
                    .person(device: 0, .create(folder: 2, name: 2, content: .unique(1))), .pass(device: 0, pass),
                    .pass(device: 1, pass), .web(.rename(thing: 0, name: 4)), .pass(device: 1, meanwhile),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    /// Renamed here, and put into the trash with its folder by somebody who has not heard of that, before the new name is told.
    @Test func whatWasRenamedInAFolderThatGoesMeanwhileIsKept() async {
        let pass = PassConditions()
        for call in Self.calls {
            let meanwhile = PassConditions(interruptions: [.init(call: call, event: .web(.trash(thing: 0)))])
            let run = await simulator.run(
                twoDevices,
                [
                    .person(device: 0, .makeFolder(parent: 0, name: 0)),
                    .person(device: 0, .create(folder: 1, name: 0, content: .unique(1))), .pass(device: 0, pass),
                    .pass(device: 1, pass), .person(device: 1, .rename(thing: 1, name: 5)),
                    .pass(device: 1, meanwhile),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }
}
