import BothyContract
import Simulation
import Testing

/// The feed in made-up worlds: journal, store and what is shown are those that people use.
@Suite struct FeedWorldTests {
    private let simulator = FeedSimulator(size: FeedWorldSize(people: 8, steps: 100))

    @Test func countsAreExactAndNothingIsLostOrDoubled() async {
        await TriedWorlds.expectNothingWrong(with: simulator, in: TriedWorlds.feedSeeds)
    }

    @Test func aSeedIsReplayedExactly() async {
        for seed: UInt64 in 1...3 {
            let (first, second) = (await simulator.run(seed: seed), await simulator.run(seed: seed))
            #expect(first.trace == second.trace && first.finding == second.finding)
            #expect(first.trace.count > 30)
        }
    }

    // MARK: By hand

    private static let (anna, ben) = (0, 1)

    /// Two people with a device each; the second follows the first.
    private func holds(_ events: [FeedEvent], at location: SourceLocation = #_sourceLocation) async {
        let shape = FeedWorldShape(devices: [1, 2], people: 2, follows: [.init(2, 1)])
        let run = await simulator.run(shape, events)
        #expect(
            run.finding == nil, "\(run.finding?.words ?? "")\n\(run.trace.joined(separator: "\n"))",
            sourceLocation: location)
    }

    private func exchange(_ device: Int, _ faults: NetworkFaults = .none, crashAt: Int? = nil) -> FeedEvent {
        .exchange(device: device, FeedConditions(faults: faults, crashAt: crashAt, opens: 0))
    }

    private let posts = FeedEvent.does(device: Self.anna, .publish(text: 1, .everyone, people: []))

    @Test func aPostComesToWhoFollows() async {
        await holds([posts, exchange(Self.anna), exchange(Self.ben)])
    }

    /// It has come with a page before the device hears that it is there.
    @Test func aPostWhoseAnswerWasLostIsThereOnce() async {
        await holds([posts, exchange(Self.anna, NetworkFaults(cut: 100)), exchange(Self.anna), exchange(Self.ben)])
    }

    @Test func aDeviceThatCrashesAnywhereGoesOn() async {
        for call in 1...12 {
            await holds([
                posts, .does(device: Self.anna, .publish(text: 2, .followers, people: [])),
                exchange(Self.anna, crashAt: call), .kill(device: Self.anna), exchange(Self.ben),
                .does(device: Self.ben, .interact(post: 0, .liked)),
                .does(device: Self.ben, .comment(post: 0, reply: nil, text: 3)), exchange(Self.ben, crashAt: call),
                exchange(Self.anna),
            ])
        }
    }

    /// What was taken back is not done again by a request that a slow network held.
    @Test func aLikeThatArrivesLateDoesNotUndoWhatCameAfterIt() async {
        await holds([
            posts, exchange(Self.anna), exchange(Self.ben), .does(device: Self.ben, .interact(post: 0, .liked)),
            exchange(Self.ben, NetworkFaults(late: 100)), exchange(Self.ben),
            .does(device: Self.ben, .interact(post: 0, .removedLike)), exchange(Self.ben), .arrivals(dice: 1),
        ])
    }

    @Test func whatIsRefusedIsToldAndTakenBack() async {
        await holds([
            posts, exchange(Self.anna), exchange(Self.ben), .does(device: Self.anna, .deletePost(0)),
            exchange(Self.anna), .does(device: Self.ben, .interact(post: 0, .liked)),
            .does(device: Self.ben, .comment(post: 0, reply: nil, text: 2)), exchange(Self.ben),
            .does(device: Self.anna, .publish(text: 0, .everyone, people: [])), exchange(Self.anna),
            .decide(device: Self.anna, text: 3), exchange(Self.anna), exchange(Self.ben),
        ])
    }

    @Test func whoIsFollowedNoMoreIsReadNoMore() async {
        await holds([
            .does(device: Self.anna, .publish(text: 1, .followers, people: [])), exchange(Self.anna),
            exchange(Self.ben), .does(device: Self.ben, .follow(person: 0, false)), exchange(Self.ben),
            .does(device: Self.ben, .follow(person: 0, true)), exchange(Self.ben, .offline), .kill(device: Self.ben),
            exchange(Self.ben),
        ])
    }

    /// What waits for its time is tried again all the same.
    @Test func aClockThatIsSetBackByADayHoldsNothingUp() async {
        await holds([
            posts, exchange(Self.anna, .offline), .clockJump(device: Self.anna, seconds: -86_400),
            .serversClockJump(seconds: -86_400), exchange(Self.anna),
            .does(device: Self.anna, .publish(text: 2, .everyone, people: [])), exchange(Self.anna),
            exchange(Self.ben),
        ])
    }
}
