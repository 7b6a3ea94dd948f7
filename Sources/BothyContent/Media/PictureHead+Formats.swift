extension PictureHead {
    /// Chunks, segments and entries that are walked over.
    private static let mostSteps = 4096

    /// ITU T.81: segments up to the one that begins a frame.
    static func jpeg(_ bytes: MediaBytes) -> PictureHead? {
        var place = 2
        // Where there are two, decoders go by the first.
        var orientation: Int?
        for _ in 0..<mostSteps {
            guard bytes.u8(place) == 0xFF, let marker = bytes.u8(place + 1) else { return nil }
            // Any number of these may stand before a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            guard let length = bytes.big(place + 2, 2), length >= 2 else { return nil }
            switch marker {
            case 0xE1 where orientation == nil && bytes.has("Exif\0\0", at: place + 4):
                orientation = PictureOrientation.read(bytes, at: place + 10) ?? 1
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = bytes.big(place + 5, 2), let width = bytes.big(place + 7, 2) else { return nil }
                return PictureHead(width: width, height: height, orientation: orientation ?? 1)
            case 0xD8...0xDA: return nil
            default: break
            }
            place += 2 + length
        }
        return nil
    }

    /// ISO 15948: the first chunk says it; one before the picture how it is held.
    static func png(_ bytes: MediaBytes) -> PictureHead? {
        guard bytes.has("IHDR", at: 12), let width = bytes.big(16, 4), let height = bytes.big(20, 4) else { return nil }
        var (place, orientation) = (8, 1)
        for _ in 0..<mostSteps {
            guard let length = bytes.big(place, 4), !bytes.has("IDAT", at: place + 4), !bytes.has("IEND", at: place + 4)
            else { break }
            if bytes.has("eXIf", at: place + 4) { orientation = PictureOrientation.read(bytes, at: place + 8) ?? 1 }
            place += 12 + length
        }
        return PictureHead(width: width, height: height, orientation: orientation)
    }

    /// RFC 9649.
    static func webp(_ bytes: MediaBytes) -> PictureHead? {
        var (place, orientation) = (12, 1)
        var size: (width: Int, height: Int)?
        for _ in 0..<mostSteps {
            guard let length = bytes.little(place + 4, 4) else { break }
            let data = place + 8
            if size == nil {
                if bytes.has("VP8X", at: place), let width = bytes.little(data + 4, 3),
                    let height = bytes.little(data + 7, 3)
                {
                    size = (width + 1, height + 1)
                } else if bytes.has("VP8 ", at: place), let width = bytes.little(data + 6, 2),
                    let height = bytes.little(data + 8, 2)
                {
                    size = (width & 0x3FFF, height & 0x3FFF)
                } else if bytes.has("VP8L", at: place), let packed = bytes.little(data + 1, 4) {
                    size = (packed & 0x3FFF + 1, packed >> 14 & 0x3FFF + 1)
                }
            }
            if bytes.has("EXIF", at: place) {
                let start = bytes.has("Exif\0\0", at: data) ? data + 6 : data
                orientation = PictureOrientation.read(bytes, at: start) ?? 1
            }
            place = data + length + length % 2
        }
        return size.flatMap { PictureHead(width: $0.width, height: $0.height, orientation: orientation) }
    }

    static func gif(_ bytes: MediaBytes) -> PictureHead? {
        guard let width = bytes.little(6, 2), let height = bytes.little(8, 2) else { return nil }
        return PictureHead(width: width, height: height)
    }

    /// TIFF 6.0: the first list of it.
    static func tiff(_ bytes: MediaBytes) -> PictureHead? {
        let isBig = bytes.has("MM", at: 0)
        func number(_ place: Int, _ length: Int) -> Int? {
            isBig ? bytes.big(place, length) : bytes.little(place, length)
        }
        guard let list = number(4, 4), let count = number(list, 2), count <= mostSteps else { return nil }
        var found = [Int: Int]()
        for entry in 0..<count {
            let place = list + 2 + 12 * entry
            guard let tag = number(place, 2), let type = number(place + 2, 2) else { return nil }
            found[tag] = number(place + 8, type == 3 ? 2 : 4)
        }
        guard let width = found[0x100], let height = found[0x101] else { return nil }
        let orientation = found[0x112].flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
        // Several bytes for each point: a scan in 32 bits of five inks is no small one.
        let samples = min(64, max(1, found[0x115] ?? 1))
        return PictureHead(width: width, height: height, orientation: orientation).map {
            var head = $0
            head.points = max(head.points, head.points / 4 * samples)
            return head
        }
    }
}
