/// When the packs are tidied: all of them a few times a day, and between these what is dead as soon as the disk is short of room.
struct ReclaimCalendar {
    enum Due: Equatable {
        case nothing
        /// Everything: reclaiming, rewriting packs, compressing.
        case all
        /// What a disk without room needs: whatever is dead, at once.
        case dead
    }

    /// Seconds between two looks.
    static let look: Int64 = 5
    /// Lived seconds from the start to the first tidying.
    static let firstWait: Int64 = 60
    /// Lived seconds between two tidyings.
    private static let period: Int64 = 6 * 3600
    /// Lived seconds after a failure.
    private static let afterFailure: Int64 = 600
    /// A search for what is dead reads all that the database knows of the packs. It takes at most one part in so many of the time.
    private static let share: Int64 = 20

    private var nextAll: Int64
    private var nextDead: Int64 = .min

    /// - Parameter now: lived seconds.
    init(now: Int64) { nextAll = now + Self.firstWait }

    func due(at now: Int64, isShort: Bool) -> Due {
        if now >= nextAll { return .all }
        return isShort && now >= nextDead ? .dead : .nothing
    }

    mutating func ended(_ due: Due, from began: Int64, to now: Int64) {
        if due == .all { nextAll = began + Self.period }
        nextDead = now + (now - began) * Self.share
    }

    mutating func failed(_ due: Due, at now: Int64) {
        if due == .all { nextAll = now + Self.afterFailure }
        nextDead = now + Self.afterFailure
    }
}
