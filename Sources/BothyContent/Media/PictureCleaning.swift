/// Takes out of a picture what cameras and programs write beside it: where it was taken, when, with what and by whom. The picture itself, how it
/// is held and its colours stay, byte for byte.
package enum PictureCleaning {
    /// Nil for what cannot be cleaned here: another format, or one that is not whole.
    package static func plan(_ bytes: MediaBytes) -> CleaningPlan? {
        switch PictureKind(bytes) {
        case .jpeg: jpeg(bytes)
        case .png: png(bytes)
        case .webp: webp(bytes)
        case .gif: gif(bytes)
        case .heif: heif(bytes)
        case .tiff, nil: nil
        }
    }

    package static func plan(_ bytes: [UInt8]) -> CleaningPlan? { bytes.withUnsafeBytes { plan(MediaBytes($0)) } }

    /// Whether bytes of another kind hold what such data begins with. It is asked of what no reader here knows.
    package static func hasSigns(_ bytes: MediaBytes) -> Bool {
        // Raw files of cameras are TIFF files, or of a kind of their maker's.
        let heads: [StaticString] = ["II*\0", "MM\0*", "IIRO", "IIRS", "MMOR", "IIU\0", "FUJIFILMCCD", "FOVb", "\0MRM"]
        if heads.contains(where: { bytes.has($0, at: 0) }) { return true }
        let signs: [StaticString] = [
            "Exif\0", "ns.adobe.com/xap", "<x:xmpmeta", "location.ISO6709", "GPSLatitude", "com.apple.quicktime",
            "eXIf", "JXL ", "JpgTiffExif", "8BIM", "MDPM", "freeGPS ", "GPMF",
            // The beginnings of Exif and of a JPEG with it, in base64.
            "RXhpZg", "V4aWYA", "FeGlmA",
        ]
        // ©xyz, as QuickTime writes it, is no text in UTF-8.
        return signs.contains { bytes.place(of: $0) != nil }
    }

    // MARK: - JPEG

    private static let mostSteps = 1 << 16

    /// ITU T.81. What follows the end of the picture, such as a second one or a film, goes too.
    private static func jpeg(_ bytes: MediaBytes) -> CleaningPlan? {
        var (plan, place) = (CleaningPlan(), 2)
        // Where there are two, decoders go by the first.
        var orientation: Int?
        var kept = [Range<Int>]()
        for _ in 0..<mostSteps {
            guard bytes.u8(place) == 0xFF, let marker = bytes.u8(place + 1) else { return nil }
            if marker == 0xFF {
                place += 1
                continue
            }
            if marker == 0xD9 {
                kept.append(place..<place + 2)
                break
            }
            guard let length = bytes.big(place + 2, 2), length >= 2, place + 2 + length <= bytes.count else {
                return nil
            }
            var end = place + 2 + length
            if orientation == nil, marker == 0xE1, bytes.has("Exif\0\0", at: place + 4) {
                orientation = PictureOrientation.read(bytes, at: place + 10) ?? 1
            }
            if marker == 0xDA { end = endOfScan(bytes, from: end) }
            if stays(marker, bytes, place, length) { kept.append(place..<end) }
            place = end
            // It is cut: browsers show what is there.
            if place >= bytes.count { break }
        }
        guard place < bytes.count || kept.contains(where: { bytes.u8($0.lowerBound + 1) == 0xDA }) else { return nil }
        plan.keep(0..<2)
        let exif = orientation.map { $0 == 1 ? [] : jpegExif($0) } ?? []
        if let first = kept.first, bytes.u8(first.lowerBound + 1) == 0xE0 {
            // JFIF wants to be the first.
            plan.keep(first)
            plan.write(exif)
            kept.removeFirst()
        } else {
            plan.write(exif)
        }
        for range in kept { plan.keep(range) }
        return plan
    }

    private static func jpegExif(_ orientation: Int) -> [UInt8] {
        let exif = Array("Exif\0\0".utf8) + PictureOrientation.exif(orientation)
        return [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    }

    private static func stays(_ marker: Int, _ bytes: MediaBytes, _ place: Int, _ length: Int) -> Bool {
        switch marker {
        // Without the small picture that it may hold.
        case 0xE0: bytes.has("JFIF\0", at: place + 4) && length == 16
        case 0xE2: bytes.has("ICC_PROFILE\0", at: place + 4)
        case 0xEE: bytes.has("Adobe", at: place + 4) && length == 14
        case 0xC0...0xCF, 0xDA...0xDD: true
        default: false
        }
    }

    /// The marker behind what a scan has drawn.
    private static func endOfScan(_ bytes: MediaBytes, from start: Int) -> Int {
        var place = start
        while let byte = bytes.u8(place) {
            if byte == 0xFF, let next = bytes.u8(place + 1), next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
                return place
            }
            place += 1
        }
        return bytes.count
    }

    // MARK: - PNG

    private static let pngChunks: [StaticString] = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "hIST", "pHYs", "sPLT",
        "acTL", "fcTL",
        "fdAT", "cICP", "mDCV", "cLLI",
    ]

    private static func png(_ bytes: MediaBytes) -> CleaningPlan? {
        var (plan, place, orientation) = (CleaningPlan(), 8, 1)
        plan.keep(0..<8)
        for _ in 0..<mostSteps {
            guard let length = bytes.big(place, 4), place + 12 + length <= bytes.count else { return nil }
            let end = place + 12 + length
            if bytes.has("eXIf", at: place + 4) { orientation = PictureOrientation.read(bytes, at: place + 8) ?? 1 }
            if bytes.has("IDAT", at: place + 4), orientation != 1 {
                plan.write(pngExif(orientation))
                orientation = 1
            }
            if pngChunks.contains(where: { bytes.has($0, at: place + 4) }) { plan.keep(place..<end) }
            if bytes.has("IEND", at: place + 4) { return plan }
            place = end
        }
        return nil
    }

    private static func pngExif(_ orientation: Int) -> [UInt8] {
        let chunk = Array("eXIf".utf8) + PictureOrientation.exif(orientation)
        return number(chunk.count - 4) + chunk + number(Int(CRC32.of(chunk)))
    }

    private static func number(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
