/// How fast files are saved here: what is saved again and again would be a version each time.
///
/// The first `most` saves of a file within `span` are sent as they come. From then on it waits until nobody has touched it for
/// `quiet`, or until one of those is longer ago than the span: so one that never comes to rest is sent all the same, `most` times
/// in each span.
package struct SavePace: Sendable {
    /// More than a person saves a file in ten seconds.
    package static let most = 10
    /// Seconds.
    package static let span = 10.0
    /// Seconds.
    package static let quiet = 1.0

    /// When each file was sent within the span, in uptime.
    private var sent: [Place: [Double]] = [:]

    package init() {}

    /// A new version of a file was sent.
    ///
    /// - Parameter uptime: seconds.
    package mutating func note(_ place: Place, at uptime: Double) { sent[place, default: []].append(uptime) }

    /// Files that are not sent before they are quiet.
    ///
    /// - Parameter uptime: seconds.
    package mutating func restless(at uptime: Double) -> Set<Place> {
        if sent.isEmpty { return [] }
        sent = sent.compactMapValues { moments in
            let left = moments.filter { uptime - $0 < Self.span }
            return left.isEmpty ? nil : left
        }
        return Set(sent.lazy.filter { $0.value.count >= Self.most }.map(\.key))
    }
}
