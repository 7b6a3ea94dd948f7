import BothyContent

/// Two texts side by side in time, line by line: what was taken out, what was put in, and a little of what stayed around
/// it.
public struct TextComparison: Equatable, Sendable {
    public struct Line: Equatable, Sendable {
        public enum Kind: String, Sendable { case same, removed, added }

        public var kind: Kind
        /// Without its end of line.
        public var text: String
        /// Its place in each text, from 1; nil in the one that lacks it.
        public var oldNumber: Int?
        public var newNumber: Int?

        public init(kind: Kind, text: String, oldNumber: Int?, newNumber: Int?) {
            self.kind = kind
            self.text = text
            self.oldNumber = oldNumber
            self.newNumber = newNumber
        }
    }

    /// Neighbours.
    public struct Part: Equatable, Sendable {
        /// Lines before it that are the same and not shown.
        public var skipped: Int
        public var lines: [Line]

        public init(skipped: Int, lines: [Line]) {
            self.skipped = skipped
            self.lines = lines
        }
    }

    /// Why two contents are not compared.
    public enum Refusal: Error, Equatable, Sendable {
        /// One of them is no UTF-8 text.
        case notText
        case tooLarge
        /// Too much of it: a list of differences would be both texts.
        case tooDifferent
    }

    /// Bytes of each text; time and memory stay small.
    public static let mostBytes = 1 << 20

    public var parts: [Part]
    public var added: Int
    public var removed: Int
    /// The same lines after the last part.
    public var skippedAtEnd: Int

    public var isSame: Bool { parts.isEmpty }

    /// - Parameter around: lines that stayed, shown on each side of what did not.
    /// - Throws: ``Refusal``.
    public init(old: [UInt8], new: [UInt8], around: Int = 3) throws(Refusal) {
        guard old.count <= Self.mostBytes, new.count <= Self.mostBytes else { throw .tooLarge }
        guard let before = Self.lines(old), let after = Self.lines(new) else { throw .notText }
        // By their bytes: letters that only look the same are not.
        var numbers = [ArraySlice<UInt8>: Int32]()
        func names(_ lines: [ArraySlice<UInt8>]) -> [Int32] {
            lines.map { line in
                let number = numbers[line] ?? Int32(numbers.count)
                numbers[line] = number
                return number
            }
        }
        guard let matches = LineDiff.matches(names(before), names(after)) else { throw .tooDifferent }
        let whole = Self.weave(before, after, matches)
        added = whole.count { $0.kind == .added }
        removed = whole.count { $0.kind == .removed }
        (parts, skippedAtEnd) = Self.cut(whole, around: around)
    }

    /// Every line of both, in order; at one place what was taken out comes before what was put in.
    private static func weave(
        _ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>], _ matches: [(old: Int, new: Int)]
    ) -> [Line] {
        var lines = [Line]()
        var (left, right) = (0, 0)
        for match in matches + [(old: old.count, new: new.count)] {
            while left < match.old {
                lines.append(Line(kind: .removed, text: shown(old[left]), oldNumber: left + 1, newNumber: nil))
                left += 1
            }
            while right < match.new {
                lines.append(Line(kind: .added, text: shown(new[right]), oldNumber: nil, newNumber: right + 1))
                right += 1
            }
            guard left < old.count, right < new.count else { break }
            lines.append(
                Line(kind: .same, text: shown(old[left]), oldNumber: left + 1, newNumber: right + 1))
            (left, right) = (left + 1, right + 1)
        }
        return lines
    }

    private static func cut(_ lines: [Line], around: Int) -> (parts: [Part], skippedAtEnd: Int) {
        var parts = [Part]()
        var end = 0
        var place = 0
        while let change = lines[place...].firstIndex(where: { $0.kind != .same }) {
            let start = max(end, change - around)
            if parts.isEmpty || start > end {
                parts.append(Part(skipped: start - end, lines: Array(lines[start..<change])))
            } else {
                parts[parts.count - 1].lines += lines[end..<change]
            }
            place = lines[change...].firstIndex { $0.kind == .same } ?? lines.count
            end = min(place + around, lines.count)
            parts[parts.count - 1].lines += lines[change..<end]
            // What stayed may end where the next change begins.
            if let next = lines[place..<end].firstIndex(where: { $0.kind != .same }) {
                parts[parts.count - 1].lines.removeLast(end - next)
                end = next
            }
            place = end
        }
        return (parts, lines.count - end)
    }

    /// - Returns: nil for what is no text.
    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var lines = [ArraySlice<UInt8>]()
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }

    private static func shown(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == UInt8(ascii: "\n") ? line.dropLast() : line, as: UTF8.self)
    }
}
