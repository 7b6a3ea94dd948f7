import Foundation

/// A moment in UTC to the nanosecond, from year 0000 to year 9999, written as RFC 3339.
///
/// The wire writes milliseconds (`.042Z`), and up to nine digits where there is something finer to tell
/// (`modifiedAt` is a file's own time, and disks keep nanoseconds).
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    public let seconds: Int64
    /// 0 to 999,999,999, counted forward from `seconds` also before 1970.
    public let nanoseconds: Int32

    /// 0000-01-01T00:00:00Z.
    public static let firstSecond: Int64 = -62_167_219_200
    /// 9999-12-31T23:59:59Z.
    public static let lastSecond: Int64 = 253_402_300_799

    /// - Parameter nanoseconds: 0 to 999,999,999. Years outside 0000–9999 are clamped to that range.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        precondition((0..<1_000_000_000).contains(nanoseconds), "nanoseconds count forward, below a second")
        self.seconds = min(max(seconds, Self.firstSecond), Self.lastSecond)
        self.nanoseconds = nanoseconds
    }

    public init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.flooredQuotientAndRemainder(dividingBy: 1000)
        self.init(seconds: seconds, nanoseconds: Int32(rest) * 1_000_000)
    }

    /// Milliseconds since 1970, rounded down.
    public var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// Clamped to the years 0000–9999.
    public func adding(seconds: Int64) -> Timestamp {
        Timestamp(seconds: self.seconds + seconds, nanoseconds: nanoseconds)
    }

    /// Whole seconds from `earlier` to here, negative when `earlier` is later.
    public func seconds(since earlier: Timestamp) -> Int64 { seconds - earlier.seconds }
}

// MARK: - RFC 3339

extension Timestamp: CustomStringConvertible {
    public var description: String { rfc3339 }

    /// In UTC, with three fraction digits, or six or nine where there is something finer to tell.
    public var rfc3339: String {
        let (days, second) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = Self.civil(fromDays: days)
        return String(unsafeUninitializedCapacity: Self.longestText) { bytes in
            var text = DigitWriter(bytes)
            text.put(year, 4, then: "-")
            text.put(month, 2, then: "-")
            text.put(day, 2, then: "T")
            text.put(second / 3600, 2, then: ":")
            text.put(second / 60 % 60, 2, then: ":")
            text.put(second % 60, 2, then: ".")
            if nanoseconds % 1_000_000 == 0 {
                text.put(Int64(nanoseconds / 1_000_000), 3, then: "Z")
            } else if nanoseconds % 1000 == 0 {
                text.put(Int64(nanoseconds / 1000), 6, then: "Z")
            } else {
                text.put(Int64(nanoseconds), 9, then: "Z")
            }
            return text.count
        }
    }

    /// Bytes of `2026-11-20T14:00:00.000000000Z`.
    private static let longestText = 30

    /// Reads RFC 3339 with `Z` or an offset, any number of fraction digits (those past nine are dropped).
    ///
    /// - Returns: nil for what is not a date-time of RFC 3339; a leap second reads as the second after it.
    public init?(rfc3339 text: some StringProtocol) { self.init(rfc3339UTF8: text.utf8) }

    /// The same, of a text's bytes.
    package init?(rfc3339UTF8 bytes: some Collection<UInt8>) {
        var scanner = DigitScanner(bytes)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var nanoseconds: Int32 = 0
        if scanner.skip(".") {
            guard let fraction = scanner.fraction() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
        let days = Self.days(fromCivil: year, month, day)
        guard Self.civil(fromDays: days) == (year, month, day) else { return nil }
        let total = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        guard (Self.firstSecond...Self.lastSecond).contains(total) else { return nil }
        self.init(seconds: total, nanoseconds: nanoseconds)
    }

    /// Howard Hinnant, «chrono-compatible low-level date algorithms»: days since 1970-01-01 to a civil date.
    private static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.flooredQuotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(rfc3339: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a time of RFC 3339, such as 2026-11-20T14:00:00.000Z")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}

/// Writes fixed-width decimal numbers into a string that is being made.
private struct DigitWriter {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func put(_ value: Int64, _ width: Int, then separator: Unicode.Scalar) {
        var rest = value
        for index in stride(from: count + width - 1, through: count, by: -1) {
            bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        bytes[count + width] = UInt8(ascii: separator)
        count += width + 1
    }
}

/// Reads fixed-width decimal numbers off a string's bytes.
private struct DigitScanner<Bytes: Collection<UInt8>> {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func number(_ width: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func fraction() -> Int32? {
        var value: Int32 = 0
        var count = 0
        while let digit = digit() {
            if count < 9 { value = value * 10 + Int32(digit) }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 9)..<9 { value *= 10 }
        return value
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

extension Int64 {
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
