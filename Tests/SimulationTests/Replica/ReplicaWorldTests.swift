import Simulation
import Testing

/// Replicas and journals in made-up worlds: a quarter as many as `BOTHY_SIMULATION_SEEDS` says.
@Suite struct ReplicaWorldTests {
    private var simulator: Simulator {
        Simulator(size: SimulationSize(steps: TriedWorlds.steps, work: .replicas)) { FolderSyncMaker() }
    }

    @Test func nothingIsLostAtAnyReplica() async {
        await TriedWorlds.expectNothingLost(by: simulator, in: TriedWorlds.seeds / 4)
    }

    @Test func aSeedIsReplayedExactly() async {
        for seed: UInt64 in 1...5 {
            let (first, second) = (await simulator.run(seed: seed), await simulator.run(seed: seed))
            #expect(first.trace == second.trace && first.finding == second.finding)
        }
    }

    // MARK: What worlds have found

    private static let kitchen = 0
    private static let laptop = 1

    private func holds(
        _ events: [Event], oneWriter: Bool = false, at location: SourceLocation = #_sourceLocation
    ) async {
        let shape = WorldShape(
            devices: [.init(name: "kitchen"), .init(name: "laptop")], work: .replicas, oneWriter: oneWriter)
        let run = await simulator.run(shape, events)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))", sourceLocation: location)
    }

    private func exchange(_ device: Int, _ conditions: PassConditions = PassConditions()) -> Event {
        .exchange(device: device, conditions)
    }

    private func put(_ device: Int, name: Int = 0, _ content: Int, in folder: Int = 0) -> Event {
        .intent(device: device, .put(folder: folder, name: name, content: .unique(content)))
    }

    private func save(_ device: Int, _ content: Int) -> Event {
        .intent(device: device, .revise(file: 0, content: .unique(content)))
    }

    /// Who saves a file and deletes it, without a connection, has not seen what somebody else saved there meanwhile.
    @Test func aDeletionOfWhatWaitsIsOneOfWhatItWasMadeFrom() async {
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen), exchange(Self.laptop), save(Self.laptop, 2),
            .intent(device: Self.laptop, .trash(thing: 0)), .web(.edit(file: 0, content: .unique(3))),
        ])
    }

    /// The second of two savings rests on the first: where that meets something new, so does it.
    @Test func contentMadeFromWhatIsGivenUpIsNotSentOverWhatThatHasMet() async {
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen), .web(.edit(file: 0, content: .unique(2))),
            save(Self.kitchen, 3), save(Self.kitchen, 4),
        ])
    }

    /// The upload's answer was lost in a crash, and somebody else has saved the file before it is asked for again.
    @Test func contentMadeFromWhatWasSentMeetsWhatOthersMadeOfThat() async {
        for call in 1...6 {
            await holds([
                exchange(Self.kitchen), put(Self.kitchen, 1),
                exchange(Self.kitchen, PassConditions(crashAt: call)), save(Self.kitchen, 2),
                .web(.edit(file: 0, content: .unique(3))),
            ])
        }
    }

    /// The file has been answered for, and is not in the cache yet, when it is saved again.
    @Test func contentMadeFromWhatIsAcknowledgedIsMadeFromThatRevision() async {
        for call in 1...10 {
            await holds([
                exchange(Self.laptop), put(Self.laptop, 1), put(Self.laptop, name: 1, 2),
                exchange(Self.laptop, PassConditions(crashAt: call)), save(Self.laptop, 3),
                .web(.edit(file: 0, content: .unique(4))),
            ])
        }
    }

    /// Both make a folder of one name; one of them deletes hers, and has never seen what is in the other's.
    @Test func deletingAFolderThatWaitsSparesWhatSomebodyElsePutIntoTheirs() async {
        let offline = PassConditions(faults: .offline)
        await holds([
            .intent(device: Self.kitchen, .makeFolder(parent: 0, name: 0)), exchange(Self.kitchen, offline),
            .intent(device: Self.laptop, .makeFolder(parent: 0, name: 0)), put(Self.laptop, name: 1, 1, in: 1),
            exchange(Self.laptop), .intent(device: Self.kitchen, .trash(thing: 0)),
        ])
    }

    @Test func anEditOfWhatSomebodyElseHasDeletedIsShownAgain() async {
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen), exchange(Self.laptop), save(Self.laptop, 2),
            .web(.trash(thing: 0)),
            exchange(Self.laptop, PassConditions(dice: 1, faults: NetworkFaults(late: 100))), .arrivals,
        ])
    }

    /// It is taken back at the moment when others before it are being sent.
    @Test func whatIsTakenBackBeforeItsTurnIsNotSent() async {
        for call in 1...6 {
            let trash = Event.intent(device: Self.kitchen, .trash(thing: 1))
            await holds([
                put(Self.kitchen, name: 0, 1), put(Self.kitchen, name: 1, 2),
                exchange(Self.kitchen, PassConditions(interruptions: [.init(call: call, event: trash)])),
            ])
        }
    }

    @Test func aClockThatIsPutBackHoldsNothingUp() async {
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen, PassConditions(faults: .offline)),
            .clockJump(device: Self.kitchen, seconds: -1_000_000),
        ])
    }

    /// What the server has answered is undone by a backup before it is in the cache.
    @Test func anAnswerOfAServerThatWasPutBackLeavesTheJournal() async {
        for call in 1...8 {
            await holds([
                put(Self.kitchen, 1), exchange(Self.kitchen), .backup,
                .intent(device: Self.kitchen, .rename(thing: 0, name: 5)),
                exchange(Self.kitchen, PassConditions(crashAt: call)), .restore,
            ])
        }
    }

    /// The answer to the first saving was lost, and its effect came with the log; three more savings rest on that, one on the
    /// other.
    @Test func savingsThatRestOnEachOtherAreInNoConflict() async {
        let cut = PassConditions(faults: NetworkFaults(cut: 100))
        await holds(
            [
                put(Self.kitchen, 1), exchange(Self.kitchen), save(Self.kitchen, 2), exchange(Self.kitchen, cut),
                exchange(Self.laptop), save(Self.kitchen, 3), save(Self.kitchen, 4), save(Self.kitchen, 5),
            ], oneWriter: true)
    }

    /// A folder meets a file of its name. The file is deleted, and the folder given up: two things.
    @Test func whatHasTheNameOfSomethingThatIsGivenUpIsDeletedAllTheSame() async {
        await holds([
            .intent(device: Self.laptop, .makeFolder(parent: 0, name: 0)), put(Self.kitchen, 1),
            exchange(Self.kitchen), exchange(Self.laptop), .intent(device: Self.laptop, .trash(thing: 0)),
        ])
    }

    /// The answer was lost, its effect came with the log, and somebody else goes on from there before it is asked for again.
    @Test func whatRestsOnASavingThatIsKnownStaysShownWhenItIsAnsweredLate() async {
        let cut = PassConditions(faults: NetworkFaults(cut: 100))
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen), save(Self.kitchen, 2), exchange(Self.kitchen, cut),
            .web(.edit(file: 0, content: .unique(3))), save(Self.kitchen, 4), exchange(Self.kitchen),
        ])
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen), save(Self.kitchen, 2), save(Self.kitchen, 3),
            exchange(Self.kitchen, cut), .web(.edit(file: 0, content: .unique(4))), exchange(Self.kitchen),
        ])
    }

    /// The cache has got a newer version since, which is not what was on the screen.
    @Test func aDeletionOfContentThatWaitsIsNoneOfWhatCameMeanwhile() async {
        await holds([
            put(Self.kitchen, 1), exchange(Self.kitchen), exchange(Self.laptop), save(Self.laptop, 2),
            save(Self.laptop, 3), .web(.edit(file: 0, content: .unique(4))), exchange(Self.laptop),
            .intent(device: Self.laptop, .trash(thing: 0)),
        ])
    }

    /// What was moved into it before it was deleted is not deleted either: both deeds need the folder.
    @Test func whatWasMovedIntoADeletedFolderThatIsGivenUpStays() async {
        await holds([
            put(Self.laptop, name: 1, 1), exchange(Self.laptop), exchange(Self.kitchen),
            .intent(device: Self.laptop, .makeFolder(parent: 0, name: 0)),
            .intent(device: Self.laptop, .move(thing: 1, folder: 1)), .intent(device: Self.laptop, .trash(thing: 0)),
            put(Self.kitchen, 2), exchange(Self.kitchen),
        ])
    }

    /// The answer to a saving was lost; the file has another name here when it is asked for again.
    @Test func aSavingIsTheSameRequestWhateverTheFileIsCalledByNow() async {
        let cut = PassConditions(faults: NetworkFaults(cut: 100))
        await holds(
            [
                put(Self.kitchen, 1), exchange(Self.kitchen), save(Self.kitchen, 2), exchange(Self.kitchen, cut),
                .intent(device: Self.kitchen, .rename(thing: 0, name: 5)),
            ], oneWriter: true)
    }

    /// Nothing was ever heard of the server, and what was sent to it is shown all the same: nobody makes it a second time.
    @Test func whatWasSentIsShownBeforeAnythingIsHeard() async {
        for call in 1...16 {
            await holds(
                [
                    put(Self.kitchen, 1), exchange(Self.kitchen, PassConditions(crashAt: call)),
                    .intent(device: Self.kitchen, .makeFolder(parent: 0, name: 0)),
                ], oneWriter: true)
        }
    }

    /// The folder that it lies in comes along out of the trash, by the same hand.
    @Test func whatComesBackAlongWithAFileIsNoSurpriseToTheOneWhoTookThatBack() async {
        for pick in 0...1 {
            await holds(
                [
                    .intent(device: Self.kitchen, .makeFolder(parent: 0, name: 0)),
                    .intent(device: Self.kitchen, .makeFolder(parent: 1, name: 1)),
                    put(Self.kitchen, name: 2, 1, in: 2),
                    exchange(Self.kitchen), .intent(device: Self.kitchen, .trash(thing: 2)), exchange(Self.kitchen),
                    .intent(device: Self.kitchen, .trash(thing: 1)), exchange(Self.kitchen),
                    .intent(device: Self.kitchen, .restore(pick)), .intent(device: Self.kitchen, .trash(thing: 0)),
                    exchange(Self.kitchen),
                ], oneWriter: true)
        }
    }

    /// The names of «café.txt» in its two spellings.
    @Test func twoSpellingsOfOneNameAreOneName() async {
        await holds([put(Self.kitchen, name: 9, 1), exchange(Self.kitchen), put(Self.kitchen, name: 10, 2)])
    }

    /// The move meets something of its name, and is given up: then the file is in the folder again, which its person has deleted
    /// since, and nobody has deleted the file.
    @Test(arguments: [false, true])
    func whatWasMovedOutOfAFolderThatIsDeletedIsThere_whereTheMoveIsGivenUp(_ isSentBefore: Bool) async {
        let kitchen = Self.kitchen
        await holds(
            [
                .intent(device: kitchen, .makeFolder(parent: 0, name: 0)), put(kitchen, name: 2, 1, in: 1),
                exchange(kitchen), .web(.upload(folder: 0, name: 2, content: .unique(2))),
                .intent(device: kitchen, .move(thing: 1, folder: 0)),
            ]
                + (isSentBefore ? [exchange(kitchen, PassConditions(faults: .offline))] : [])
                + [.intent(device: kitchen, .trash(thing: 0)), exchange(kitchen)])
    }

    /// It was put into a folder that is moved into another, and deleted with that, by somebody who has not heard of it: the log tells
    /// of it before it tells of the move.
    @Test func whatSomebodyElsePutIntoWhatWasMovedIntoADeletedFolderIsThere() async {
        let (kitchen, laptop) = (Self.kitchen, Self.laptop)
        let more = (2..<10).map { put(laptop, name: $0, $0) }
        await holds(
            [
                .intent(device: kitchen, .makeFolder(parent: 0, name: 0)),
                .intent(device: kitchen, .makeFolder(parent: 0, name: 1)), exchange(kitchen), exchange(laptop),
                put(laptop, 1, in: 2),
            ] + more + [
                exchange(laptop), .intent(device: kitchen, .move(thing: 1, folder: 1)),
                .intent(device: kitchen, .trash(thing: 0)), exchange(kitchen),
            ])
    }
}
