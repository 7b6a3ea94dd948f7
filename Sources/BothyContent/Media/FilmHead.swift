/// What a film says of itself.
package struct FilmHead: Equatable, Sendable {
    /// Points, as they are shown.
    package var width: Int?
    package var height: Int?
    package var durationMs: Int64?
    /// Of its pictures and its sound, in the words of its own format: «avc1», «V_VP9». In the order of its tracks.
    package var codecs: [String] = []

    /// Longer than any film: what says so is not believed.
    private static let mostMs: Double = 1000 * 86_400 * 366

    private static func milliseconds(_ units: Double, _ perSecond: Double) -> Int64? {
        let time = units / perSecond * 1000
        return time.isFinite && time > 0 && time < mostMs ? Int64(time.rounded()) : nil
    }

    private mutating func take(_ width: Int, _ height: Int) {
        guard (1...PictureHead.mostSide).contains(width), (1...PictureHead.mostSide).contains(height) else { return }
        (self.width, self.height) = (width, height)
    }

    // MARK: - ISO 14496-12

    /// - Parameter moov: the bytes of that box alone.
    package static func iso(moov: [UInt8]) -> FilmHead? {
        moov.withUnsafeBytes { bytes in
            let bytes = MediaBytes(bytes)
            guard let moov = IsoBox.read(bytes, at: 0, end: bytes.count, isLast: true), moov.is("moov"),
                let boxes = IsoBox.list(bytes, moov.content..<moov.end)
            else { return nil }
            var head = FilmHead()
            for box in boxes {
                if box.is("mvhd") { head.durationMs = duration(bytes, box) }
                if box.is("trak") { head.codecs += IsoCodecs.of(bytes, track: box) }
                if box.is("trak"), head.width == nil { head.readTrack(bytes, box) }
            }
            return head
        }
    }

    private static func duration(_ bytes: MediaBytes, _ box: IsoBox) -> Int64? {
        let isLong = bytes.u8(box.content) == 1
        let place = box.content + (isLong ? 20 : 12)
        guard let scale = bytes.big(place, 4), scale > 0,
            let units = isLong ? bytes.big64(place + 4) : bytes.big(place + 4, 4), isLong || units != 0xFFFF_FFFF
        else { return nil }
        return milliseconds(Double(units), Double(scale))
    }

    private mutating func readTrack(_ bytes: MediaBytes, _ box: IsoBox) {
        guard let parts = IsoBox.list(bytes, box.content..<box.end), let head = parts.first(where: { $0.is("tkhd") })
        else { return }
        let matrix = head.content + (bytes.u8(head.content) == 1 ? 52 : 40)
        guard let width = bytes.big(matrix + 36, 2), let height = bytes.big(matrix + 40, 2),
            let a = bytes.big(matrix, 4),
            let b = bytes.big(matrix + 4, 4)
        else { return }
        // A quarter turn has nothing on its first diagonal.
        let isTurned = a == 0 && b != 0
        take(isTurned ? height : width, isTurned ? width : height)
    }

    // MARK: - Matroska and WebM (RFC 9559)

    /// - Parameter beginning: some hundred kilobytes.
    package static func matroska(beginning: [UInt8]) -> FilmHead? {
        beginning.withUnsafeBytes { bytes in
            let bytes = MediaBytes(bytes)
            guard bytes.big(0, 4) == 0x1A45_DFA3 else { return nil }
            var (head, scale, units) = (FilmHead(), 1_000_000.0, 0.0)
            head.walk(bytes, 0..<bytes.count, depth: 0, &scale, &units)
            head.durationMs = milliseconds(units * scale, 1_000_000_000)
            return head
        }
    }

    /// Segment, Info, Tracks, TrackEntry, Video: what holds what is asked for.
    private static let holders: Set<Int> = [0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0xE0]
    private static let mostElements = 2000

    private mutating func walk(
        _ bytes: MediaBytes, _ range: Range<Int>, depth: Int, _ scale: inout Double, _ units: inout Double
    ) {
        var place = range.lowerBound
        var size: (width: Int?, height: Int?)
        for _ in 0..<Self.mostElements where place < range.upperBound {
            guard let id = Self.number(bytes, place, isMarked: true),
                let length = Self.number(bytes, place + id.width, isMarked: false)
            else { break }
            let start = place + id.width + length.width
            // A length of ones alone is not known: it goes on until its holder ends.
            let end =
                length.value == 1 << (7 * length.width) - 1
                ? range.upperBound : min(range.upperBound, start + length.value)
            guard end >= start else { break }
            switch id.value {
            // Cluster: from here on there is film.
            case 0x1F43_B675: return
            case let id where Self.holders.contains(id) && depth < 5:
                walk(bytes, start..<end, depth: depth + 1, &scale, &units)
            case 0x2AD7B1: if let value = bytes.big(start, end - start) { scale = Double(value) }
            case 0x4489: units = Self.decimal(bytes, start, end - start) ?? units
            // CodecID, of a TrackEntry.
            case 0x86: codecs += Self.text(bytes, start, end - start).map { [$0] } ?? []
            case 0xB0: size.width = bytes.big(start, end - start)
            case 0xBA: size.height = bytes.big(start, end - start)
            default: break
            }
            place = end
        }
        if self.width == nil, let width = size.width, let height = size.height { take(width, height) }
    }

    private static func number(_ bytes: MediaBytes, _ place: Int, isMarked: Bool) -> (value: Int, width: Int)? {
        guard let first = bytes.u8(place), first > 0 else { return nil }
        let width = UInt8(first).leadingZeroBitCount + 1
        // Eight bytes have seven of value, and a first one that is nothing but the mark.
        guard width < 8 else { return bytes.big(place + 1, 7).map { ($0, 8) } }
        guard let value = bytes.big(place, width) else { return nil }
        return (isMarked ? value : value & (1 << (7 * width) - 1), width)
    }

    /// Of so many characters as names of codecs have.
    private static func text(_ bytes: MediaBytes, _ place: Int, _ length: Int) -> String? {
        guard (1...mostName).contains(length) else { return nil }
        let characters = (place..<place + length).compactMap { bytes.u8($0).map { UInt8($0) } }
        return characters.count == length ? String(decoding: characters, as: UTF8.self) : nil
    }

    private static let mostName = 64

    private static func decimal(_ bytes: MediaBytes, _ place: Int, _ length: Int) -> Double? {
        switch length {
        case 4: bytes.big(place, 4).map { Double(Float(bitPattern: UInt32($0))) }
        case 8:
            bytes.big(place, 4).flatMap { high in
                bytes.big(place + 4, 4).map { Double(bitPattern: UInt64(high) << 32 | UInt64($0)) }
            }
        default: nil
        }
    }
}
