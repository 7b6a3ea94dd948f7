import BothyContract

/// What a content is, as far as pictures can be made of it. Its bytes decide, and not what it is called: a program that draws is
/// given nothing but what it was chosen for.
package enum MediaFormat: Equatable, Sendable {
    case picture, film, document

    /// Bytes from the beginning that tell one from another.
    package static let sampleBytes = 32

    /// Nil for what no picture is made of.
    package init?(beginning bytes: [UInt8]) {
        func has(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF])
            || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            || has("GIF87a") || has("GIF89a") || bytes.starts(with: [0x49, 0x49, 0x2A, 0x00])
            || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A])
        {
            self = .picture
        } else if has("RIFF") {
            switch true {
            case has("WEBP", at: 8): self = .picture
            case has("AVI ", at: 8): self = .film
            default: return nil
            }
        } else if has("ftyp", at: 4) {
            // ISO 14496-12: what a file of this family is, its brand says.
            self = Self.pictureBrands.contains(where: { has($0, at: 8) }) ? .picture : .film
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || has("OggS") {
            self = .film
        } else if has("%PDF-") {
            self = .document
        } else {
            return nil
        }
    }

    /// HEIF (ISO 23008-12) and AVIF.
    private static let pictureBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"]

    /// What a content should be, going by its media type alone; nil where no picture is made of such.
    package init?(mimeType: String) {
        let type = MediaType.told(mimeType, named: "")
        guard PictureTypes.isDrawn(type) else { return nil }
        self = PictureTypes.isFilm(type) ? .film : PictureTypes.isDocument(type) ? .document : .picture
    }
}
