/// `bytes first-last/total` of RFC 9110 §14.4, bytes counted from 0, both ends included.
public struct ContentRange: Equatable, Sendable {
    public var first: Int64
    public var last: Int64
    /// Absent for `*`.
    public var total: Int64?

    public init(first: Int64, last: Int64, total: Int64?) {
        self.first = first
        self.last = last
        self.total = total
    }

    /// Bytes, at least 1.
    public var length: Int64 { last - first + 1 }

    /// As the header has it.
    public var text: String { "bytes \(first)-\(last)/\(total.map(String.init) ?? "*")" }

    /// - Returns: nil for another unit, signs, blanks, numbers past 63 bits, an end before the start or past the total.
    public init?(text: some StringProtocol) {
        let prefix = "bytes "
        guard text.hasPrefix(prefix) else { return nil }
        let halves = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            // One byte more than 63 bits can count.
            last < .max
        else { return nil }
        if halves[1] == "*" {
            self.init(first: first, last: last, total: nil)
        } else {
            guard let total = Self.number(halves[1]), last < total else { return nil }
            self.init(first: first, last: last, total: total)
        }
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.count <= 19, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
