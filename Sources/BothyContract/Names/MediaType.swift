/// What a file's name says of the kind of its content.
public enum MediaType {
    /// The media type that the end of a name stands for, whichever case it is written in; nil where it stands for none.
    ///
    /// The types are those of IANA's registry (https://www.iana.org/assignments/media-types), and where it has none, those
    /// that browsers know. Nobody looks into the content: a type is a hint for whoever shows the file.
    public static func of(_ name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex else { return nil }
        return byExtension[name[name.utf8.index(after: dot)...].lowercased()]
    }

    private static let byExtension: [String: String] = [
        // Text.
        "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "markdown": "text/markdown",
        "csv": "text/csv", "tsv": "text/tab-separated-values", "html": "text/html", "htm": "text/html",
        "css": "text/css", "js": "text/javascript", "mjs": "text/javascript", "json": "application/json",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
        "ics": "text/calendar", "vcf": "text/vcard", "rtf": "application/rtf",
        // Pictures.
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "heif": "image/heif", "bmp": "image/bmp", "tif": "image/tiff",
        "tiff": "image/tiff", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "psd": "image/vnd.adobe.photoshop", "dng": "image/x-adobe-dng", "cr2": "image/x-canon-cr2",
        "nef": "image/x-nikon-nef", "arw": "image/x-sony-arw",
        // Sound.
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac", "ogg": "audio/ogg",
        "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav", "mid": "audio/midi", "midi": "audio/midi",
        // Films.
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "mkv": "video/matroska",
        "webm": "video/webm", "avi": "video/x-msvideo", "mpg": "video/mpeg", "mpeg": "video/mpeg", "ogv": "video/ogg",
        // Documents.
        "pdf": "application/pdf", "epub": "application/epub+zip", "ps": "application/postscript",
        "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation", "sqlite": "application/vnd.sqlite3",
        // Archives.
        "zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "zst": "application/zstd",
        "bz2": "application/x-bzip2", "xz": "application/x-xz", "7z": "application/x-7z-compressed",
        "rar": "application/vnd.rar", "tar": "application/x-tar",
        // Fonts.
        "ttf": "font/ttf", "otf": "font/otf", "woff": "font/woff", "woff2": "font/woff2",
    ]
}
