import BothyContract

/// Who wrote a post, as a screen says it.
public struct PostAuthor: Equatable, Sendable {
    public var id: Int64
    public var name: String
    /// With its `@`; nil where it is not known here.
    public var handle: String?
    public var face: Face
    public var isYou: Bool

    init(_ author: AuthorPreview, you: Int64) {
        id = author.id
        name = ShownName.of(author.name)
        handle = author.handle.map { "@" + $0 }
        face = Face(author)
        isYou = author.id == you
    }
}
