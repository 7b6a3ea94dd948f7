import BothyClient
import BothyContract
import Observation

/// What a person's own page shows above her posts.
public struct ProfileState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        /// There is nobody with that number.
        case missing
        case failed(Notice)
    }

    /// What a person may change of it, as it is typed.
    public struct Typed: Equatable, Sendable {
        public var name = ""
        /// Without an `@`.
        public var handle = ""
        public var bio = ""
        /// Whether followers are asked for one by one.
        public var approves = false
        public var picture = Picture.same

        /// What becomes of the picture.
        public enum Picture: Equatable, Sendable {
            case same, none
            /// A picture among one's files.
            case file(ItemID)
        }

        public init(
            name: String = "", handle: String = "", bio: String = "", approves: Bool = false, picture: Picture = .same
        ) {
            self.name = name
            self.handle = handle
            self.bio = bio
            self.approves = approves
            self.picture = picture
        }
    }

    public var person: PersonRow?
    /// «12 posts», «3 followers», «5 followed»: how much there is of hers.
    public var counts = [String]()
    /// Why this is what was known here before; nil where the server has just answered.
    public var staleness: String?
    public var typed = Typed()
    public var standing = Standing.fresh
    /// What became of a change.
    public var notice: Notice?
    public var isSaved = false
}

/// One person, as she shows herself.
@MainActor @Observable
public final class ProfileStateHolder {
    public private(set) var state = ProfileState()

    @ObservationIgnored private let people: any PeopleRepository
    /// Finds a picture among one's files.
    @ObservationIgnored private let posts: (any PostsRepository)?
    @ObservationIgnored private let words: Words

    /// - Parameter posts: nil where nothing of the profile is changed.
    public init(_ people: any PeopleRepository, posts: (any PostsRepository)? = nil, words: Words) {
        self.people = people
        self.posts = posts
        self.words = words
    }

    public func open(_ id: Int64) async { await show { try await self.people.person(id) } }

    /// Oneself, to be changed.
    public func openYou() async { await show { try await self.people.you() } }

    /// - Returns: the number of the person who has the handle; nil where nobody does.
    public func find(handle typed: String) async -> Int64? {
        guard let handle = Handle(typed) else {
            state.standing = .missing
            return nil
        }
        do {
            let found = try await people.person(handle: handle)
            state.standing = found == nil ? .missing : .shown
            return found?.id
        } catch {
            state.standing = .failed(words.failure(error))
            return nil
        }
    }

    /// Changes what one says of oneself. What is refused stays as it was typed.
    public func save(_ typed: ProfileState.Typed) async {
        do {
            let update = ProfileUpdate(
                name: typed.name, handle: typed.handle, bio: typed.bio, approvesFollowers: typed.approves,
                picture: try await address(of: typed.picture))
            show(try await people.update(update))
            state.notice = Notice(words[.profileSaved])
            state.isSaved = true
        } catch {
            state.notice = words.failure(error)
            state.standing = .shown
        }
        if !state.isSaved { state.typed = typed }
    }

    /// - Returns: nil where it stays as it is.
    private func address(of picture: ProfileState.Typed.Picture) async throws -> String? {
        switch picture {
        case .same: return nil
        case .none: return ""
        case .file(let id): return try await posts?.attachable(id).onServer().attachment.contentUrl
        }
    }

    private func show(_ asking: () async throws -> Known<Person>) async {
        do {
            let known = try await asking()
            show(known.value)
            state.staleness = known.unreached.map(words.staleness)
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.standing = .missing
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func show(_ person: Person) {
        state.person = PersonRow(person, words: words)
        state.counts =
            person.counts.map { counts in
                [
                    words.counted(counts.posts, one: .countPostOne, many: .countPostMany),
                    words.counted(counts.followers, one: .countFollowerOne, many: .countFollowerMany),
                    words.counted(counts.following, one: .countFollowedOne, many: .countFollowedMany),
                ]
            } ?? []
        state.typed = ProfileState.Typed(
            name: person.name, handle: person.handle, bio: person.bio ?? "", approves: person.approvesFollowers ?? false
        )
        state.standing = .shown
    }
}
