/// How a content is shown without what cameras write: which of its bytes stay, and what stands in the place of others.
package struct CleaningPlan: Equatable, Sendable {
    package enum Piece: Equatable, Sendable {
        /// Bytes of the content as they are.
        case kept(Range<Int64>)
        case written([UInt8])
        /// So many bytes of zero.
        case blank(Int64)

        package var count: Int64 {
            switch self {
            case .kept(let range): Int64(range.count)
            case .written(let bytes): Int64(bytes.count)
            case .blank(let count): count
            }
        }
    }

    package private(set) var pieces = [Piece]()

    package init() {}

    /// Leaves a content of `size` bytes as it is, except for some ranges that it blanks.
    ///
    /// - Parameter edits: ranges with what stands at their beginning; the rest of each is zero. In any order; where two overlap, the first counts.
    init(size: Int64, edits: [(range: Range<Int64>, head: [UInt8])]) {
        var place: Int64 = 0
        for edit in edits.sorted(by: {
            ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
        }) {
            let end = min(size, edit.range.upperBound)
            guard edit.range.lowerBound >= place else {
                // Of one that reaches beyond another, the rest is blank.
                blank(end - place)
                place = max(place, end)
                continue
            }
            guard edit.range.lowerBound < end else { continue }
            keep(place..<edit.range.lowerBound)
            let head = Array(edit.head.prefix(Int(end - edit.range.lowerBound)))
            write(head)
            blank(end - edit.range.lowerBound - Int64(head.count))
            place = end
        }
        keep(place..<max(place, size))
    }

    mutating func keep(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        if case .kept(let last) = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .kept(last.lowerBound..<range.upperBound)
        } else {
            pieces.append(.kept(range))
        }
    }

    mutating func keep(_ range: Range<Int>) { keep(Int64(range.lowerBound)..<Int64(range.upperBound)) }

    mutating func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { pieces.append(.written(bytes)) }
    }

    private mutating func blank(_ count: Int64) {
        if count > 0 { pieces.append(.blank(count)) }
    }

    /// Bytes of what is shown.
    package var size: Int64 { pieces.reduce(0) { $0 + $1.count } }

    /// Whether nothing of a content of `size` bytes is left out.
    package func keepsAll(of size: Int64) -> Bool { pieces == (size > 0 ? [.kept(0..<size)] : []) }

    /// What a range of it is made of.
    ///
    /// - Parameter range: within 0 and ``size``.
    package func pieces(in range: Range<Int64>) -> [Piece] {
        var (start, found) = (Int64(0), [Piece]())
        for piece in pieces {
            let overlap = range.clamped(to: start..<start + piece.count)
            if !overlap.isEmpty {
                let (from, to) = (overlap.lowerBound - start, overlap.upperBound - start)
                switch piece {
                case .kept(let kept): found.append(.kept(kept.lowerBound + from..<kept.lowerBound + to))
                case .written(let bytes): found.append(.written(Array(bytes[Int(from)..<Int(to)])))
                case .blank: found.append(.blank(to - from))
                }
            }
            start += piece.count
        }
        return found
    }

    /// The whole of it, for what is in memory.
    package func apply(to content: [UInt8]) -> [UInt8] {
        pieces.reduce(into: []) { cleaned, piece in
            switch piece {
            case .kept(let range): cleaned += content[Int(range.lowerBound)..<Int(range.upperBound)]
            case .written(let bytes): cleaned += bytes
            case .blank(let count): cleaned += repeatElement(0, count: Int(count))
            }
        }
    }
}
