import BothyContract
import Foundation

/// When a post shall come out, as a person types it: `2026-12-24 18:00`, `tomorrow 8:00`, `18:00`, `in 2 hours`, or RFC 3339.
struct ScheduleArgument: Equatable, Sendable {
    var time: Timestamp

    static let examples = "“2026-12-24 18:00”, “tomorrow 8:00”, “in 2 hours” or 2026-12-24T18:00:00Z"

    /// - Parameters:
    ///   - zone: the person's own, where the text names none.
    ///   - atOnce: how to have it posted now, in a sentence.
    /// - Throws: a `Complaint` of wrong usage for what is no time, and for one in the past.
    init(
        _ text: String, now: Timestamp, zone: TimeZone = .current, atOnce: String = "Without “--at” it is posted now."
    ) throws(Complaint) {
        // What can only be read as before now is a time, too.
        guard
            let time = TypedTime(.future, now: now, zone: zone).read(text)
                ?? TypedTime(.past, now: now, zone: zone).read(text)
        else {
            throw .usage("“\(text)” is not a valid time.", remedy: "Write it like \(Self.examples).")
        }
        guard time > now else {
            throw .usage("“\(text)” is in the past.", remedy: atOnce)
        }
        self.time = time
    }
}
