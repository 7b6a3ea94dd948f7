/// How a camera was held: Exif's tag 274 (CIPA DC-008, TIFF 6.0), 1 for upright.
enum PictureOrientation {
    private static let tag = 0x0112
    /// Entries of a list that are looked at.
    private static let mostEntries = 512

    /// Reads it out of Exif, which is a TIFF file of its own.
    ///
    /// - Parameter start: where that begins.
    static func read(_ bytes: MediaBytes, at start: Int) -> Int? {
        let isBig: Bool
        if bytes.has("MM\0*", at: start) {
            isBig = true
        } else if bytes.has("II*\0", at: start) {
            isBig = false
        } else {
            return nil
        }
        func number(_ place: Int, _ length: Int) -> Int? {
            isBig ? bytes.big(start + place, length) : bytes.little(start + place, length)
        }
        guard let list = number(4, 4), let count = number(list, 2), count <= mostEntries else { return nil }
        for entry in 0..<count {
            let place = list + 2 + 12 * entry
            guard let kind = number(place, 2) else { return nil }
            if kind == tag { return number(place + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil } }
        }
        return nil
    }

    /// Exif that says this and nothing else.
    static func exif(_ orientation: Int) -> [UInt8] {
        [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
    }

    /// Whether width and height change places.
    static func isTurned(_ orientation: Int) -> Bool { (5...8).contains(orientation) }
}
