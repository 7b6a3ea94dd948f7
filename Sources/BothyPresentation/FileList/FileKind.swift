import BothyClient
import BothyContract

/// What kind of thing a file is to a person: its icon, its word, and how it is opened.
public enum FileKind: String, CaseIterable, Sendable {
    case folder, image, video, audio, pdf, text, code, archive, document, sheet, slides, other

    /// By the media type, or by the name where the type says nothing.
    public init(_ item: FolderItem) {
        if item.isFolder {
            self = .folder
            return
        }
        self.init(mediaType: Self.mediaType(of: item))
    }

    /// What is said of its content, or what its name says of it where that is nothing.
    static func mediaType(of item: FolderItem) -> String {
        MediaType.told(item.mimeType, named: item.name)
    }

    /// Without parameters, as types are compared.
    private static func essence(_ mediaType: String) -> String {
        mediaType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    public init(mediaType: String) {
        let essence = Self.essence(mediaType)
        self = Self.byType[essence] ?? Self.byFamily(essence)
    }

    /// The word for it.
    public var phrase: Phrase {
        switch self {
        case .folder: .kindFolder
        case .image: .kindImage
        case .video: .kindVideo
        case .audio: .kindAudio
        case .pdf: .kindPDF
        case .text: .kindText
        case .code: .kindCode
        case .archive: .kindArchive
        case .document: .kindDocument
        case .sheet: .kindSheet
        case .slides: .kindSlides
        case .other: .kindOther
        }
    }

    private static func byFamily(_ essence: String) -> FileKind {
        if essence.hasPrefix("image/") { return .image }
        if essence.hasPrefix("video/") { return .video }
        if essence.hasPrefix("audio/") { return .audio }
        if ["text/x-tex", "text/x-bibtex", "text/x-rst", "text/x-org", "text/x-subrip"].contains(essence) {
            return .text
        }
        if essence.hasPrefix("text/x-") { return .code }
        if essence.hasPrefix("text/") { return .text }
        if essence.hasPrefix("application/vnd.openxmlformats-officedocument.spreadsheet") { return .sheet }
        if essence.hasPrefix("application/vnd.openxmlformats-officedocument.presentation") { return .slides }
        if essence.hasPrefix("application/vnd.openxmlformats-officedocument.word") { return .document }
        return .other
    }

    private static let byType: [String: FileKind] = [
        "application/pdf": .pdf,
        "text/html": .code, "text/css": .code, "text/javascript": .code, "application/json": .code,
        "application/xml": .code, "application/yaml": .code, "application/toml": .code, "image/svg+xml": .image,
        "text/csv": .sheet, "text/tab-separated-values": .sheet, "application/vnd.ms-excel": .sheet,
        "application/vnd.oasis.opendocument.spreadsheet": .sheet,
        "application/msword": .document, "application/rtf": .document, "application/epub+zip": .document,
        "application/vnd.oasis.opendocument.text": .document,
        "application/vnd.ms-powerpoint": .slides, "application/vnd.oasis.opendocument.presentation": .slides,
        "application/zip": .archive, "application/gzip": .archive, "application/zstd": .archive,
        "application/x-bzip2": .archive, "application/x-xz": .archive, "application/x-7z-compressed": .archive,
        "application/vnd.rar": .archive, "application/x-tar": .archive,
    ]
}
