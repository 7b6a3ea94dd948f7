import BothyContract

/// What an address of a content shows.
enum ShownContent: Sendable {
    case whole(StoredContent)
    /// Without what cameras write.
    ///
    /// - Parameter tag: what its tag is made of.
    case cleaned(CleanedContent, tag: String)

    /// What is told of it beside its bytes.
    var content: StoredContent {
        switch self {
        case .whole(let content): content
        case .cleaned(let cleaned, _): cleaned.content
        }
    }

    /// Bytes that are shown.
    var size: Int64 {
        switch self {
        case .whole(let content): content.size
        case .cleaned(let cleaned, _): cleaned.plan.size
        }
    }

    /// As `ETag` has it.
    var tag: String {
        switch self {
        case .whole(let content): "\"\(content.checksum.hex)\""
        case .cleaned(_, let tag): "\"\(tag)\""
        }
    }

    /// As `Repr-Digest` has it; nil where it is not known, since nobody has read all of it.
    var digest: String? {
        switch self {
        case .whole(let content): content.checksum.digestField
        case .cleaned: nil
        }
    }
}
