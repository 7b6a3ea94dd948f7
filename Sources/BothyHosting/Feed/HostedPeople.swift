import BothyClient
import BothyContract
import BothyServer

/// The people of the server, straight from its database.
struct HostedPeople: PeopleRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(
        matching search: String?, _ relation: PersonRelation?, after place: String?, limit: Int
    ) async throws -> PeoplePage {
        try await failing {
            let page = try await services.people.page(
                after: place, limit: limit, search: search, relation, for: caller)
            return PeoplePage(people: page.users, next: page.pagination.next)
        }
    }

    func person(_ id: Int64) async throws -> Known<Person> {
        Known(try await failing { try await services.people.find(id, for: caller) })
    }

    func person(handle: Handle) async throws -> Person? {
        try await failing { try await services.people.page(handle: handle.text, limit: 1, for: caller).users.first }
    }

    func you() async throws -> Known<Person> { try await person(caller.userId) }

    func picture(of person: Int64) async throws -> ContentPlace {
        let face = try await failing { try await services.faces.shown(of: person, for: caller) }
        return .here(
            ServedContent(
                name: String(person), mimeType: face.mimeType, size: Int64(face.bytes.readableBytes), checksum: nil
            ) { range, piece in
                guard let part = face.bytes.getSlice(at: Int(range.lowerBound), length: range.count) else { return }
                try await piece(part)
            })
    }

    func update(_ update: ProfileUpdate) async throws -> Person {
        try await failing { try await services.people.update(update, for: caller) }
    }

    func invite() async throws -> InviteResponse {
        try await failing { try await services.accounts.invite(note: "", by: caller) }
    }

    func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws -> Bool {
        try await failing { try await services.people.setFollowing(isFollowing, person, for: caller) }
    }

    func answer(_ isAccepted: Bool, to person: Int64) async throws {
        try await failing { try await services.people.answer(isAccepted, to: person, for: caller) }
    }

    func remove(follower person: Int64) async throws {
        try await failing { try await services.people.remove(follower: person, for: caller) }
    }

    func setMuted(_ isMuted: Bool, _ person: Int64) async throws {
        try await failing { try await services.people.setMuted(isMuted, person, for: caller) }
    }

    func setBlocked(_ isBlocked: Bool, _ person: Int64) async throws {
        try await failing { try await services.people.setBlocked(isBlocked, person, for: caller) }
    }

    func report(_ post: Int64, because reason: String) async throws {
        try await failing {
            try await services.moderation.report(ReportRequest(reason: reason), on: post, for: caller)
        }
    }
}
