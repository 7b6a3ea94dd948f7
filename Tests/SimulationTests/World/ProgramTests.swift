import Simulation
import Testing

/// Programs that have files open to write in them, while these change elsewhere.
@Suite struct ProgramTests {
    private let simulator = Simulator(size: SimulationSize()) { FolderSyncMaker() }
    private let twoDevices = WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")])
    private let passes = [Event.pass(device: 0, PassConditions()), .pass(device: 1, PassConditions())]

    private func world(_ interruptions: [PassConditions.Interruption], opened: Bool, _ elsewhere: Event) -> [Event] {
        let write = Event.person(device: 0, .create(folder: 0, name: 0, content: .unique(1)))
        let opens = Event.program(device: 1, .opens(file: 0))
        return [write] + passes + (opened ? [opens] : []) + [elsewhere, passes[0]]
            + [.pass(device: 1, PassConditions(interruptions: interruptions))]
            + [.program(device: 1, .writes(file: 0, .unique(3))), .program(device: 1, .closes(file: 0))] + passes
    }

    private static let elsewhere: [Event] = [
        .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)), .person(device: 0, .delete(thing: 0)),
        .web(.edit(file: 0, content: .unique(2))), .web(.trash(thing: 0)),
    ]

    @Test(arguments: elsewhere)
    func whatAProgramWritesIsSeen(_ elsewhere: Event) async {
        let run = await simulator.run(twoDevices, world([], opened: true, elsewhere))
        #expect(run.finding == nil, "\(run.trace)")
        #expect(run.trace.contains { $0.contains("saves /a «3»") }, "\(run.trace)")
    }

    /// At each call of the pass that replaces it, or takes it away.
    @Test(arguments: elsewhere)
    func whatAProgramOpensMeanwhileIsSeen(_ elsewhere: Event) async {
        for call in 1...40 {
            let opens = PassConditions.Interruption(call: call, event: .program(device: 1, .opens(file: 0)))
            let run = await simulator.run(twoDevices, world([opens], opened: false, elsewhere))
            #expect(run.finding == nil, "\(call): \(run.trace)")
        }
    }
}
