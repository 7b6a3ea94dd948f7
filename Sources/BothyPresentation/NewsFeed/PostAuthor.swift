import BothyContract

/// Who wrote a post, as a screen says it.
public struct PostAuthor: Equatable, Sendable {
    public var id: Int64
    public var name: String
    /// The first letter of the name, in place of a picture.
    public var initial: String
    public var isYou: Bool

    init(_ author: AuthorPreview, you: Int64) {
        id = author.id
        name = ShownName.of(author.name)
        initial = name.first.map { String($0).uppercased() } ?? "?"
        isYou = author.id == you
    }
}
