import BothyContract

/// A page of the people of this server, by name.
package struct PeopleListing: Sendable {
    package var limit: Int
    package var after: Position?
    /// Words, each of which a word of the name or the handle has to begin with.
    package var terms: [String]
    /// What they are to the caller; nil for everybody.
    package var relation: PersonRelation?

    package init(
        limit: Int, after: Position? = nil, terms: [String] = [], relation: PersonRelation? = nil
    ) {
        self.limit = limit
        self.after = after
        self.terms = terms
        self.relation = relation
    }

    /// The last one of a page. Two may have one name, so their ids put them in order.
    package struct Position: Codable, Equatable, Sendable {
        package var name: String
        package var userId: Int64
    }

    package struct Page: Sendable {
        package var people: [Person]
        /// Nil on the last page.
        package var next: Position?
    }

    package func page(in db: any SQLConnection, seenBy viewer: Int64) throws -> Page {
        var people = try PersonTable(db, seenBy: viewer).page(matching: terms, relation, after: after, limit: limit + 1)
        let hasMore = people.count > limit
        if hasMore { people.removeLast() }
        return Page(
            people: people,
            next: hasMore ? people.last.map { Position(name: $0.name, userId: $0.id) } : nil)
    }
}
