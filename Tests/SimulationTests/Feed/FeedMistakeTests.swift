import BothyContract
import Simulation
import Testing

/// A checker that finds nothing holds nothing: each mistake that is planted in the server is found out.
@Suite struct FeedMistakeTests {
    private static let (anna, ben) = (0, 1)
    /// Two follow the first of three; a device each.
    private let shape = FeedWorldShape(devices: [1, 2, 3], people: 3, follows: [.init(2, 1), .init(3, 1)])

    private func rule(_ events: [FeedEvent], with mistakes: Set<FeedMistake>) async -> Finding.Rule? {
        await FeedSimulator(size: FeedWorldSize(), mistakes: mistakes).run(shape, events).finding?.rule
    }

    /// - Parameter rules: what it may be found by.
    private func isFound(
        _ mistake: FeedMistake, by rules: Set<Finding.Rule>, in events: [FeedEvent],
        at location: SourceLocation = #_sourceLocation
    ) async {
        let (without, with) = (await rule(events, with: []), await rule(events, with: [mistake]))
        let isFound = with.map { rules.contains($0) } ?? false
        #expect(without == nil, sourceLocation: location)
        #expect(isFound, "\(with.map { "\($0)" } ?? "nothing")", sourceLocation: location)
    }

    private func post(_ text: Int) -> FeedEvent {
        .does(device: Self.anna, .publish(text: text, .everyone, people: []))
    }

    private func exchange(_ device: Int, _ faults: NetworkFaults = .none) -> FeedEvent {
        .exchange(device: device, FeedConditions(faults: faults))
    }

    /// An outbox that sends no request ids looks the same to the server.
    @Test func aPostThatIsSentAgainUnderNoRequestIdIsThereTwice() async {
        await isFound(
            .forgetsRequestIds, by: [.doubled],
            in: [post(1), exchange(Self.anna, NetworkFaults(cut: 100)), exchange(Self.anna)])
        await isFound(
            .forgetsRequestIds, by: [.doubled], in: [post(1), exchange(Self.anna, NetworkFaults(repeated: 100))])
    }

    @Test func aLateLikeThatIsNotKnownAgainUndoesWhatCameAfterIt() async {
        await isFound(
            .forgetsRequestIds, by: [.miscounted],
            in: [
                post(1), exchange(Self.anna), exchange(Self.ben),
                .does(device: Self.ben, .interact(post: 0, .liked)), exchange(Self.ben, NetworkFaults(late: 100)),
                exchange(Self.ben), .does(device: Self.ben, .interact(post: 0, .removedLike)), exchange(Self.ben),
                .arrivals(dice: 1),
            ])
    }

    @Test func aLikeThatIsCountedTwiceIsFound() async {
        let like = FeedEvent.does(device: Self.ben, .interact(post: 0, .liked))
        await isFound(
            .countsEveryLike, by: [.miscounted],
            in: [post(1), exchange(Self.anna), exchange(Self.ben), like, like, exchange(Self.ben)])
    }

    @Test func aPostThatStrangersReadIsFound() async {
        let toThird = FeedEvent.does(device: Self.anna, .publish(text: 1, .people, people: [1]))
        await isFound(.readsToAnyone, by: [.misread], in: [toThird, exchange(Self.anna), exchange(Self.ben)])
    }

    @Test func aPageThatSkipsIsFound() async {
        await isFound(.skipsBetweenPages, by: [.misread], in: (1...13).map(post) + [exchange(Self.anna)])
    }

    @Test func aPostThatWasAcknowledgedAndIsNotKeptIsFound() async {
        await isFound(.losesPosts, by: [.lost], in: (1...5).map(post) + [exchange(Self.anna)])
    }

    @Test(arguments: FeedMistake.allCases) func someSeedFindsIt(mistake: FeedMistake) async {
        let simulator = FeedSimulator(size: FeedWorldSize(people: 5, steps: 150), mistakes: [mistake])
        for seed: UInt64 in 1...10 {
            if await simulator.run(seed: seed).finding != nil { return }
        }
        Issue.record("\(mistake) was not found in ten worlds.")
    }

    @Test func aFailingScheduleBecomesSmall() async throws {
        let simulator = FeedSimulator(size: FeedWorldSize(people: 4, steps: 60), mistakes: [.losesPosts])
        var found: FeedSimulator.Failure?
        for seed: UInt64 in 1...10 where found == nil {
            found = await simulator.failure(ofSeed: seed, shrinking: 300)
        }
        let failure = try #require(found)
        #expect(failure.events == 60 && failure.schedule.count < 30, "\(failure.schedule)")
    }
}
