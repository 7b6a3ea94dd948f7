/// What a picture says of itself before it is drawn: read by a reader of our own, so that nothing is given to a decoder that would take all memory.
package struct PictureHead: Equatable, Sendable {
    /// Points, as they are shown: upright.
    package var width: Int
    package var height: Int
    /// Points that a decoder takes memory for; of a picture that is put together, those of its greatest part where that is more.
    package var points: Int

    /// Points on a side.
    static let mostSide = 1 << 20

    init?(width: Int, height: Int, orientation: Int = 1, points: Int? = nil) {
        guard (1...Self.mostSide).contains(width), (1...Self.mostSide).contains(height) else { return nil }
        let isTurned = PictureOrientation.isTurned(orientation)
        self.width = isTurned ? height : width
        self.height = isTurned ? width : height
        self.points = max(width * height, points ?? 0)
    }

    /// Nil for what is no picture that is known here, or is cut before it has said it.
    package static func read(_ bytes: MediaBytes) -> PictureHead? {
        switch PictureKind(bytes) {
        case .jpeg: jpeg(bytes)
        case .png: png(bytes)
        case .webp: webp(bytes)
        case .gif: gif(bytes)
        case .tiff: tiff(bytes)
        case .heif: heif(bytes)
        case nil: nil
        }
    }

    package static func read(_ bytes: [UInt8]) -> PictureHead? { bytes.withUnsafeBytes { read(MediaBytes($0)) } }
}

/// Pictures that are known here, told by their first bytes.
package enum PictureKind: Sendable {
    case jpeg, png, webp, gif, tiff, heif

    package init?(_ bytes: MediaBytes) {
        if bytes.big(0, 3) == 0xFFD8FF {
            self = .jpeg
        } else if bytes.big(0, 4) == 0x8950_4E47, bytes.big(4, 4) == 0x0D0A_1A0A {
            self = .png
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = .webp
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            self = .gif
        } else if bytes.has("II*\0", at: 0) || bytes.has("MM\0*", at: 0) {
            self = .tiff
        } else if bytes.has("ftyp", at: 4), IsoBrands.isPicture(bytes) {
            self = .heif
        } else {
            return nil
        }
    }
}

/// What a file of the family of ISO 14496-12 is.
enum IsoBrands {
    /// Whether it is HEIF (ISO 23008-12) or AVIF.
    static func isPicture(_ bytes: MediaBytes) -> Bool {
        ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"].contains {
            bytes.has($0, at: 8)
        }
    }
}
