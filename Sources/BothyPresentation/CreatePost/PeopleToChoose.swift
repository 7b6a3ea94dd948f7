import BothyClient
import BothyContract

/// The people whom a post can be to, as its page lists them: who is chosen already, then who is found by what was typed, or else
/// who is offered.
public struct PeopleToChoose: Equatable, Sendable {
    /// People who are found.
    private static let most = 50
    /// Bytes of what is typed.
    private static let longest = 200

    /// What was typed to find somebody.
    public var typed: String
    public var people: [AudienceChoice.Person]
    /// Nobody has a name or a handle like that.
    public var isNobody: Bool

    public init(typed: String, people: [AudienceChoice.Person], isNobody: Bool = false) {
        self.typed = typed
        self.people = people
        self.isNobody = isNobody
    }

    /// Without an answer: those who are offered are there still, and so are those who were chosen, by number where no name is known.
    ///
    /// - Parameter chosen: ids of those who were chosen before.
    public static func unfound(
        _ typed: String, chosen: [Int64], offered: [AudienceChoice.Person]
    ) -> PeopleToChoose {
        let (known, ids) = (Set(offered.map(\.id)), Set(chosen))
        let others = chosen.filter { !known.contains($0) }.prefix(FeedLimits.maximumPeople).map {
            AudienceChoice.Person(id: $0, name: String($0), isChosen: true)
        }
        let there = offered.map {
            AudienceChoice.Person(id: $0.id, name: $0.name, isChosen: $0.isChosen || ids.contains($0.id))
        }
        return PeopleToChoose(typed: typed, people: others + there)
    }

    /// - Parameters:
    ///   - typed: the beginning of a name or a handle; empty for everybody who is offered.
    ///   - chosen: ids of those who were chosen before.
    /// - Throws: `offline`.
    public static func find(
        _ typed: String, chosen: [Int64], offered: [AudienceChoice.Person], in all: any PeopleRepository
    ) async throws -> PeopleToChoose {
        let typed = String(decoding: typed.utf8.prefix(longest), as: UTF8.self)
        var found = offered
        if !typed.isEmpty {
            found = try await all.page(matching: typed, nil, after: nil, limit: most).people.filter { !$0.isYou }.map {
                AudienceChoice.Person(id: $0.id, name: ShownName.of($0.name), isChosen: false)
            }
        }
        let before = chosen + offered.filter { $0.isChosen && !chosen.contains($0.id) }.map(\.id)
        let kept = try await named(before.filter { id in !found.contains { $0.id == id } }, offered, in: all)
        let ids = Set(before)
        return PeopleToChoose(
            typed: typed,
            people: kept + found.map { AudienceChoice.Person(id: $0.id, name: $0.name, isChosen: ids.contains($0.id)) },
            isNobody: !typed.isEmpty && found.isEmpty)
    }

    /// Who was chosen and is not among those who are listed. Somebody who is not there any more is not chosen any more.
    private static func named(
        _ ids: [Int64], _ offered: [AudienceChoice.Person], in all: any PeopleRepository
    ) async throws -> [AudienceChoice.Person] {
        var named = [AudienceChoice.Person]()
        for id in ids.prefix(FeedLimits.maximumPeople) {
            if let known = offered.first(where: { $0.id == id }) {
                named.append(known)
                continue
            }
            do {
                let name = ShownName.of(try await all.person(id).value.name)
                named.append(AudienceChoice.Person(id: id, name: name, isChosen: true))
            } catch let failure as ClientFailure where failure.code == .notFound {
                continue
            }
        }
        return named.map { AudienceChoice.Person(id: $0.id, name: $0.name, isChosen: true) }
    }
}
