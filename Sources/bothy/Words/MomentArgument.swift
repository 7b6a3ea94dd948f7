import BothyClient
import BothyContract
import Foundation

/// A moment as a person types it: `2026-11-20 14:00`, `yesterday 9:30`, `2 hours ago`, RFC 3339, or the place in the
/// log that a restore told.
struct MomentArgument: Equatable, Sendable {
    var moment: RestoresRepository.Moment

    static let examples = "“2026-11-20 14:00”, “yesterday 9:30”, “2 hours ago” or 2026-11-20T14:00:00Z"

    /// - Parameters:
    ///   - now: what «ago» counts from.
    ///   - zone: the person's own, where the text names none.
    /// - Throws: a `Complaint` of wrong usage.
    init(_ text: String, now: Timestamp, zone: TimeZone = .current) throws(Complaint) {
        let words = text.trimmingCharacters(in: .whitespaces)
        if words.hasPrefix("c1.") {
            moment = .cursor(words)
        } else if let at = TypedTime(.past, now: now, zone: zone).read(words) {
            moment = .time(at)
        } else {
            throw .usage("“\(text)” is not a valid date and time.", remedy: "Write it like \(Self.examples).")
        }
    }
}
