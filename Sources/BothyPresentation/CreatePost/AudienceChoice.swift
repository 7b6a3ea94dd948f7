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

    /// Without a connection nobody can be chosen, and the post is to everyone or to who follows.
    static func open(_ kind: PostAudience.Kind, _ chosen: [Int64], from people: any PeopleRepository) async -> Self {
        var choice = AudienceChoice(kind: kind)
        // Who is there is the server's to say: without it there is nobody to choose, and the page says nothing of them.
        guard let page = try? await people.page(after: nil, limit: most) else { return choice }
        let ids = Set(chosen)
        choice.people = page.people.filter { !$0.isYou }.map {
            Person(id: $0.id, name: ShownName.of($0.name), isChosen: ids.contains($0.id))
        }
        return choice
    }

    /// - Returns: nil where it is to people, and none is chosen.
    func audience(_ chosen: [Int64]) -> NewPostAudience? {
        guard kind == .people else { return NewPostAudience(kind: kind) }
        return chosen.isEmpty ? nil : NewPostAudience(kind: .people, people: chosen)
    }
}
