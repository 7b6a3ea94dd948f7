/// Waits for more of what goes: who deletes much, deletes one thing after the other, and a look in the middle sees a few.
///
/// What was deleted on one side goes on the other once nothing more has gone for `quiet`, so that a guard judges all of it. What
/// goes on and on waits no longer than `longest`: what a guard allows of that is little.
///
/// Pure: how late it is is told.
package struct DeletionLull: Equatable, Sendable {
    /// Seconds. More than any `rm` takes from one file to the next, and less than a person waits for.
    package static let quiet = 0.5
    /// Seconds, of what was deleted elsewhere: it has waited there, and comes as fast as the server takes it.
    package static let quietFromElsewhere = 0.25
    /// Seconds.
    package static let longest = 30.0

    /// Seconds without a further deletion that end it.
    private let quiet: Double
    /// When this look is, in uptime.
    private var now = 0.0
    /// Files and folders that were to go at the last look.
    private var count = 0
    /// When the first of them was missed, and when the last, in uptime.
    private var since = 0.0
    private var grewAt = 0.0

    package init(quiet: Double = quiet) { self.quiet = quiet }

    /// The same for a look at this moment, in seconds of uptime.
    package func at(_ uptime: Double) -> DeletionLull {
        var lull = self
        lull.now = uptime
        return lull
    }

    /// Takes in how many are to go by this look.
    package mutating func note(_ planned: Int) {
        if count == 0 { since = now }
        if planned > count { grewAt = now }
        count = planned
    }

    /// So many have gone; those that are left have waited.
    package mutating func went(_ gone: Int) { count = max(0, count - gone) }

    /// Whether what is to go waits still.
    package var isWaiting: Bool { secondsLeft != nil }

    /// Until it goes, if nothing more is deleted; nil where nothing waits.
    package var secondsLeft: Double? {
        guard count > 0 else { return nil }
        let left = min(quiet - (now - grewAt), Self.longest - (now - since))
        return left > 0 ? left : nil
    }
}

/// Both sides' lulls.
package struct DeletionLulls: Equatable, Sendable {
    private var sides: [Guard.Direction: DeletionLull] = [
        .here: DeletionLull(quiet: DeletionLull.quietFromElsewhere), .onTheServer: DeletionLull(),
    ]

    package init() {}

    /// The same for a look at this moment, in seconds of uptime.
    package func at(_ uptime: Double) -> DeletionLulls {
        var lulls = self
        lulls.sides = sides.mapValues { $0.at(uptime) }
        return lulls
    }

    /// Takes in how many are to go on a side by this look.
    package mutating func note(_ planned: Int, _ direction: Guard.Direction) { sides[direction]?.note(planned) }

    /// What has gone by these actions; those that are left have waited.
    package mutating func went(_ actions: [Action]) {
        for direction in sides.keys { sides[direction]?.went(Guard.deletions(actions, direction)) }
    }

    package func isWaiting(_ direction: Guard.Direction) -> Bool { sides[direction]?.isWaiting ?? false }

    /// Whether anything that is to go waits still.
    package var isWaiting: Bool { secondsLeft != nil }

    /// Until the first of what waits goes, if nothing more is deleted; nil where nothing waits.
    package var secondsLeft: Double? { sides.values.compactMap(\.secondsLeft).min() }
}
