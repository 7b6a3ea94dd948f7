import BothyContract

/// What stands beside a person's name: the picture that she has chosen, or the initials of her name.
public struct Face: Equatable, Sendable {
    /// Which picture of whom.
    public struct Picture: Equatable, Sendable {
        public var person: Int64
        /// Another one for each that she chooses.
        public var version: Int64
    }

    /// Where there is no picture, and until it is there.
    public var initials: Initials
    /// Nil where she has chosen none.
    public var picture: Picture?

    public var text: String { initials.text }

    /// - Parameter path: of her picture on the server.
    init(name: String, id: Int64, pictureAt path: String?) {
        initials = Initials(name: name, id: id)
        picture = Person.version(ofPictureAt: path).map { Picture(person: id, version: $0) }
    }

    init(_ author: AuthorPreview) {
        self.init(name: author.name, id: author.id, pictureAt: author.profileImageThumbnailUrl)
    }
}
