import BothyContract

/// What stands on each side of an operation that met something else.
extension ReplicaEngine {
    /// A conflict with what is there now, as far as it is known here.
    struct Meeting: Sendable {
        var operation: JournalOperation
        var place: RemotePath?
        /// What it is done to, as it is shown.
        var subject: ReplicaFile?
        /// What it met, as the server has it.
        var there: ReplicaFile?
    }

    func meetings() async throws -> [Meeting] {
        var meetings = [Meeting]()
        for operation in try await conflicts() { meetings.append(try await meeting(operation)) }
        return meetings
    }

    /// - Throws: `notFound` where there is no such conflict any more.
    func meeting(_ id: Int64) async throws -> Meeting {
        guard let operation = try await conflicts().first(where: { $0.id == id }) else { throw Self.unknown }
        return try await meeting(operation)
    }

    private func meeting(_ operation: JournalOperation) async throws -> Meeting {
        Meeting(
            operation: operation, place: try await place(of: operation), subject: try await file(operation.subject),
            there: try await met(operation))
    }

    private func met(_ operation: JournalOperation) async throws -> ReplicaFile? {
        let store = try store()
        switch operation.action {
        case .upload(let parent, let name, _, _), .createFolder(let parent, let name):
            return try await taken(name, in: parent)
        case .rename(let name):
            let parent = try await store.cached(operation.subject)?.parent
            return try await taken(name, in: parent ?? .root, besides: operation.subject)
        case .move(let parent, let name):
            let known = try await store.cached(operation.subject)?.name
            guard let name = name ?? known else { return nil }
            return try await taken(name, in: parent, besides: operation.subject)
        case .newRevision, .trash, .restore, .star, .hide: return try await store.cached(operation.subject)
        }
    }

    /// What has the name on the server.
    private func taken(
        _ name: String, in parent: LUID, besides subject: LUID? = nil
    ) async throws -> ReplicaFile? {
        try await store().ground { ground in
            guard let luid = try ground.child(at: NameInFolder(parent: parent, name: name)), luid != subject else {
                return nil
            }
            return try ground.file(luid)
        }
    }
}
