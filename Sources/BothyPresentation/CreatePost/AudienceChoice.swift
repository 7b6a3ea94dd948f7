import BothyClient
import BothyContract

/// Who is to read a post, as the page of a new one asks.
public struct AudienceChoice: Equatable, Sendable {
    public struct Person: Equatable, Sendable, Identifiable {
        public var id: Int64
        public var name: String
        public var isChosen: Bool
    }

    public var kind = PostAudience.Kind.everyone
    /// Who can be chosen; empty where it is not known who is there.
    public var people = [Person]()

    /// People who are offered.
    private static let most = 100

    /// Without a connection nobody else can be chosen than was before.
    ///
    /// - Parameter named: people whose names are known, no matter who is there.
    static func open(
        _ audience: NewPostAudience, _ named: [AuthorPreview], from people: any PeopleRepository
    ) async -> Self {
        var choice = AudienceChoice(kind: audience.kind)
        let ids = Set(audience.people ?? [])
        // The server knows who is there: without it there is nobody else to choose, and the page says nothing of them.
        let there = (try? await people.page(after: nil, limit: most))?.people.filter { !$0.isYou } ?? []
        let known = Set(there.map(\.id))
        choice.people =
            named.filter { ids.contains($0.id) && !known.contains($0.id) }.map {
                Person(id: $0.id, name: ShownName.of($0.name), isChosen: true)
            }
            + there.map { Person(id: $0.id, name: ShownName.of($0.name), isChosen: ids.contains($0.id)) }
        return choice
    }
}
