import BothyContract

/// What time it is. Handed in, so that tests and the simulated world own it.
package protocol ServerClock: Sendable {
    /// The calendar's time, which may jump.
    func now() -> Timestamp
    /// Seconds that the process has lived, which never jump: for everything that expires or purges.
    func uptimeSeconds() -> Double
}
