import BothyContract

/// The person's own word: automatic work is held on this device. What is typed outright still runs.
public struct DevicePause: Codable, Equatable, Sendable {
    /// When it ends by itself; nil for when the person says so.
    public var until: Timestamp?

    public init(until: Timestamp?) { self.until = until }

    /// The settings' text: a time, or `on`.
    package init?(text: String, now: Timestamp) {
        if text == Self.forGood {
            self.init(until: nil)
        } else if let until = Timestamp(rfc3339: text), until > now {
            self.init(until: until)
        } else {
            return nil
        }
    }

    package var text: String { until?.rfc3339 ?? Self.forGood }

    private static let forGood = "on"
}
