import BothyContract

/// What an address of a content shows.
enum ShownContent: Sendable {
    case whole(StoredContent)
    /// Without what cameras write.
    ///
    /// - Parameter tag: what its tag is made of.
    case cleaned(CleanedContent, tag: String)
    /// As every browser plays it.
    ///
    /// - Parameter tag: what its tag is made of.
    case film(StoredContent, FilmFile, tag: String)

    /// What is told of it beside its bytes.
    var content: StoredContent {
        switch self {
        case .whole(let content): content
        case .cleaned(let cleaned, _): cleaned.content
        case .film(let content, _, _): content
        }
    }

    /// Bytes that are shown.
    var size: Int64 {
        switch self {
        case .whole(let content): content.size
        case .cleaned(let cleaned, _): cleaned.plan.size
        case .film(_, let film, _): film.size
        }
    }

    /// As `ETag` has it.
    var tag: String {
        switch self {
        case .whole(let content): "\"\(content.checksum.hex)\""
        case .cleaned(_, let tag): "\"\(tag)\""
        case .film(_, let film, let tag): "\"\(tag)-\(film.made)-\(film.size)\""
        }
    }

    /// As `Repr-Digest` has it; nil where it is not known, since nobody has read all of it.
    var digest: String? {
        switch self {
        case .whole(let content): content.checksum.digestField
        case .cleaned, .film: nil
        }
    }
}
