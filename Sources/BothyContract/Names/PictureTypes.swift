/// What can be shown as a picture, going by a media type.
public enum PictureTypes {
    /// Bytes up to which a picture that browsers show is as good as a small one of it.
    private static let mostOfItsOwn: Int64 = 256 << 10

    /// Whether every browser shows it.
    public static func isShown(_ type: String) -> Bool { shown.contains(type) }

    /// Whether a small picture can be made of such: of a picture, of a film, or of a document's first page.
    public static func isDrawn(_ type: String) -> Bool {
        pictures.contains(type) || films.contains(type) || isDocument(type)
    }

    /// Whether small pictures are made of its first page.
    public static func isDocument(_ type: String) -> Bool { type == "application/pdf" }

    /// Whether small pictures are made of it as of a film.
    public static func isFilm(_ type: String) -> Bool { films.contains(type) }

    /// Whether it may stand for a small picture of itself.
    ///
    /// - Parameter size: bytes.
    public static func isItsOwnPicture(_ type: String, size: Int64) -> Bool {
        isShown(type) && (1...mostOfItsOwn).contains(size)
    }

    private static let shown: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp",
    ]
    private static let pictures: Set<String> = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "image/tiff",
    ]
    private static let films: Set<String> = [
        "video/mp4", "video/quicktime", "video/webm", "video/matroska", "video/x-matroska", "video/ogg",
        "video/x-msvideo",
        "video/3gpp",
    ]
}
