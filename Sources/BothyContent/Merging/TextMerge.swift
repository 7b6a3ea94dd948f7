/// Three-way merge of texts, line by line: diff3 as S. Khanna, K. Kunal and B. C. Pierce describe it («A formal
/// investigation of diff3», 2007).
///
/// What only one side changed is taken from that side; what both changed in the same way is taken once. Where changes overlap, or
/// touch, there is no merge: no markers are ever written into a person's file.
package enum TextMerge {
    /// Bytes of the largest text that is merged.
    package static let mostBytes: Int64 = 4 << 20

    package enum Result: Equatable, Sendable {
        case merged([UInt8])
        /// Both sides changed the same lines, or lines that touch.
        case overlap
        /// One of the three is no text, or too large, or too much of it differs.
        case notForMerging
    }

    package static func merge(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> Result {
        guard [base, mine, theirs].allSatisfy(isText) else { return .notForMerging }
        if mine == theirs || theirs == base { return .merged(mine) }
        if mine == base { return .merged(theirs) }
        var names = LineNames()
        let (old, left, right) = (names.lines(base), names.lines(mine), names.lines(theirs))
        guard let toLeft = LineDiff.matches(old.names, left.names),
            let toRight = LineDiff.matches(old.names, right.names)
        else { return .notForMerging }
        return weave(old, left, right, toLeft, toRight)
    }

    /// UTF-8 without NUL, as most tools tell.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.count <= mostBytes && !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Lines that all three have are fixed points; between two of them at most one side may differ from the base.
    private static func weave(
        _ old: Lines, _ left: Lines, _ right: Lines, _ toLeft: [(old: Int, new: Int)], _ toRight: [(old: Int, new: Int)]
    ) -> Result {
        let inLeft = Dictionary(uniqueKeysWithValues: toLeft.map { ($0.old, $0.new) })
        let inRight = Dictionary(uniqueKeysWithValues: toRight.map { ($0.old, $0.new) })
        let fixed = old.names.indices.compactMap { line in
            inLeft[line].flatMap { left in inRight[line].map { (old: line, left: left, right: $0) } }
        }
        var woven: [UInt8] = []
        var at = (old: 0, left: 0, right: 0)
        for point in fixed + [(old.names.count, left.names.count, right.names.count)] {
            let base = old.names[at.old..<point.old]
            let (mine, theirs) = (left.names[at.left..<point.left], right.names[at.right..<point.right])
            if mine == theirs || theirs == base {
                woven += left.bytes(at.left..<point.left)
            } else if mine == base {
                woven += right.bytes(at.right..<point.right)
            } else {
                return .overlap
            }
            if point.old < old.names.count { woven += old.bytes(point.old..<(point.old + 1)) }
            at = (point.old + 1, point.left + 1, point.right + 1)
        }
        return .merged(woven)
    }
}

/// A text's lines, each with its end of line, by numbers that are the same for the same line.
private struct Lines {
    let text: [UInt8]
    /// Where each begins, and the end.
    let starts: [Int]
    let names: [Int32]

    func bytes(_ lines: Range<Int>) -> ArraySlice<UInt8> { text[starts[lines.lowerBound]..<starts[lines.upperBound]] }
}

private struct LineNames {
    private var numbers: [ArraySlice<UInt8>: Int32] = [:]

    mutating func lines(_ text: [UInt8]) -> Lines {
        var starts = [0]
        var names: [Int32] = []
        while starts[starts.count - 1] < text.count {
            let start = starts[starts.count - 1]
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
            let next = Int32(numbers.count)
            let number = numbers[text[start..<end]] ?? next
            numbers[text[start..<end]] = number
            names.append(number)
            starts.append(end)
        }
        return Lines(text: text, starts: starts, names: names)
    }
}
