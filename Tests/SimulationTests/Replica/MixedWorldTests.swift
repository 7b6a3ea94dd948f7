import Simulation
import Testing

/// People who work in a device's folder and at its replica: what such worlds have found.
@Suite struct MixedWorldTests {
    private static let (kitchen, laptop, phone) = (0, 1, 2)

    private func holds(_ events: [Event], at location: SourceLocation = #_sourceLocation) async {
        let simulator = Simulator(size: SimulationSize(work: .both)) { FolderSyncMaker() }
        let names = ["kitchen", "laptop", "phone"]
        let run = await simulator.run(WorldShape(devices: names.map { .init(name: $0) }, work: .both), events)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))", sourceLocation: location)
    }

    private func pass(_ device: Int) -> Event { .pass(device: device, PassConditions()) }
    private func exchange(_ device: Int) -> Event { .exchange(device: device, PassConditions()) }

    /// It waits until what was put there before is sent; meanwhile the log tells of a file that this device's own folder has sent,
    /// and that was not on the screen.
    @Test func deletingAFolderAtTheReplicaSparesWhatTheFolderOnDiskHasSent() async {
        await holds([
            .intent(device: Self.kitchen, .makeFolder(parent: 0, name: 0)), exchange(Self.kitchen),
            pass(Self.laptop), exchange(Self.laptop),
            .person(device: Self.laptop, .create(folder: 1, name: 1, content: .unique(1))), pass(Self.laptop),
            .intent(device: Self.laptop, .put(folder: 1, name: 2, content: .unique(2))),
            .intent(device: Self.laptop, .trash(thing: 0)), exchange(Self.laptop),
        ])
    }

    /// What the folder on disk has brought again since is another file, of which nobody at the replica has heard.
    @Test func deletingAtAReplicaThatHasNotHeardOfABackupSparesWhatDevicesHaveBroughtAgain() async {
        await holds([
            .backup, .person(device: Self.phone, .create(folder: 0, name: 0, content: .unique(1))), pass(Self.phone),
            exchange(Self.phone), .restore, pass(Self.kitchen), pass(Self.phone), pass(Self.laptop),
            .intent(device: Self.phone, .trash(thing: 0)),
        ])
    }

    /// Both have a right to it: then it is there, and deleting it once more is easy.
    @Test func whatIsTakenBackAndDeletedByOneWhoHasNotHeardOfThat_isThere() async {
        await holds([
            .person(device: Self.kitchen, .create(folder: 0, name: 0, content: .unique(1))), pass(Self.kitchen),
            exchange(Self.laptop), .web(.trash(thing: 0)),
            .intent(device: Self.laptop, .revise(file: 0, content: .unique(2))), exchange(Self.phone),
            exchange(Self.laptop), .intent(device: Self.phone, .restore(0)), pass(Self.kitchen),
            .person(device: Self.kitchen, .delete(thing: 0)),
        ])
    }
}
