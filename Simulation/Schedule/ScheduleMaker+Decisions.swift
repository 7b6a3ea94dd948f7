/// What people decide where a policy leaves that to them.
extension ScheduleMaker {
    /// One event in this many is a decision.
    private static let rarityOfDecisions = 16

    /// - Parameter start: what comes before stays as it is.
    mutating func withDecisions(_ events: [Event], from start: Int) -> [Event] {
        events.indices.map { index in
            guard index >= start, roll(Self.rarityOfDecisions) == 0 else { return events[index] }
            return .decide(device: device(), thing: pick(), choice: pick())
        }
    }
}
