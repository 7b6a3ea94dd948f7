import BothyContract

/// The people of this server, and who follows whom.
package struct People: Sendable {
    private let database: any Database
    private let clock: any ServerClock
    private let telling: TellingGround
    private let ids: SnowflakeIds

    package init(database: any Database, clock: any ServerClock, telling: TellingGround, ids: SnowflakeIds) {
        self.database = database
        self.telling = telling
        self.ids = ids
        self.clock = clock
    }

    /// - Parameters:
    ///   - search: what a name or a handle begins with; nil for everybody.
    ///   - relation: what they are to the caller; nil for everybody.
    /// - Throws: `page_invalid`.
    package func page(
        after: String?, limit: Int, search: String? = nil, _ relation: PersonRelation? = nil, for caller: Caller
    ) async throws -> GetUsersResponse {
        if relation == .suggested {
            let most = min(limit, PersonLimits.suggestions)
            let people = try await database.read {
                try PersonTable($0, seenBy: caller.userId).suggestions(limit: most)
            }
            return Self.page(people, limit)
        }
        let terms = search.map { NameWords.terms(of: $0) } ?? []
        if search != nil, terms.isEmpty { return Self.page([], limit) }
        let listing = PeopleListing(
            limit: limit, after: try PageCursor.read(PeopleListing.Position.self, from: after), terms: terms,
            relation: relation)
        let page = try await database.read { try listing.page(in: $0, seenBy: caller.userId) }
        return Self.page(page.people, next: try page.next.map { try PageCursor.text($0) }, limit)
    }

    /// A page with the one who has a handle, or with nobody.
    package func page(handle typed: String, limit: Int, for caller: Caller) async throws -> GetUsersResponse {
        guard let handle = Handle(typed) else { return Self.page([], limit) }
        let found = try await database.read { try PersonTable($0, seenBy: caller.userId).find(handle) }
        return Self.page(found.map { [$0] } ?? [], limit)
    }

    private static func page(_ people: [Person], next: String? = nil, _ limit: Int) -> GetUsersResponse {
        GetUsersResponse(users: people, pagination: PaginationMetadata(next: next, limit: limit))
    }

    /// With how much there is of hers.
    ///
    /// - Throws: `not_found`.
    package func find(_ id: Int64, for caller: Caller) async throws -> Person {
        try await database.read { try PersonTable($0, seenBy: caller.userId).profile(id) }
    }

    /// What is shown of somebody.
    struct Face: Sendable {
        /// What is drawn where there is no picture.
        var initials: Initials
        var picture: StoredContent?
        /// Of the picture.
        var version: Int64?
    }

    /// - Throws: `not_found`.
    func face(of id: Int64, for caller: Caller) async throws -> Face {
        try await database.read { db in
            let person = try PersonTable(db, seenBy: caller.userId).require(id)
            let version = try ProfileTable(db).picture(of: id)
            return Face(
                initials: Initials(name: person.name, id: id),
                picture: try version.flatMap { try AttachmentTable(db, of: id).held($0) }, version: version)
        }
    }

    /// What the caller says of herself.
    ///
    /// - Throws: `invalid_parameter`; `handle_taken`.
    package func update(_ update: ProfileUpdate, for caller: Caller) async throws -> Person {
        let (fields, id, pictureId) = (try ProfileFields(update), caller.userId, ids.next())
        return try await database.write { db in
            let (profiles, people) = (ProfileTable(db), PersonTable(db, seenBy: id))
            if let handle = fields.handle, try !profiles.take(handle, for: id) {
                throw Problem(.handleTaken, "“@\(handle.text)” is already taken.")
            }
            if let name = fields.name { try profiles.setName(name, of: id) }
            if let bio = fields.bio { try profiles.setBio(bio, of: id) }
            if let picture = fields.picture { try setPicture(picture, of: id, as: pictureId, in: db) }
            if let approves = fields.approves { try setApproving(approves, of: id, in: db) }
            let person = try people.profile(id)
            try profiles.index(id, name: person.name, handle: person.handle)
            return person
        }
    }

    /// The old one is let go of once the new one is held: they may be one content.
    private func setPicture(
        _ picture: ProfileFields.Picture, of id: Int64, as pictureId: Int64, in db: any SQLConnection
    ) throws {
        let (profiles, attachments) = (ProfileTable(db), AttachmentTable(db, of: id))
        let old = try profiles.picture(of: id)
        switch picture {
        case .none: try profiles.setPicture(nil, of: id)
        case .revision(let revision):
            guard try attachments.content(revision) != nil else { throw ProfileFields.unknownPicture }
            try attachments.hold(.image, revision, as: pictureId)
            try profiles.setPicture(pictureId, of: id)
        }
        if let old { try attachments.letGo([old], lived: telling.lived()) }
    }

    /// Those who have waited become followers when nobody is asked any more.
    private func setApproving(_ approves: Bool, of id: Int64, in db: any SQLConnection) throws {
        try ProfileTable(db).setApproving(approves, of: id)
        guard !approves else { return }
        for follower in try FollowTable(db).asking(id) { try accept(follower, of: id, in: db) }
    }

    fileprivate func accept(_ follower: Int64, of author: Int64, in db: any SQLConnection) throws {
        try FollowTable(db).withdraw(follower, of: author)
        try Household(db).follow(follower, author)
    }
}

