import BothyClient
import BothyContract
import Testing

@Suite struct WakeMachineTests {
    /// A way to the server as networks and middle boxes make it.
    struct Network {
        /// Seconds that a stream lives; nil for ever.
        var streamLife: Double?
        /// The greeting does not come through.
        var holdsBack = false
        var refusesStreams: ClientFailure?
        /// Seconds that a request may stand still.
        var longestRequest = 3600.0
        var failureOfLongRequests = ClientFailure(.offline, "The connection was cut.")
        var away: Range<Double> = 0..<0
    }

    struct Life {
        var asked = 0
        /// Seconds in which a change would have been heard of at once, or with the next question.
        var hearing = 0.0
        var way = WakeMachine.Way.stream
        var ways = Set<WakeMachine.Way>()
        var longestRest = 0.0
        /// When the last stream greeted.
        var lastGreeting = 0.0
    }

    static func live(_ network: Network, seconds: Double = 7200, chance: Double = 0.5) throws -> Life {
        var machine = WakeMachine()
        var life = Life()
        var now = 0.0
        var greeted: Double?
        func handle(_ event: WakeMachine.Event) throws { try machine.handle(event, now: now, chance: chance) }
        while now < seconds {
            let step = machine.step(now: now)
            life.ways.insert(machine.way)
            let isAway = network.away.contains(now)
            switch step {
            case .rest(let rest):
                #expect(rest <= RetryPolicy.longestAsked)
                life.longestRest = max(life.longestRest, rest)
                now += rest
                try handle(.rested)
            case .listen:
                if greeted == nil { life.asked += 1 }
                if isAway {
                    try handle(.streamEnded(ClientFailure(.offline, "away"), lived: greeted.map { now - $0 } ?? 0))
                    greeted = nil
                } else if let refusal = network.refusesStreams {
                    try handle(.streamEnded(refusal, lived: 0))
                } else if network.holdsBack {
                    now += 5
                    try handle(.mute)
                } else if let begun = greeted {
                    let untilCut = network.streamLife.map { begun + $0 - now } ?? 10
                    let untilAway = network.away.lowerBound > now ? network.away.lowerBound - now : .infinity
                    let alive = max(0, min(untilCut, untilAway, 10))
                    now += alive
                    life.hearing += alive
                    if let streamLife = network.streamLife, now - begun >= streamLife {
                        try handle(.streamEnded(nil, lived: now - begun))
                        greeted = nil
                    }
                } else {
                    greeted = now
                    life.lastGreeting = now
                    try handle(.greeted)
                }
            case .wait(let wait):
                #expect((1...50).contains(wait))
                life.asked += 1
                if isAway {
                    try handle(.waitFailed(ClientFailure(.offline, "away"), lived: 0))
                } else if Double(wait) > network.longestRequest {
                    now += network.longestRequest
                    life.hearing += network.longestRequest
                    try handle(.waitFailed(network.failureOfLongRequests, lived: network.longestRequest))
                } else {
                    now += Double(wait)
                    life.hearing += Double(wait)
                    try handle(.answered(changed: false, backoff: nil))
                }
            }
        }
        life.way = machine.way
        return life
    }

    @Test func whereNothingIsInTheWayOneStreamIsAllThatIsAskedFor() throws {
        let life = try Self.live(Network())
        #expect(life.asked == 1)
        #expect(life.ways == [.stream])
    }

    @Test func aStreamThatIsCutEveryMinuteIsOpenedAgainAndKept() throws {
        let life = try Self.live(Network(streamLife: 60))
        #expect(life.ways == [.stream])
        #expect(life.hearing > 7200 * 0.98)
    }

    @Test func aProxyThatHoldsStreamsBackIsMetByLongPolls() throws {
        let life = try Self.live(Network(holdsBack: true))
        #expect(life.way == .longPoll)
        #expect(life.hearing > 7200 * 0.98)
        #expect(life.asked < 7200 / 50 * 2)
    }

    @Test func streamsThatAreCutAtOnceAreGivenUpForAWhile() throws {
        let life = try Self.live(Network(streamLife: 2))
        #expect(life.way == .longPoll)
        #expect(life.hearing > 7200 * 0.95)
    }

