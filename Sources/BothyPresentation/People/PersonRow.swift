import BothyContract

/// A person as a list shows her.
public struct PersonRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    public var name: String
    /// With its `@`.
    public var handle: String
    public var face: Face
    /// What she says of herself, as it is typed; nil for nothing.
    public var bio: String?
    public var isYou: Bool
    public var isFollowed: Bool
    /// She was asked, and has not answered.
    public var isAsked: Bool
    public var followsYou: Bool
    public var isMuted: Bool
    public var isBlocked: Bool
    /// «follows you», «that is you»; nil for neither.
    public var note: String?

    init(_ person: Person, words: Words) {
        id = person.id
        name = ShownName.of(person.name)
        handle = "@" + person.handle
        face = Face(name: person.name, id: person.id, pictureAt: person.profileImageThumbnailUrl)
        bio = person.bio
        isYou = person.isYou
        isFollowed = person.following
        isAsked = person.requested == true
        followsYou = person.followsYou
        isMuted = person.muted == true
        isBlocked = person.blocked == true
        note =
            person.isYou
            ? words[.thatIsYou]
            : isBlocked
                ? words[.isBlockedNote]
                : isMuted ? words[.isMutedNote] : person.followsYou ? words[.followsYou] : nil
    }
}
