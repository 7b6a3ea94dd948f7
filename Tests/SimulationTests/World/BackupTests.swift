import Simulation
import Testing

/// A server that is put back to a backup has files and versions no more that devices agreed on with it.
@Suite struct BackupTests {
    private let simulator = Simulator(size: SimulationSize()) { FolderSyncMaker() }
    private let passes = [Event.pass(device: 0, PassConditions()), .pass(device: 1, PassConditions())]

    /// What stands in its place by then is another file, and no newer version of it.
    @Test func whatTheBackupLacksStays_whereSomebodyElseWroteInItsPlace() async {
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [.backup, .person(device: 0, .create(folder: 0, name: 0, content: .unique(1)))] + passes + [
                .restore, .web(.upload(folder: 0, name: 0, content: .unique(2))),
            ] + passes)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
    }

    /// Nobody else knows of the move any more when the server has lost it: who deletes the folder where the backup has it has not
    /// heard of that, and it stays where it was moved.
    @Test func aMoveThatTheBackupLacksIsToldAgain_andBeatsADeletionMeanwhile() async {
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                .person(device: 0, .makeFolder(parent: 0, name: 0)),
                .person(device: 0, .create(folder: 1, name: 2, content: .unique(1))),
            ] + passes + [
                .backup, .person(device: 1, .rename(thing: 0, name: 1)), .pass(device: 1, PassConditions()), .restore,
                .pass(device: 0, PassConditions()), .person(device: 0, .delete(thing: 0)),
            ])
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
    }

    /// Each brings it to where it has it: then it is there twice, and who deletes one of them has not deleted the other.
    @Test func whatTheBackupLacksIsThereTwice_whereTwoHadItInDifferentPlaces() async {
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [.backup, .person(device: 0, .create(folder: 0, name: 0, content: .unique(1)))] + passes + [
                .restore, .person(device: 0, .rename(thing: 0, name: 1)),
            ] + passes + [.person(device: 0, .delete(thing: 0))])
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
    }

    /// To whoever is not back yet each is a version of what was in its place, and older than what they have there.
    @Test func whatChangesPlacesBeforeAllAreBackIsInTheHistory() async {
        var events: [Event] = [
            .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
            .person(device: 0, .create(folder: 0, name: 1, content: .unique(2))),
        ]
        events += passes
        events.append(.backup)
        // So many that one more on the backup's version is still below what the other has agreed on.
        for number in 3...5 {
            events.append(.person(device: 0, .edit(file: 0, content: .unique(number), .inPlace)))
            events += passes
        }
        events += [.restore, .person(device: 0, .swap(0, 1))]
        events += passes
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]), events)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
        #expect(run.trace.filter { $0.contains("serverWentBack") }.count == 2, "\(run.trace)")
    }

    /// There is no room in the quota for what the backup lacks: it was not deleted for that, nor is it an older version.
    @Test(arguments: [false, true])
    func whatComesBackIsNotTakenForDeleted_whereThereIsNoRoomForItAtOnce(_ isEdited: Bool) async {
        let calm = Event.pass(device: 0, PassConditions())
        let edit = Event.person(device: 0, .edit(file: 0, content: .unique(3), .inPlace))
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [.person(device: 0, .create(folder: 0, name: 0, content: .unique(1)))]
                + (isEdited ? [calm, .backup, edit, calm] : [.backup, calm])
                + [.restore, .quotaRoom(bytes: 0), calm, calm, .quotaRoom(bytes: nil)] + passes)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
        #expect(run.trace.contains { $0.contains("The quota is used up") }, "\(run.trace)")
    }

    /// What two versions would be merged from is not there any more: both are kept, and all else goes on.
    @Test func whatCannotBeMergedAnyMoreIsKeptTwice() async {
        let run = await simulator.run(
            WorldShape(devices: [
                .init(name: "kitchen", conflicts: .merge), .init(name: "laptop", conflicts: .merge),
            ]),
            [.person(device: 0, .create(folder: 0, name: 0, content: .unique(1)))] + passes + [
                .backup, .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)),
            ] + passes + [
                .restore, .web(.edit(file: 0, content: .unique(3))), .web(.edit(file: 0, content: .unique(4))),
                .web(.edit(file: 0, content: .unique(5))),
                .person(device: 1, .edit(file: 0, content: .unique(6), .inPlace)),
            ] + passes)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
        #expect(run.trace.contains { $0.contains("setAside") && $0.contains("'s conflict ") })
    }
}