    @Test(arguments: [
        ClientFailure(status: 404), ClientFailure(status: 405), ClientFailure(status: 504), ClientFailure(status: 429),
        ClientFailure(.answerInvalid, "A page came."),
    ])
    func streamsThatAreRefusedAreMetByLongPolls(_ refusal: ClientFailure) throws {
        let life = try Self.live(Network(refusesStreams: refusal))
        #expect(life.way == .longPoll)
        #expect(life.hearing > 7200 * 0.98)
    }

    @Test(arguments: [ClientFailure(.offline, "cut"), ClientFailure(status: 504)])
    func longPollsBecomeAsShortAsGetsThrough(_ cut: ClientFailure) throws {
        let life = try Self.live(Network(holdsBack: true, longestRequest: 20, failureOfLongRequests: cut))
        #expect(life.way == .longPoll)
        #expect(life.hearing > 7200 * 0.95)
    }

    @Test func whereNothingMayStandStillItIsAskedNowAndThen() throws {
        let life = try Self.live(Network(holdsBack: true, longestRequest: 6))
        #expect(life.ways.contains(.poll))
        #expect(life.longestRest == 60)
        #expect(life.asked < 7200 / 40)
    }

    @Test func afterAnOutageTheStreamComesBack() throws {
        let life = try Self.live(Network(away: 100..<1000))
        #expect(life.way == .stream)
        // Looking whether the network is back is bounded by ten seconds each, and so is missing it.
        #expect(life.hearing > 7200 - 900 - 15)
        #expect(life.asked > 900 / 10)
        #expect(life.lastGreeting < 1000 + 15)
    }

    @Test(arguments: [0, 0.5, 0.99]) func aServerThatIsStartedAnewIsHeardAgainInAMoment(_ chance: Double) throws {
        for length in stride(from: 1.0, through: 300, by: 7) {
            let life = try Self.live(Network(away: 100..<100 + length), seconds: 600, chance: chance)
            #expect(life.way == .stream)
            // A look, and where streams came to nothing meanwhile, a short question before the next.
            #expect(life.lastGreeting <= 100 + length + 2)
        }
    }

    @Test func aServerThatAsksToBeLeftAloneIs() throws {
        var machine = WakeMachine()
        try machine.handle(.streamEnded(ClientFailure(status: 429), lived: 0), now: 0, chance: 0.5)
        #expect(machine.step(now: 0) == .wait(seconds: 50))
        try machine.handle(.answered(changed: false, backoff: 30), now: 0, chance: 0.5)
        #expect(machine.step(now: 0) == .rest(seconds: 30))
        try machine.handle(.answered(changed: false, backoff: .max), now: 0, chance: 0.5)
        #expect(machine.step(now: 0) == .rest(seconds: RetryPolicy.longestAsked), "nobody makes a device deaf for good")
        try machine.handle(.answered(changed: false, backoff: 30), now: 0, chance: 0.5)
        try machine.handle(.rested, now: 30, chance: 0.5)
        #expect(machine.step(now: 30) == .wait(seconds: 50))
    }

    @Test func whatTimeDoesNotHealIsThrown() {
        for failure in [
            ClientFailure(.signInNeeded, "no"), ClientFailure(Problem(.cursorExpired, "another past")),
        ] {
            for event in [
                WakeMachine.Event.streamEnded(failure, lived: 0), .waitFailed(failure, lived: 0),
            ] {
                var machine = WakeMachine()
                #expect(throws: ClientFailure.self) { try machine.handle(event, now: 0, chance: 0.5) }
            }
        }
    }

    @Test func aHotelsSignInPageIsWaitedOut() throws {
        var machine = WakeMachine()
        try machine.handle(.streamEnded(ClientFailure(status: 302), lived: 0), now: 0, chance: 0.5)
        try machine.handle(.waitFailed(ClientFailure(status: 302), lived: 0), now: 0, chance: 0.5)
        #expect(machine.failure?.code == .redirected)
        guard case .rest = machine.step(now: 0) else { return #expect(Bool(false), "it should rest") }
    }
}
