import BothyClient
import BothyContract
import Foundation

/// Everything that screens say, in one language. Another language is another value of this; nothing else speaks.
public struct Words: Sendable {
    /// For the page's `lang`: BCP 47.
    public let language: String
    let phrases: [Phrase: String]
    let months: [String]
    /// Of bytes, each a thousand of the one before.
    public let units: [String]
    /// Of bytes, each 1024 of the one before: as limits are typed.
    let binaryUnits: [String]
    let counted: Counted
    let reasons: Reasons

    /// Phrases with something in them.
    struct Counted: Sendable {
        var number: @Sendable (Int) -> String
        var items: @Sendable (Int) -> String
        var selected: @Sendable (Int) -> String
        var select: @Sendable (String) -> String
        var used: @Sendable (_ used: String, _ limit: String?) -> String
        var made: @Sendable (String) -> String
        var trashed: @Sendable (Int) -> String
        var moving: @Sendable (Int) -> String
        var copying: @Sendable (Int) -> String
        var moved: @Sendable (Int) -> String
        var copied: @Sendable (Int) -> String
        var broughtBack: @Sendable (Int) -> String
        var deleted: @Sendable (Int) -> String
        var deleteLead: @Sendable (Int) -> String
        var deleteQuestion: @Sendable (Int) -> String
        var days: @Sendable (Int) -> String
        var seen: @Sendable (_ platform: String, _ date: String) -> String
        var signedOut: @Sendable (Int) -> String
        var putHere: @Sendable (_ date: String, _ leaves: String) -> String
        var version: @Sendable (_ size: String, _ device: String) -> String
        var unchanged: @Sendable (Int) -> String
        var date: @Sendable (_ day: Int, _ month: String, _ year: Int?) -> String
        var failed: @Sendable (ClientFailure) -> (text: String, remedy: String)
    }

    init(
        language: String, phrases: [Phrase: String], months: [String], units: [String], binaryUnits: [String],
        counted: Counted, reasons: Reasons
    ) {
        precondition(
            phrases.count == Phrase.allCases.count && months.count == 12 && units.count == 6 && binaryUnits.count == 5
                && reasons.isWhole, "a language says everything")
        self.language = language
        self.phrases = phrases
        self.months = months
        self.units = units
        self.binaryUnits = binaryUnits
        self.counted = counted
        self.reasons = reasons
    }

    public subscript(_ phrase: Phrase) -> String {
        guard let text = phrases[phrase] else { preconditionFailure("checked when the catalogue was made") }
        return text
    }

