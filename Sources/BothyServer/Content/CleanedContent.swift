import BothyContent
import NIOCore

/// Reads a content as a ``CleaningPlan`` shows it, piece by piece: what lies between two pieces that are kept is read over.
struct CleanedContent: Sendable {
    let content: StoredContent
    let plan: CleaningPlan
    let reader: ContentReader

    /// A range of which the first piece was read.
    struct Opened: Sendable {
        fileprivate var source: ContentReader.Opened
        fileprivate var cut: Cut
    }

    /// - Parameter range: of what is shown.
    /// - Throws: as ``ContentReader/open(_:range:reading:)``.
    func open(_ range: Range<Int64>) async throws -> Opened {
        let pieces = plan.pieces(in: range)
        let kept = pieces.compactMap { piece -> Range<Int64>? in
            if case .kept(let range) = piece { range } else { nil }
        }
        let source = (kept.first?.lowerBound ?? 0)..<(kept.last?.upperBound ?? 0)
        return Opened(
            source: try await reader.open(content, range: source),
            cut: Cut(pieces: pieces[...], place: source.lowerBound))
    }

    /// Hands on everything, in order.
    ///
    /// - Throws: as ``ContentReader/send(_:to:)``.
    func send(_ opened: Opened, to send: (ByteBuffer) async throws -> Void) async throws {
        var cut = opened.cut
        try await reader.send(opened.source) { bytes in try await cut.take(bytes, to: send) }
        try await cut.end(to: send)
    }

    /// Makes of a content's bytes, as they come, what is shown of them.
    fileprivate struct Cut: Sendable {
        private static let zeros = ByteBuffer(repeating: 0, count: 64 << 10)

        /// Those that are not handed on yet.
        var pieces: ArraySlice<CleaningPlan.Piece>
        /// Where in the content the next bytes lie.
        var place: Int64

        mutating func take(_ bytes: ByteBuffer, to send: (ByteBuffer) async throws -> Void) async throws {
            let end = place + Int64(bytes.readableBytes)
            defer { place = end }
            try await write(to: send)
            while case .kept(let range) = pieces.first, range.lowerBound < end {
                let part = range.clamped(to: place..<end)
                if let slice = bytes.getSlice(
                    at: bytes.readerIndex + Int(part.lowerBound - place), length: part.count)
                {
                    try await send(slice)
                }
                guard range.upperBound <= end else {
                    pieces[pieces.startIndex] = .kept(end..<range.upperBound)
                    return
                }
                pieces.removeFirst()
                try await write(to: send)
            }
        }

        mutating func end(to send: (ByteBuffer) async throws -> Void) async throws { try await write(to: send) }

        /// What stands next and is none of the content's own.
        private mutating func write(to send: (ByteBuffer) async throws -> Void) async throws {
            while let piece = pieces.first {
                switch piece {
                case .kept: return
                case .written(let bytes): try await send(ByteBuffer(bytes: bytes))
                case .blank(var count):
                    while count > 0 {
                        let length = Int(min(count, Int64(Self.zeros.readableBytes)))
                        if let slice = Self.zeros.getSlice(at: 0, length: length) { try await send(slice) }
                        count -= Int64(length)
                    }
                }
                pieces.removeFirst()
            }
        }
    }
}
