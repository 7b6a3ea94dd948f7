import Simulation
import Testing

/// Whoever changes a conflict copy before it is sent has not made it: at each call that the device makes to its disk
/// and the network.
@Suite struct SwappedCopyTests {
    private let simulator = Simulator(size: SimulationSize(devices: 2, steps: 1, work: .folders)) { FolderSyncMaker() }
    private let twoDevices = WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")])

    @Test func aCopyIsJudgedByWhatItWasMadeWith() async {
        let pass = PassConditions()
        for call in 1...40 {
            let swapping = PassConditions(interruptions: [.init(call: call, event: .person(device: 1, .swap(0, 1)))])
            let run = await simulator.run(
                twoDevices,
                [
                    .person(device: 0, .create(folder: 0, name: 6, content: .unique(1))), .pass(device: 0, pass),
                    .pass(device: 1, pass), .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)),
                    .person(device: 1, .edit(file: 0, content: .unique(3), .inPlace)), .pass(device: 0, pass),
                    .pass(device: 1, swapping),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }
}
