/// Takes out of a Matroska or WebM film (RFC 9559) what programs write beside picture and sound: its title, when and with what it was made, its
/// tags and what is attached to it. Everything keeps its place; what describes becomes `Void`.
///
/// It is a walk over the elements on the highest two levels: ``place`` says from where on it wants to see bytes, and ``see(_:)`` takes them.
package struct MatroskaCleaning: Sendable {
    /// Bytes that are shown to it at once, where there are so many.
    package static let window = 64 << 10

    private enum ID {
        static let ebml = 0x1A45_DFA3
        static let segment = 0x1853_8067
        static let cluster = 0x1F43_B675
        static let info = 0x1549_A966
        static let void = 0xEC
        static let tracks = 0x1654_AE6B
        static let track = 0xAE
        static let trackType = 0x83
        /// What a film is found by: SeekHead, Cues.
        static let kept: Set<Int> = [0x114D_9B74, 0x1C53_BB6B]
        /// Of a cluster without a length, what it holds: Timestamp, SimpleBlock, BlockGroup, Position, PrevSize.
        static let ofCluster: Set<Int> = [0xE7, 0xA3, 0xA0, 0xA7, 0xAB]
        /// Of Info: TimestampScale, Duration, and the two that a reader insists on, MuxingApp and WritingApp.
        static let ofInfo: Set<Int> = [0x2AD7B1, 0x4489, 0x4D80, 0x5741]
        /// MuxingApp and WritingApp: they stay, and say nothing.
        static let programs: Set<Int> = [0x4D80, 0x5741]
    }

    private static let mostElements = 1 << 20
    private static let mostEdits = 1 << 14

    private let size: Int64
    private var edits = [(range: Range<Int64>, head: [UInt8])]()
    private var elements = 0
    /// From where on it wants to see bytes; nil where it has seen all, or cannot go on.
    package private(set) var place: Int64? = 0
    private var hasFailed = false

    /// - Parameter size: bytes of the film.
    package init(size: Int64) { self.size = size }

    /// Nil for what cannot be cleaned here, and as long as ``place`` is not nil.
    package var plan: CleaningPlan? {
        place == nil && !hasFailed ? CleaningPlan(size: size, edits: edits) : nil
    }

    /// - Parameter bytes: those from ``place`` on, as many as ``window`` or as are left. At least the element that begins there is passed.
    package mutating func see(_ bytes: [UInt8]) {
        guard let start = place else { return }
        guard !bytes.isEmpty else { return fail() }
        bytes.withUnsafeBytes { raw in
            let bytes = MediaBytes(raw)
            while let place, place - start < bytes.count {
                let at = Int(place - start)
                // What begins near the end of what is shown is shown again, from its beginning.
                if at > 0, bytes.count - at < 16, place + 16 < size { return }
                guard pass(bytes, at, start) else { return }
            }
        }
    }

    private mutating func fail() { (place, hasFailed) = (nil, true) }

    /// - Returns: whether it goes on within what is shown.
    private mutating func pass(_ bytes: MediaBytes, _ at: Int, _ start: Int64) -> Bool {
        guard let next = end(of: bytes, at, start) else {
            fail()
            return false
        }
        if next == start + Int64(at) { return false }
        place = next < size ? next : nil
        return true
    }

    /// Notes what of an element goes.
    ///
    /// - Returns: where the next one begins; the same place for one that has to be shown again; nil for what cannot be cleaned.
    private mutating func end(of bytes: MediaBytes, _ at: Int, _ start: Int64) -> Int64? {
        elements += 1
        guard elements < Self.mostElements, edits.count < Self.mostEdits, let element = Element(bytes, at: at) else {
            return nil
        }
        let first = start + Int64(at)
        let content = first + Int64(element.head)
        guard first > 0 || element.id == ID.ebml else { return nil }
        // One without a length goes on until its holder ends, and is walked into.
        if element.id == ID.segment || element.id == ID.cluster && element.length == nil { return content }
        guard let length = element.length, content + Int64(length) <= size else { return nil }
        let end = content + Int64(length)
        switch element.id {
        case ID.ebml, ID.cluster: break
        case ID.info:
            let inner = at + element.head..<at + element.head + length
            guard inner.upperBound <= bytes.count else { return at > 0 ? first : nil }
            guard describe(bytes, inner, start) else { return nil }
        case ID.tracks:
            let inner = at + element.head..<at + element.head + length
            guard inner.upperBound <= bytes.count else { return at > 0 ? first : nil }
            guard isSeenOrHeard(bytes, inner) else { return nil }
        case let id where ID.kept.contains(id) || ID.ofCluster.contains(id): break
        default: edits.append((first..<end, Self.void(end - first)))
        }
        return end
    }

    /// Whether all tracks are picture or sound: a drone writes as subtitles where it was.
    private func isSeenOrHeard(_ bytes: MediaBytes, _ range: Range<Int>, isTrack: Bool = false) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            guard let element = Element(bytes, at: place), let length = element.length,
                place + element.head + length <= range.upperBound
            else { return false }
            let content = place + element.head
            if element.id == ID.track, !isTrack {
                guard isSeenOrHeard(bytes, content..<content + length, isTrack: true) else { return false }
            } else if element.id == ID.trackType {
                // RFC 9559, 5.1.4.1.3: 1 is video, 2 is audio.
                guard (1...7).contains(length), let type = bytes.big(content, length), type == 1 || type == 2 else {
                    return false
                }
            }
            place = content + length
        }
        return true
    }

    private mutating func describe(_ bytes: MediaBytes, _ range: Range<Int>, _ start: Int64) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            guard let element = Element(bytes, at: place), let length = element.length,
                place + element.head + length <= range.upperBound
            else { return false }
            let content = place + element.head
            let (first, end) = (start + Int64(place), start + Int64(content + length))
            if ID.programs.contains(element.id) {
                // A text of zeros is one that is empty (RFC 8794, 7.4).
                edits.append((start + Int64(content)..<end, []))
            } else if !ID.ofInfo.contains(element.id) {
                edits.append((first..<end, Self.void(end - first)))
            }
            place = content + length
        }
        return true
    }

    /// The head of a `Void` that takes so many bytes, 2 or more.
    private static func void(_ count: Int64) -> [UInt8] {
        // Seven ones say that a length is not known.
        if count - 2 < 0x7F { return [UInt8(ID.void), 0x80 | UInt8(max(0, count - 2))] }
        let length = count - 9
        return [UInt8(ID.void), 0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    }

    /// An element of EBML (RFC 8794).
    private struct Element {
        var id: Int
        /// Bytes before what it holds.
        var head: Int
        /// Bytes of what it holds; nil where that is not said.
        var length: Int?

        init?(_ bytes: MediaBytes, at place: Int) {
            guard let idFirst = bytes.u8(place), idFirst >= 0x10 else { return nil }
            let idWidth = UInt8(idFirst).leadingZeroBitCount + 1
            guard let id = bytes.big(place, idWidth), let first = bytes.u8(place + idWidth), first > 0 else {
                return nil
            }
            let width = UInt8(first).leadingZeroBitCount + 1
            let unknown = 1 << (7 * width) - 1
            guard let value = width == 8 ? bytes.big(place + idWidth + 1, 7) : bytes.big(place + idWidth, width) else {
                return nil
            }
            let length = width == 8 ? value : value & unknown
            (self.id, head, self.length) = (id, idWidth + width, length == unknown ? nil : length)
        }
    }
}
