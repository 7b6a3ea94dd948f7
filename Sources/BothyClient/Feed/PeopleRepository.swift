import BothyContract

/// A page of the people of a server, by name.
public struct PeoplePage: Equatable, Sendable {
    public var people: [Person]
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?
    /// Why these are the people who were known here before; nil where the server has just answered.
    public var unreached: ClientFailure?

    public init(people: [Person], next: String?, unreached: ClientFailure? = nil) {
        self.people = people
        self.next = next
        self.unreached = unreached
    }
}

/// The people of the server, and whom of them a person follows.
public protocol PeopleRepository: Sendable {
    /// - Parameters:
    ///   - search: what a name or a handle begins with; nil for everybody.
    ///   - relation: what they are to oneself; nil for everybody.
    /// - Throws: `offline`: the list of people is not kept.
    func page(
        matching search: String?, _ relation: PersonRelation?, after place: String?, limit: Int
    ) async throws -> PeoplePage

    /// With how much there is of hers.
    ///
    /// - Throws: `notFound`; `offline` for a person who is not known here.
    func person(_ id: Int64) async throws -> Known<Person>

    /// - Returns: nil where nobody has that handle.
    /// - Throws: `offline`.
    func person(handle: Handle) async throws -> Person?

    /// Oneself.
    ///
    /// - Throws: `offline` where that is not known here.
    func you() async throws -> Known<Person>

    /// A small picture of somebody, or the initials of her name.
    ///
    /// - Throws: `notFound`; `offline`.
    func picture(of person: Int64) async throws -> ContentPlace

    /// Changes what one says of oneself.
    ///
    /// - Throws: `nameConflict` for a handle that somebody else has; `refused`; `offline`.
    func update(_ update: ProfileUpdate) async throws -> Person

    /// A code that lets one person in, once, and that is told this once.
    ///
    /// - Throws: `accountRefused` where the server makes no accounts; `serverBusy` where too many are open; `offline`.
    func invite() async throws -> InviteResponse

    /// - Returns: false where she is asked first.
    /// - Throws: `notFound`; `offline`.
    @discardableResult
    func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws -> Bool

    /// Lets somebody follow who has asked to, or does not.
    ///
    /// - Throws: `notFound`; `offline`.
    func answer(_ isAccepted: Bool, to person: Int64) async throws

    /// Removes a follower.
    ///
    /// - Throws: `notFound`; `offline`.
    func remove(follower person: Int64) async throws

    /// What somebody posts stays out of the feed.
    ///
    /// - Throws: `notFound`; `offline`.
    func setMuted(_ isMuted: Bool, _ person: Int64) async throws

    /// Hides two from each other.
    ///
    /// - Throws: `notFound`; `offline`.
    func setBlocked(_ isBlocked: Bool, _ person: Int64) async throws

    /// Reports a post to the server's operator.
    ///
    /// - Throws: `notFound`; `refused` for a post of one's own; `offline`.
    func report(_ post: Int64, because reason: String) async throws
}

extension PeopleRepository {
    /// Everybody.
    public func page(after place: String?, limit: Int) async throws -> PeoplePage {
        try await page(matching: nil, nil, after: place, limit: limit)
    }
}