    /// A phrase with its gaps filled, “#1” by the first, “#2” by the second: «3 MB of 10 MB».
    public func filled(_ phrase: Phrase, _ values: String...) -> String {
        let parts = self[phrase].split(separator: "#", omittingEmptySubsequences: false)
        // Gap by gap: what a value says is never looked at again.
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            guard let gap = part.first?.wholeNumberValue, values.indices.contains(gap - 1) else {
                return text += "#" + part
            }
            text += values[gap - 1] + part.dropFirst()
        }
    }

    /// «3.2 MB of 10 MB · 1.2 MB/s · 6 s left».
    ///
    /// - Parameter rate: bytes a second, where it is known.
    public func progress(_ sent: Int64, of total: Int64, rate: Double?) -> String {
        let parts = [filled(.uploadSent, size(sent), size(total))]
        guard let rate, rate > 0 else { return parts[0] }
        let left = Int((Double(total - sent) / rate).rounded(.up))
        let time =
            switch left {
            case ..<60: filled(.secondsLeft, String(left))
            case ..<3600: filled(.minutesLeft, String((left + 59) / 60))
            default: filled(.hoursLeft, String((left + 3599) / 3600))
            }
        return (parts + [filled(.uploadRate, size(Int64(rate))), time]).joined(separator: " · ")
    }

    /// «12,345».
    public func number(_ number: Int) -> String { counted.number(number) }

    /// «12 items».
    public func items(_ count: Int) -> String { counted.items(count) }

    /// «3 selected».
    public func selected(_ count: Int) -> String { counted.selected(count) }

    /// «Select report.pdf», for people who hear the page.
    public func select(_ name: String) -> String { counted.select(name) }

    /// Two of one name: «There: 1.2 MB, changed 3 Nov 2026, 14:02», and the same of the new one.
    public func beside(
        _ there: FolderItem, size: Int64, modifiedAt: Timestamp, at clock: PersonsClock
    ) -> (there: String, new: String) {
        let changed = moment(there.modifiedAt, at: clock)
        return (
            there.isFolder
                ? filled(.nameTakenFolder, changed) : filled(.nameTakenThere, self.size(there.size), changed),
            filled(.nameTakenNew, self.size(size), moment(modifiedAt, at: clock))
        )
    }

    /// «“Photos” is there.»
    public func made(_ name: String) -> String { counted.made(name) }

    /// «3 items were moved to the trash.»
    public func trashed(_ count: Int) -> String { counted.trashed(count) }

    /// «Move 3 items».
    public func moving(_ count: Int) -> String { counted.moving(count) }

    /// «Copy 3 items».
    public func copying(_ count: Int) -> String { counted.copying(count) }

    /// «3 items were moved.»
    public func moved(_ count: Int) -> String { counted.moved(count) }

    /// «3 items were copied.»
    public func copied(_ count: Int) -> String { counted.copied(count) }

    /// «3 items were brought back.»
    public func broughtBack(_ count: Int) -> String { counted.broughtBack(count) }

    /// «3 items were deleted for good.»
    public func deleted(_ count: Int) -> String { counted.deleted(count) }

    /// «With every version of them. This cannot be undone.»
    public func deleteLead(_ count: Int) -> String { counted.deleteLead(count) }

    /// «Delete 3 items for good?»
    public func deleteQuestion(_ count: Int) -> String { counted.deleteQuestion(count) }

    /// «put here 20 Nov, goes in 12 days».
    public func inTrash(since moment: Timestamp, until end: Timestamp, at place: PersonsClock) -> String {
        // A day that has begun counts: what is there for thirty days does not go in twenty-nine.
        let days = Int((max(0, end.seconds - place.now.seconds) + 86_399) / 86_400)
        return counted.putHere(date(moment, at: place), counted.days(days))
    }

    /// «1.2 MB, from laptop».
    public func version(size bytes: Int64, from device: String?) -> String {
        counted.version(size(bytes), device.map { ShownName.of($0) } ?? self[.versionNoDevice])
    }

    /// «linux, seen 14:03».
    public func seen(_ platform: String, _ moment: Timestamp, at place: PersonsClock) -> String {
        counted.seen(platform, date(moment, at: place))
    }

    /// «web, signed in 14:03».
    public func signedIn(_ platform: String, _ moment: Timestamp, at place: PersonsClock) -> String {
        filled(.deviceSignedIn, platform, date(moment, at: place))
    }

    /// «3 devices were signed out.»
    public func signedOut(_ count: Int) -> String { counted.signedOut(count) }

    /// «120 lines are the same».
    public func unchanged(_ lines: Int) -> String { counted.unchanged(lines) }

    /// «1.2 GB of 10 GB used».
    public func used(_ quota: AboutResponse.Quota) -> String {
        counted.used(size(quota.used), quota.limit.map(size))
    }

    /// A number of bytes: «1.2 MB». Powers of 1000, as disks are sold.
    public func size(_ bytes: Int64) -> String {
        var (value, unit) = (Double(max(0, bytes)), 0)
        // 999.95 would be written “1000.0”.
        while unit < units.count - 1, value >= (unit == 0 ? 1000 : 999.95) {
            value /= 1000
            unit += 1
        }
        if unit == 0 || value >= 99.95 { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// «14:03» today, «20 Nov» this year, «20 Nov 2024» before.
    public func date(_ moment: Timestamp, at place: PersonsClock) -> String {
        let (then, now) = (place.civil(moment), place.civil(place.now))
        if (then.year, then.month, then.day) == (now.year, now.month, now.day) { return then.time }
        return counted.date(then.day, months[then.month - 1], then.year == now.year ? nil : then.year)
    }

    /// «now», «5 min», «3 h», «2 d»; from a week on, and for what is to come, the date.
    public func ago(_ moment: Timestamp, at place: PersonsClock) -> String {
        let minutes = (place.now.milliseconds - moment.milliseconds) / 60_000
        switch minutes {
        case ..<0: return minutes > -5 ? self[.agoNow] : date(moment, at: place)  // clocks differ a little
        case 0: return self[.agoNow]
        case ..<60: return filled(.agoMinutes, number(Int(minutes)))
        case ..<(24 * 60): return filled(.agoHours, number(Int(minutes / 60)))
        case ..<(7 * 24 * 60): return filled(.agoDays, number(Int(minutes / (24 * 60))))
        default:
            let (then, now) = (place.civil(moment), place.civil(place.now))
            return counted.date(then.day, months[then.month - 1], then.year == now.year ? nil : then.year)
        }
    }

    /// «20 Nov 2024, 14:03».
    public func moment(_ moment: Timestamp, at place: PersonsClock) -> String {
        let then = place.civil(moment)
        return counted.date(then.day, months[then.month - 1], then.year) + ", " + then.time
    }
}

/// What time it is for the person who looks.
public struct PersonsClock: Sendable {
    public var now: Timestamp
    public var zone: TimeZone

    public init(now: Timestamp, zone: TimeZone) {
        self.now = now
        self.zone = zone
    }

    struct Civil {
        var year: Int
        var month: Int
        var day: Int
        /// «14:03».
        var time: String
    }

    func civil(_ moment: Timestamp) -> Civil {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.seconds)))
        // `2026-11-20T14:03:…`, as long as years have four digits.
        let text = Array(moment.adding(seconds: Int64(offset)).rfc3339.utf8)
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        return Civil(
            year: number(0..<4), month: number(5..<7), day: number(8..<10),
            time: String(decoding: text[11..<16], as: UTF8.self))
    }
}

extension PersonsClock {
    /// A day and a time as the person's own clock has them: `2026-11-20T14:03` (HTML Living Standard §2.3.5.5).
    ///
    /// - Returns: nil for what is none. Of a time that the clock has twice, the first; one that it leaves out is as much later.
    public func moment(_ text: String) -> Timestamp? {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        guard (5...6).contains(parts.count), (1970...9999).contains(parts[0]) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let wanted = DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4])
        guard wanted.isValidDate(in: calendar) || isLeftOut(wanted, calendar), let date = calendar.date(from: wanted)
        else { return nil }
        return Timestamp(seconds: Int64(date.timeIntervalSince1970))
    }

    /// The hour that clocks jump over in spring.
    private func isLeftOut(_ wanted: DateComponents, _ calendar: Calendar) -> Bool {
        let (month, day, hour, minute) = (wanted.month ?? 0, wanted.day ?? 0, wanted.hour ?? -1, wanted.minute ?? -1)
        var noon = wanted
        noon.hour = 12
        return (1...12).contains(month) && (1...31).contains(day) && (0...23).contains(hour)
            && (0...59).contains(minute)
            && noon.isValidDate(in: calendar)
    }

    /// This moment in the same words.
    public var text: String {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(now.seconds)))
        return String(now.adding(seconds: Int64(offset)).rfc3339.prefix(16))
    }
}