/// What people are to each other.
extension People {
    /// A person who is followed has her posts in the follower's feed; one who no longer is has none in it.
    ///
    /// - Returns: false where she is asked first.
    /// - Throws: `not_found`; `invalid_parameter` for oneself.
    @discardableResult
    package func setFollowing(_ isFollowing: Bool, _ id: Int64, for caller: Caller) async throws -> Bool {
        try Self.requireOther(id, caller, "You cannot follow yourself.")
        let (now, hearers) = (clock.now(), FeedHearers())
        let isDone = try await database.write { [telling] db in
            let (follows, telling) = (FollowTable(db), telling.telling(db, actor: caller.userId, to: hearers))
            if !isFollowing {
                let asked = try follows.withdraw(caller.userId, of: id)
                let followed = try follows.delete(caller.userId, of: id)
                // Also one whose account is disabled; of others it is told whether they are here.
                if !asked, !followed { _ = try PersonTable(db, seenBy: caller.userId).require(id) }
                if followed { try FeedEntryTable(db).unfollow(id, by: caller.userId) }
                try telling.unfollowed(id)
                return true
            }
            let person = try PersonTable(db, seenBy: caller.userId).require(id)
            if person.approvesFollowers == true, !person.following {
                try follows.ask(caller.userId, of: id, now: now)
                try telling.askedToFollow(id)
                return false
            } else {
                try Household(db).follow(caller.userId, id)
                if !person.following { try telling.followed(id) }
            }
            return true
        }
        await telling.wake(hearers)
        return isDone
    }

    /// Lets somebody follow the caller who asked to, or does not.
    ///
    /// - Throws: `not_found` where she has not asked.
    package func answer(_ isAccepted: Bool, to follower: Int64, for caller: Caller) async throws {
        try await database.write { db in
            _ = try PersonTable(db, seenBy: caller.userId).require(follower)
            guard try FollowTable(db).withdraw(follower, of: caller.userId) else {
                throw Problem(.notFound, "There is no such follow request.")
            }
            if isAccepted { try self.accept(follower, of: caller.userId, in: db) }
        }
    }

    /// Somebody no longer follows the caller, and is not told. Nothing where she does not.
    ///
    /// - Throws: `not_found`.
    package func remove(follower: Int64, for caller: Caller) async throws {
        try await database.write { db in
            if try FollowTable(db).delete(follower, of: caller.userId) {
                return try FeedEntryTable(db).unfollow(caller.userId, by: follower)
            }
            _ = try PersonTable(db, seenBy: caller.userId).require(follower)
        }
    }

    /// Keeps what somebody posts and shares out of the caller's feed, without telling her.
    ///
    /// - Throws: `not_found`; `invalid_parameter` for oneself.
    package func setMuted(_ isMuted: Bool, _ id: Int64, for caller: Caller) async throws {
        try Self.requireOther(id, caller, "You cannot mute yourself.")
        try await database.write { db in
            _ = try PersonTable(db, seenBy: caller.userId).require(id)
            let blocks = PeopleBlockTable(db)
            if isMuted { try blocks.mute(id, by: caller.userId) } else { try blocks.unmute(id, by: caller.userId) }
        }
    }

    /// Hides the caller and somebody from each other, everywhere, and ends what they followed of each other.
    ///
    /// - Throws: `not_found`; `invalid_parameter` for oneself.
    package func setBlocked(_ isBlocked: Bool, _ id: Int64, for caller: Caller) async throws {
        try Self.requireOther(id, caller, "You cannot block yourself.")
        try await database.write { db in
            let blocks = PeopleBlockTable(db)
            guard isBlocked else { return try blocks.unblock(id, by: caller.userId) }
            // Whom she has blocked she does not see.
            if try blocks.has(id, by: caller.userId) { return }
            _ = try PersonTable(db, seenBy: caller.userId).require(id)
            try blocks.block(id, by: caller.userId)
        }
    }

    private static func requireOther(_ id: Int64, _ caller: Caller, _ words: String) throws {
        guard id != caller.userId else { throw Problem(.invalidParameter, words) }
    }
}
