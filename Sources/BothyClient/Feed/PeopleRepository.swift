import BothyContract

/// A page of the people of a server, by name.
public struct PeoplePage: Equatable, Sendable {
    public var people: [Person]
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?

    public init(people: [Person], next: String?) {
        self.people = people
        self.next = next
    }
}

/// The people of the server, and whom of them a person follows.
public protocol PeopleRepository: Sendable {
    /// - Throws: `offline`: who is there is not kept.
    func page(after place: String?, limit: Int) async throws -> PeoplePage

    /// - Throws: `notFound`; `offline`.
    func person(_ id: Int64) async throws -> Person

    /// - Throws: `notFound`; `offline`.
    func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws
}
