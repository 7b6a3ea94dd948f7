/// Pictures and films that are put together byte by byte; nothing can draw them.
enum MadeMedia {
    static func number(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(bytes.count + 2, 2) + bytes
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(name.utf8) + content
    }

    /// A JPEG of 40 to 30 points.
    ///
    /// - Parameters:
    ///   - told: what its Exif says besides how it was held, and what stands behind its end.
    ///   - filling: bytes of the picture itself.
    static func jpeg(_ told: String, orientation: UInt8 = 1, filling: Int = 100) -> [UInt8] {
        let list = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0] as [UInt8]
        let exif = Array("Exif\0\0MM\0*".utf8) + number(8) + list + Array(told.utf8)
        return [0xFF, 0xD8] + segment(0xE1, exif) + segment(0xC0, [8, 0, 30, 0, 40, 1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + (0..<filling).map { UInt8($0 % 251) } + [0xFF, 0xD9]
            + Array(told.utf8)
    }

    /// A film of 2.5 s whose picture has 1920 to 1080 points.
    ///
    /// - Parameter told: what its user data says, and what stands behind its end.
    static func film(_ told: String) -> [UInt8] {
        let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { number($0 << 16) }
        let tkhd = [UInt8](repeating: 0, count: 40) + matrix + number(1920 << 16) + number(1080 << 16)
        let mdia = box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8)))
        return box("ftyp", Array("isom\0\0\0\0".utf8)) + box("mdat", [UInt8](repeating: 5, count: 300_000))
            + box(
                "moov",
                box("mvhd", [UInt8](repeating: 0, count: 12) + number(600) + number(1500))
                    + box("trak", box("tkhd", tkhd) + mdia) + box("udta", Array(told.utf8)))
            + Array(told.utf8)
    }
}
