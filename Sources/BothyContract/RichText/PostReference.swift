import Foundation

/// What words of a post name: a person, or a hashtag. The server alone makes them, from `@handle` and `#tag`.
public enum PostReference: Hashable, Sendable {
    /// - Parameter person: a Snowflake id, the account's.
    case mention(person: Int64)
    /// - Parameter tag: as ``PostTag/folded(_:)`` has it.
    case hashtag(tag: String)

    /// - Parameters:
    ///   - address: of a link, as it is written.
    ///   - kind: its class.
    /// - Returns: nil for a link that is spelled in any other way than ``address`` and ``kind`` do.
    init?(address: String, kind: String) {
        switch kind {
        case Self.mentionKind where address.hasPrefix(Self.people):
            guard let person = Int64(address.dropFirst(Self.people.count)), person > 0 else { return nil }
            self = .mention(person: person)
        case Self.hashtagKind where address.hasPrefix(Self.tags):
            let written = String(address.dropFirst(Self.tags.count))
            guard let tag = written.removingPercentEncoding, PostTag.folded(tag) == tag else { return nil }
            self = .hashtag(tag: tag)
        default: return nil
        }
        guard self.address == address else { return nil }
    }

    /// Where a browser finds more of it, on the server.
    public var address: String {
        switch self {
        case .mention(let person): Self.people + String(person)
        case .hashtag(let tag): Self.tags + PostTag.escaped(tag)
        }
    }

    /// The class of its link.
    public var kind: String {
        switch self {
        case .mention: Self.mentionKind
        case .hashtag: Self.hashtagKind
        }
    }

    private static let people = "/people/"
    private static let tags = "/feed/tags/"
    private static let mentionKind = "mention"
    private static let hashtagKind = "hashtag"
}
