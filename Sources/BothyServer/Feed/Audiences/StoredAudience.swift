import BothyContract

/// Who may read a post, as its row says.
struct StoredAudience: Equatable, Sendable {
    var kind: PostAudience.Kind
    /// For `people`.
    var conversationId: Int64?

    /// - Returns: nil for a kind that this release does not know, which nobody but the author reads.
    init?(kind: String, conversationId: Int64?) {
        guard let kind = PostAudience.Kind(rawValue: kind) else { return nil }
        (self.kind, self.conversationId) = (kind, conversationId)
    }

    private init(_ kind: PostAudience.Kind, _ conversationId: Int64? = nil) {
        (self.kind, self.conversationId) = (kind, conversationId)
    }

    /// - Parameter conversationId: the id of a conversation that has to be made.
    /// - Throws: `invalid_parameter` where somebody is named who is not here.
    static func made(
        of asked: NewAudience, by author: Int64, conversationId: Int64, in db: any SQLConnection
    ) throws -> StoredAudience {
        switch asked {
        case .everyone: return StoredAudience(.everyone)
        case .followers: return StoredAudience(.followers)
        case .people(let people):
            let others = people.subtracting([author])
            guard !others.isEmpty else {
                throw Problem(.invalidParameter, "A post to people needs somebody besides its author.")
            }
            for person in others { try requirePerson(person, seenBy: author, db) }
            return StoredAudience(
                .people,
                try ConversationTable(db).conversation(of: others.union([author]), newId: conversationId))
        }
    }

    private static func requirePerson(_ id: Int64, seenBy author: Int64, _ db: any SQLConnection) throws {
        let isThere = try db.first(
            "SELECT 1 FROM accounts WHERE user_id = ? AND disabled = 0 AND NOT \(PeopleBlockTable.hides("?", "user_id"))",
            [id.sql, author.sql])
        guard isThere != nil else {
            throw Problem(
                .invalidParameter, "There is nobody with the id \(id), so the post cannot be addressed to them.")
        }
    }

}

extension StoredAudience {
    /// Whether a post is to people by name, and to nobody else.
    static func isToPeople(_ postId: Int64, by author: Int64, in db: any SQLConnection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM posts WHERE author_id = ? AND post_id = ? AND audience = ?",
            [author.sql, postId.sql, PostAudience.Kind.people.rawValue.sql]) != nil
    }

    /// Whether nobody reads a post of this audience who does not read one of the other.
    func isWithin(_ other: StoredAudience?, of author: Int64, in db: any SQLConnection) throws -> Bool {
        guard let other else { return false }
        switch (other.kind, kind) {
        case (.everyone, _), (.followers, .followers): return true
        case (.followers, .everyone), (.people, .everyone), (.people, .followers): return false
        case (.followers, .people):
            return try members(db).allSatisfy { member in
                try member == author
                    || db.first(
                        "SELECT 1 FROM follows WHERE follower_id = ? AND author_id = ?", [member.sql, author.sql])
                        != nil
            }
        case (.people, .people): return try members(db).isSubset(of: other.members(db))
        }
    }

    private func members(_ db: any SQLConnection) throws -> Set<Int64> {
        guard let conversationId else { return [] }
        return try ConversationTable(db).memberIds(of: conversationId)
    }
}

extension NewPostAudience {
    /// As its author is told: of those who are named, who is still here and is not hidden from her by a block.
    func shown(to author: Int64, in db: any SQLConnection) throws -> PostAudience {
        let people = try people.map { try PersonTable(db, seenBy: author).previews(of: $0.filter { $0 != author }) }
        return PostAudience(kind: kind, people: people)
    }
}

extension StoredAudience? {
    /// As readers are told. A kind of a later release is shown as the narrowest.
    func shown(of author: Int64, in db: any SQLConnection) throws -> PostAudience {
        guard let self else { return PostAudience(kind: .people, people: []) }
        guard let conversationId = self.conversationId else { return PostAudience(kind: self.kind) }
        let members = try ConversationTable(db).members(of: conversationId)
        return PostAudience(
            kind: self.kind, people: members.filter { $0.id != author }, conversationId: conversationId)
    }
}

/// Who shall read a post: what was asked, read and checked as far as that needs no database.
package enum NewAudience: Equatable, Sendable {
    case everyone, followers
    case people(Set<Int64>)

    /// - Parameter mayNameNobody: whether those who are named may still have to be chosen.
    /// - Throws: `invalid_parameter`, with what is wrong.
    init(_ asked: NewPostAudience?, mayNameNobody: Bool = false) throws {
        guard let asked else {
            self = .everyone
            return
        }
        guard asked.kind == .people || asked.people == nil else {
            throw Problem(.invalidParameter, "Only a post to “people” names them.")
        }
        switch asked.kind {
        case .everyone: self = .everyone
        case .followers: self = .followers
        case .people:
            let people = Set(asked.people ?? [])
            guard ((mayNameNobody ? 0 : 1)...FeedLimits.maximumPeople).contains(people.count) else {
                throw Problem(.invalidParameter, "A post to people names 1 to \(FeedLimits.maximumPeople) of them.")
            }
            self = .people(people)
        }
    }
}
