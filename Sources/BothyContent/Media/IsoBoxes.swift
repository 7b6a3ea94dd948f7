/// Boxes of ISO 14496-12, which HEIF, AVIF, MP4 and QuickTime are made of.
package struct IsoBox: Equatable, Sendable {
    /// Four characters, as a number.
    package var type: UInt32
    /// From its length on.
    package var start: Int
    /// Where what it holds begins.
    package var content: Int
    package var end: Int

    /// Boxes that are walked over on one level.
    static let mostBoxes = 10_000

    /// The boxes of a range, in their order; nil where one does not end within it, or there are too many.
    ///
    /// - Parameter isLast: whether the range ends where the file does: a box may then say that it goes on until there.
    static func list(_ bytes: MediaBytes, _ range: Range<Int>, isLast: Bool = false) -> [IsoBox]? {
        var (boxes, place) = ([IsoBox](), range.lowerBound)
        while place < range.upperBound {
            // QuickTime may end a list by a zero.
            if range.upperBound - place < 8 { return boxes }
            guard boxes.count < mostBoxes, let box = read(bytes, at: place, end: range.upperBound, isLast: isLast)
            else { return nil }
            boxes.append(box)
            place = box.end
        }
        return boxes
    }

    static func read(_ bytes: MediaBytes, at place: Int, end: Int, isLast: Bool) -> IsoBox? {
        guard let length = bytes.big(place, 4), let type = bytes.big(place + 4, 4) else { return nil }
        var box = IsoBox(type: UInt32(type), start: place, content: place + 8, end: place + length)
        if length == 1 {
            guard let long = bytes.big64(place + 8) else { return nil }
            (box.content, box.end) = (place + 16, place + long)
        } else if length == 0, isLast {
            box.end = end
        }
        return box.end >= box.content && box.end <= end ? box : nil
    }

    /// Bytes from its start on that say where it ends.
    package static let headBytes = 16

    /// The box on the highest level of a file that begins at a place; nil where none does.
    ///
    /// - Parameters:
    ///   - head: what stands there, ``headBytes`` or as many as are left.
    ///   - size: bytes of the file.
    package static func top(_ head: [UInt8], at place: Int, of size: Int) -> IsoBox? {
        guard place >= 0, place <= size else { return nil }
        return head.withUnsafeBytes { read(MediaBytes($0), at: 0, end: size - place, isLast: true) }.map { box in
            IsoBox(type: box.type, start: place, content: place + box.content, end: place + box.end)
        }
    }

    package func `is`(_ name: StaticString) -> Bool { type == Self.type(name) }

    static func type(_ name: StaticString) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(name.utf8Start[$1]) }
    }

    /// What makes of it one that readers pass over, in the same room.
    var freed: (range: Range<Int64>, head: [UInt8]) {
        (Int64(start)..<Int64(end), Self.free(length: end - start, hasLong: content - start == 16))
    }

    static func free(length: Int, hasLong: Bool) -> [UInt8] {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let name = Array("free".utf8)
        // One of so many bytes went on to the end of its file, and still does.
        guard hasLong || length < 1 << 32 else { return bytes(0, 4) + name }
        return hasLong ? bytes(1, 4) + name + bytes(length, 8) : bytes(length, 4) + name
    }
}
