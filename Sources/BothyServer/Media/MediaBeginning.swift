import BothyContract

/// What the first bytes of a content say about its media type, where they leave no doubt.
enum MediaBeginning {
    /// Whether it is certainly no picture or film of its type. A type whose first bytes are not known here is believed.
    ///
    /// - Parameter bytes: ``MediaFormat/sampleBytes`` of it, or all where it has fewer.
    static func contradicts(_ mimeType: String, _ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        let type = mimeType.prefix { $0 != ";" }.lowercased()
        if pictures.contains(type) { return MediaFormat(beginning: bytes) != .picture }
        guard films.contains(type) else { return false }
        // One family: a film of one of them that is called another one still plays.
        return MediaFormat(beginning: bytes) != .film && !isOldQuickTime(bytes)
    }

    private static let pictures: Set = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/heif", "image/avif", "image/tiff",
    ]
    private static let films: Set = [
        "video/mp4", "video/quicktime", "video/webm", "video/matroska", "video/x-matroska", "video/x-msvideo",
        "video/x-m4v",
    ]

    /// QuickTime began with any of its atoms before there was “ftyp”.
    private static func isOldQuickTime(_ bytes: [UInt8]) -> Bool {
        ["moov", "mdat", "wide", "free", "skip", "pnot"].contains { bytes.dropFirst(4).starts(with: $0.utf8) }
    }
}
