import BothyContract

/// Who may read a post, as a screen marks it.
public struct PostReach: Equatable, Sendable {
    public var kind: PostAudience.Kind
    /// «Everyone here», «For followers», «Only for Ann, Ben».
    public var words: String
    /// It can be shared.
    public var isForEveryone: Bool { kind == .everyone }

    /// - Parameter you: the reader, who is not named; nil where she is not among those who are.
    init(_ audience: PostAudience, you: Int64?, words: Words) {
        kind = audience.kind
        let names = (audience.people ?? []).filter { $0.id != you }.map { ShownName.of($0.name) }
        self.words =
            switch audience.kind {
            case .everyone: words[.audienceEveryone]
            case .followers: words[.postToFollowers]
            case .people: words.filled(.postToPeople, names.joined(separator: ", "))
            }
    }
}
