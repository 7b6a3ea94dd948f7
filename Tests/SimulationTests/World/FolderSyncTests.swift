import Simulation
import Testing

/// The engine in made-up worlds. `BOTHY_SIMULATION_SEEDS` says how many.
@Suite struct FolderSyncTests {
    private var simulator: Simulator {
        Simulator(size: SimulationSize(steps: TriedWorlds.steps)) { FolderSyncMaker() }
    }

    @Test func nothingIsLostInAnyWorld() async {
        await TriedWorlds.expectNothingLost(by: simulator, in: TriedWorlds.seeds)
    }

    /// Its upload arrives when it has been deleted already, and so has to be deleted there too.
    @Test func whatArrivesLateIsKnownForWhatItIs() async {
        let late = PassConditions(faults: NetworkFaults(late: 100))
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                .pass(device: 1, PassConditions()),
                .person(device: 1, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 1, late),
                .person(device: 1, .delete(thing: 0)), .pass(device: 1, PassConditions()),
            ])
        #expect(run.finding == nil, "\(run.trace)")
    }

    /// A file is saved so that its size and time are as before, when its new version from the server is about to replace it.
    @Test func aSaveThatPutsSizeAndTimeBackIsSeenAtTheLastInstant() async {
        for call in 1...12 {
            let lie = Event.person(device: 1, .edit(file: 0, content: .unique(16), .lyingAboutTime))
            let conditions = PassConditions(interruptions: [.init(call: call, event: lie)])
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
                [
                    .person(device: 0, .create(folder: 0, name: 0, content: .unique(11))),
                    .pass(device: 0, PassConditions()), .pass(device: 1, PassConditions()),
                    .person(device: 0, .edit(file: 0, content: .unique(13), .inPlace)),
                    .pass(device: 0, PassConditions()), .pass(device: 1, conditions),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    /// The same of a new version, which takes the file out of the server's trash.
    @Test func aNewVersionThatArrivesAfterItsFileWasDeleted_isDeletedToo() async {
        let late = PassConditions(faults: NetworkFaults(late: 100))
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                .person(device: 1, .create(folder: 0, name: 0, content: .unique(1))),
                .pass(device: 1, PassConditions()),
                .person(device: 1, .edit(file: 0, content: .unique(2), .inPlace)), .pass(device: 1, late),
                .person(device: 1, .delete(thing: 0)), .pass(device: 1, PassConditions()),
            ])
        #expect(run.finding == nil, "\(run.trace)")
    }

    /// A new version was put in its place, the device crashed before that was written down, and its person deletes what is there.
    @Test func whatCameRightBeforeACrashAndIsDeletedThen_staysDeleted() async {
        for call in 1...16 {
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
                [
                    .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
                    .pass(device: 0, PassConditions()), .pass(device: 1, PassConditions()),
                    .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)),
                    .pass(device: 0, PassConditions()), .pass(device: 1, PassConditions(crashAt: call)),
                    .person(device: 1, .delete(thing: 0)), .pass(device: 1, PassConditions()),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    /// A new version arrived, its answer did not, and by now somebody has saved over it: nobody's edit is in conflict.
    @Test func whatWasSavedOverBeforeItsAnswerCame_isNoConflict() async {
        let cut = PassConditions(faults: NetworkFaults(cut: 100))
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
                .pass(device: 0, PassConditions()), .pass(device: 1, PassConditions()),
                .person(device: 1, .edit(file: 0, content: .unique(2), .inPlace)), .pass(device: 1, cut),
                .pass(device: 0, PassConditions()), .person(device: 0, .edit(file: 0, content: .unique(3), .inPlace)),
                .pass(device: 0, PassConditions()),
            ])
        #expect(run.finding == nil && !run.trace.contains { $0.contains("conflict") }, "\(run.trace)")
    }

    /// What one person moves is kept, though another, who had a newer version of it, has deleted it.
    @Test func aMoveOfAnOlderVersionBeatsADeletionOfTheNewer() async {
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
                .pass(device: 0, PassConditions()), .pass(device: 1, PassConditions()),
                .person(device: 1, .edit(file: 0, content: .unique(2), .inPlace)), .pass(device: 1, PassConditions()),
                .person(device: 0, .rename(thing: 0, name: 1)), .person(device: 1, .delete(thing: 0)),
                .pass(device: 0, PassConditions()),
            ])
        #expect(run.finding == nil, "\(run.trace)")
    }

    /// A watcher tells of what came to nothing, too: what the engine puts there and its person takes away again.
    @Test func whatComesAndIsDeletedAtOnce_isDeletedThere() async {
        let pass = Event.pass(device: 1, PassConditions())
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                pass, pass, .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))),
                .pass(device: 0, PassConditions()), pass, .person(device: 1, .delete(thing: 0)), pass,
            ])
        #expect(run.finding == nil, "\(run.trace)")
    }

    /// A power cut puts an older version back, and another is saved over that: who still has the one between moves an older one.
    @Test func aMoveOfWhatAPowerCutTookBackElsewhere_beatsADeletionToo() async {
        let calm = PassConditions()
        for dice: UInt64 in 0..<8 {
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop"), .init(name: "phone")]),
                [
                    .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .settle(device: 0),
                    .pass(device: 0, calm), .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)),
                    .pass(device: 0, calm), .pass(device: 1, calm), .powerCut(device: 0, dice: dice),
                    .pass(device: 0, calm), .web(.edit(file: 0, content: .unique(3))), .pass(device: 2, calm),
                    .person(device: 1, .rename(thing: 0, name: 1)), .person(device: 2, .delete(thing: 0)),
                    .pass(device: 1, calm),
                ])
            #expect(run.finding == nil, "\(dice): \(run.trace)")
        }
    }

    /// The same of what is saved over then, as editors do it: whoever did that had the new version before their eyes.
    @Test(arguments: [true, false], Deed.Saving.allCases)
    func whatCameRightBeforeACrashAndIsSavedOverThen_isNoConflict(isNew: Bool, saving: Deed.Saving) async {
        let calm = PassConditions()
        let link: [Event] = [.pass(device: 1, calm), .pass(device: 1, calm)]
        let create = Event.person(device: 0, .create(folder: 0, name: 0, content: .unique(1)))
        let older: [Event] = [
            create, .pass(device: 0, calm), .pass(device: 1, calm),
            .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)),
        ]
        for call in 1...16 {
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
                link + (isNew ? [create] : older) + [
                    .pass(device: 0, calm), .pass(device: 1, PassConditions(crashAt: call)),
                    .person(device: 1, .edit(file: 0, content: .unique(3), saving)), .pass(device: 1, calm),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    /// Its new version arrived, the answer did not, and somebody who had that version before their eyes deletes it for good.
    @Test func aNewVersionWhoseAnswerIsLostAndThatIsPurgedThen_staysDeleted() async {
        let calm = PassConditions()
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
            [
                .person(device: 1, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 1, calm),
                .person(device: 1, .edit(file: 0, content: .unique(2), .inPlace)),
                .pass(device: 1, PassConditions(faults: NetworkFaults(late: 100))), .arrivals,
                .web(.deletePermanently(thing: 0)), .pass(device: 1, calm),
            ])
        #expect(run.finding == nil, "\(run.trace)")
    }

    /// Moved while a pass is under way, into a folder that the pass has no reason to look into: that is no deletion.
    @Test func whatIsMovedWhileAPassIsUnderWay_isNotPutIntoTheTrash() async {
        let calm = PassConditions()
        for call in 1...30 {
            let move = PassConditions(interruptions: [
                .init(call: call, event: .person(device: 1, .move(thing: 1, folder: 1)))
            ])
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
                [
                    .person(device: 0, .makeFolder(parent: 0, name: 0)),
                    .person(device: 0, .create(folder: 0, name: 1, content: .unique(1))), .pass(device: 0, calm),
                    .pass(device: 1, calm), .pass(device: 1, calm),
                    .person(device: 0, .create(folder: 0, name: 2, content: .unique(2))), .pass(device: 0, calm),
                    .pass(device: 1, move),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
            #expect(!run.trace.contains { $0.contains("trashedThere") }, "at call \(call): \(run.trace)")
        }
    }

    /// What was answered to the upload tells of a folder that nobody has told of.
    @Test(arguments: 1...16) func whatOthersMoveIntoANewFolderWhileItIsSentIsNotTakenForDeleted(call: Int) async {
        let calm = PassConditions()
        let meanwhile = PassConditions(interruptions: [
            .init(call: call, event: .web(.makeFolder(parent: 0, name: 1))),
            .init(call: call, event: .web(.move(thing: 0, folder: 1))),
        ])
        let run = await simulator.run(
            WorldShape(devices: [.init(name: "kitchen")]),
            [
                .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 0, calm),
                .person(device: 0, .edit(file: 0, content: .unique(2), .inPlace)), .pass(device: 0, meanwhile),
            ])
        #expect(run.finding == nil && !run.trace.contains { $0.contains("trashedHere") }, "\(run.trace)")
    }

    /// It was moved here after others, the device crashed before that was written down, and then somebody deletes it: no person
    /// has moved it here.
    @Test func whatWasMovedHereRightBeforeACrashAndIsDeletedThen_staysDeleted() async {
        let calm = PassConditions()
        for call in 1...16 {
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop"), .init(name: "phone")]),
                [
                    .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 0, calm),
                    .pass(device: 1, calm), .pass(device: 2, calm), .web(.rename(thing: 0, name: 1)),
                    .pass(device: 2, calm), .pass(device: 1, PassConditions(crashAt: call)), .web(.trash(thing: 0)),
                    .pass(device: 1, calm),
                ])
            #expect(!run.trace.contains { $0.contains("BeatsDeletion") }, "at call \(call): \(run.trace)")
        }
    }

    /// Deleted here, and moved in the browser before that has arrived there: neither had heard of the other, and so it stays.
    @Test func whatIsMovedElsewhereWhileItsDeletionIsUnderWay_stays() async {
        let calm = PassConditions()
        for call in 1...16 {
            let move = PassConditions(interruptions: [.init(call: call, event: .web(.rename(thing: 0, name: 1)))])
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop")]),
                [
                    .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 0, calm),
                    .pass(device: 1, calm), .person(device: 1, .delete(thing: 0)), .pass(device: 1, move),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    /// Another was made in its place, has not come here yet, and is deleted elsewhere: who moves what is here moves none of that.
    @Test func whatWasMadeInThePlaceOfWhatIsMovedHere_staysDeleted() async {
        let calm = PassConditions()
        for call in 1...24 {
            let run = await simulator.run(
                WorldShape(devices: [.init(name: "kitchen"), .init(name: "laptop"), .init(name: "phone")]),
                [
                    .person(device: 0, .create(folder: 0, name: 0, content: .unique(1))), .pass(device: 0, calm),
                    .pass(device: 1, calm), .pass(device: 2, calm), .web(.trash(thing: 0)),
                    .web(.upload(folder: 0, name: 0, content: .unique(2))),
                    .pass(device: 1, PassConditions(crashAt: call)), .person(device: 1, .rename(thing: 0, name: 1)),
                    .pass(device: 2, calm), .person(device: 2, .delete(thing: 0)), .pass(device: 1, calm),
                    .pass(device: 2, calm),
                ])
            #expect(run.finding == nil, "at call \(call): \(run.trace)")
        }
    }

    @Test func aSeedIsReplayedExactly() async {
        for seed: UInt64 in 1...5 {
            let (first, second) = (await simulator.run(seed: seed), await simulator.run(seed: seed))
            #expect(first.trace == second.trace && first.finding == second.finding)
        }
    }
}
