import BothyContract

/// The people of the server. Who is there is the server's to say, and is kept here for when it cannot be asked; whom a person follows waits
/// in the journal like what is done with posts.
package struct DevicePeople: PeopleRepository {
    private let remote: PeopleRemoteSource
    private let store: FeedStore
    private let journal: FeedJournal

    init(_ remote: PeopleRemoteSource, store: FeedStore, journal: FeedJournal) {
        self.remote = remote
        self.store = store
        self.journal = journal
    }

    package func page(
        matching search: String?, _ relation: PersonRelation?, after place: String?, limit: Int
    ) async throws -> PeoplePage {
        do {
            let page = try await remote.page(matching: search, relation, after: place, limit: limit)
            let next = page.pagination.next
            let isWhole = search == nil && relation == nil && place == nil && next == nil
            try await store.put(page.users, isWhole: isWhole)
            return PeoplePage(people: try await store.shown(page.users), next: next)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown && place == nil {
            let known = try await store.people()
            guard !known.isEmpty, let found = Self.found(known, search, relation) else { throw failure }
            return PeoplePage(people: found, next: nil, unreached: failure)
        }
    }

    /// - Returns: nil for a relation that is not known here.
    private static func found(_ known: [Person], _ search: String?, _ relation: PersonRelation?) -> [Person]? {
        let wanted = search?.lowercased() ?? ""
        let named = known.filter {
            wanted.isEmpty || $0.name.lowercased().hasPrefix(wanted) || $0.handle.hasPrefix(wanted)
        }
        switch relation {
        case nil: return named
        case .following: return named.filter(\.following)
        case .followers: return named.filter(\.followsYou)
        case .muted: return named.filter { $0.muted == true }
        case .blocked: return named.filter { $0.blocked == true }
        case .requests, .suggested: return nil
        }
    }

    package func person(_ id: Int64) async throws -> Known<Person> {
        try await kept {
            try await remote.person(id)
        } orHere: {
            try await store.person(id)
        }
    }

    package func person(handle: Handle) async throws -> Person? {
        do {
            guard let person = try await remote.person(handle: handle) else { return nil }
            try await store.put([person])
            return try await store.shown([person]).first
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            guard let known = try await store.people().first(where: { $0.handle == handle.text }) else { throw failure }
            return known
        }
    }

    package func you() async throws -> Known<Person> {
        try await kept {
            try await remote.you()
        } orHere: {
            try await store.people().first(where: \.isYou)
        }
    }

    private func kept(
        _ there: () async throws -> Person, orHere here: () async throws -> Person?
    ) async throws -> Known<Person> {
        do {
            let person = try await there()
            try await store.put([person])
            return Known(try await store.shown([person]).first ?? person)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            guard let known = try await here() else { throw failure }
            return Known(known, unreached: failure)
        }
    }

    /// A person who is followed without a connection is shown as followed at once.
    package func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws -> Bool {
        _ = try await journal.act(.follow(person: person, isFollowing))
        return try await store.person(person)?.requested != true
    }

    package func picture(of person: Int64) async throws -> ContentPlace {
        .here(try await remote.picture(of: person))
    }

    package func update(_ update: ProfileUpdate) async throws -> Person { try await remote.update(update) }

    package func invite() async throws -> InviteResponse { try await remote.invite() }

    package func answer(_ isAccepted: Bool, to person: Int64) async throws {
        try await remote.set(isAccepted, "request", person)
    }

    package func remove(follower person: Int64) async throws { try await remote.set(false, "follower", person) }

    package func setMuted(_ isMuted: Bool, _ person: Int64) async throws {
        try await remote.set(isMuted, "mute", person)
    }

    package func setBlocked(_ isBlocked: Bool, _ person: Int64) async throws {
        try await remote.set(isBlocked, "block", person)
    }

    package func report(_ post: Int64, because reason: String) async throws {
        try await remote.report(post, because: reason)
    }
}
