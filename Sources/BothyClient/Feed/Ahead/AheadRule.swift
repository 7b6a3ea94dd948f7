/// Whether this is a time for fetching what nobody has asked for yet: it costs nobody anything.
package enum AheadRule {
    /// Percent of a battery above which it is used for that.
    private static let enough = 50

    /// - Parameter isMetered: whether the network costs by what goes through it; nil where nobody tells.
    package static func allows(_ power: PowerReading, isMetered: Bool?) -> Bool {
        guard isMetered != true else { return false }
        guard power.isOnBattery else { return true }
        // What does not say how full it is may be nearly empty.
        return power.charge.map { $0 > enough } ?? false
    }
}
