import BothyContract

/// What telling people stands on, where no ``Mutations`` are at hand.
package struct TellingGround: Sendable {
    private let clock: any ServerClock
    /// How long the server has lived, in seconds.
    let lived: @Sendable () -> Int64
    private let notifier: Notifier

    init(clock: any ServerClock, lived: @escaping @Sendable () -> Int64, notifier: Notifier) {
        self.clock = clock
        self.lived = lived
        self.notifier = notifier
    }

    func telling(_ db: any SQLConnection, actor: Int64, to hearers: FeedHearers) -> Telling {
        Telling(db, now: clock.now(), lived: lived(), actor: actor, to: hearers)
    }

    func wake(_ hearers: FeedHearers) async { await hearers.wake(by: notifier) }
}
