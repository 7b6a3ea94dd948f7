import Simulation
import Testing

/// Folders that go from under their devices, full disks, and quotas that are used up.
@Suite struct BadDayTests {
    private let simulator = Simulator(size: SimulationSize()) { FolderSyncMaker() }
    private let twoDevices = WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")])
    private let passes = [Event.pass(device: 0, PassConditions()), .pass(device: 1, PassConditions())]

    private func write(_ count: Int) -> [Event] {
        (0..<count).map { .person(device: 0, .create(folder: 0, name: $0, content: .unique($0 + 1))) }
    }

    @Test(arguments: [FolderFate.vanishes, .unmounted, .emptied])
    func nothingIsDeletedWhereAFolderIsAway_andAllGoesOnWhenItIsBack(_ fate: FolderFate) async {
        for device in 0...1 {
            let run = await simulator.run(
                twoDevices,
                write(5) + passes + [.folder(device: device, fate)] + passes
                    + [.web(.edit(file: 1, content: .unique(9)))] + passes + [.folder(device: device, .back)] + passes)
            #expect(run.finding == nil, "\(run.trace)")
            #expect(!run.trace.contains { $0.contains("trash") }, "\(run.trace)")
        }
    }

    /// A program writes on, into a folder whose disk has lost everything.
    @Test func nothingIsDeletedWhereAFileComesIntoAnEmptiedFolder() async {
        for device in 0...1 {
            let run = await simulator.run(
                twoDevices,
                write(5) + passes + [.folder(device: device, .emptied)] + passes
                    + [.person(device: device, .create(folder: 0, name: 20, content: .unique(9)))] + passes
                    + [.person(device: device, .create(folder: 0, name: 21, content: .unique(10)))] + passes
                    + [.folder(device: device, .back)] + passes)
            #expect(run.finding == nil, "\(run.trace)")
            #expect(run.trace.contains { $0.contains("«9»") }, "\(run.trace)")
            #expect(!run.trace.contains { $0.contains("trash") }, "\(run.trace)")
        }
    }

    /// A link in a folder that is gone with all the others is no sign that there is something left.
    @Test func nothingIsDeletedWhereAFolderIsEmptied_inWhichALinkLayDeeper() async {
        let calm = Event.pass(device: 1, PassConditions())
        let run = await simulator.run(
            twoDevices,
            [
                calm, .person(device: 1, .makeFolder(parent: 0, name: 5)),
                .person(device: 1, .link(folder: 1, name: 1)),
                .person(device: 1, .create(folder: 0, name: 4, content: .unique(1))), calm,
                .folder(device: 1, .emptied), calm,
            ])
        #expect(run.finding == nil, "\(run.trace)")
    }

    /// What was on its way here when the device crashed lies in no staging folder of an empty mount point: it did not come, and
    /// nobody has deleted it.
    @Test(arguments: [FolderFate.unmounted, .emptied])
    func nothingIsDeletedThatHadNotCome_whereAFolderGoesAwayAfterACrash(_ fate: FolderFate) async {
        for call in 1...30 {
            let run = await simulator.run(
                twoDevices,
                write(3) + passes + [
                    .person(device: 0, .create(folder: 0, name: 4, content: .unique(5))),
                    .pass(device: 0, PassConditions()), .pass(device: 1, PassConditions(crashAt: call)),
                    .folder(device: 1, fate), .pass(device: 1, PassConditions()), .folder(device: 1, .back),
                ] + passes)
            #expect(run.finding == nil, "\(run.trace)")
            #expect(!run.trace.contains { $0.contains("trash") }, "\(run.trace)")
        }
    }

    @Test func whatAPersonConfirmsAfterAFolderWasEmptied_isDeletedEverywhere() async {
        let run = await simulator.run(
            twoDevices,
            write(5) + passes + [.folder(device: 0, .emptied)] + passes + [.folder(device: 0, .givenUp)] + passes)
        #expect(run.finding == nil, "\(run.trace)")
        #expect(run.trace.contains { $0.contains("trashedThere") }, "\(run.trace)")
    }

    @Test func aFolderThatWasCopiedToAnotherDiskIsTiedAnew_andMovesNoBytes() async {
        let run = await simulator.run(
            twoDevices, write(5) + passes + [.folder(device: 0, .replaced)] + passes)
        #expect(run.finding == nil, "\(run.trace)")
        #expect(
            !run.trace.drop { !$0.contains("another disk") }.contains { $0.contains("fetched") || $0.contains("sent") })
    }

    @Test func aFullDiskAndAUsedUpQuotaHoldBackWhatNeedsRoom_untilThereIsSome() async {
        let run = await simulator.run(
            twoDevices,
            [.quotaRoom(bytes: 0), .diskRoom(device: 1, bytes: 0)] + write(3) + passes + [.quotaRoom(bytes: nil)]
                + passes
                + [.diskRoom(device: 1, bytes: nil)] + passes)
        #expect(run.finding == nil, "\(run.trace)")
        #expect(run.trace.contains { $0.contains("quota") } && run.trace.contains { $0.contains("no room") })
    }
}
