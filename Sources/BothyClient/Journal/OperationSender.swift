import BothyContract

/// Does operations at the drive, each under its own request id.
struct OperationSender: Sendable {
    let store: ReplicaStore
    let drive: any DriveProvider

    struct Answer: Sendable {
        /// As it is now; nil for what was deleted.
        var file: File?
        var version: Int64

        init(_ file: File) {
            self.file = file
            version = file.version
        }

        init(version: Int64) { self.version = version }
    }

    func send(_ operation: JournalOperation) async throws -> Answer {
        let request = operation.requestId
        switch operation.action {
        case .createFolder(let parent, let name):
            return Answer(try await drive.createFolder(named: name, in: try await id(parent), requestId: request))
        case .upload, .newRevision: return try await upload([operation])[0].get()
        case .rename(let name): return try await update(operation) { $0.name = name }
        case .move(let parent, let name):
            let parentId = try await id(parent)
            return try await update(operation) {
                $0.parentId = parentId
                $0.name = name
            }
        case .restore: return try await update(operation) { $0.trashed = false }
        case .star(let starred): return try await update(operation) { $0.starred = starred }
        case .hide(let hidden): return try await update(operation) { $0.hidden = hidden }
        case .trash(let seen): return try await trash(operation, seen)
        }
    }

    private func update(
        _ operation: JournalOperation, _ change: (inout UpdateFileRequest) -> Void
    ) async throws -> Answer {
        var request = UpdateFileRequest()
        change(&request)
        let file = try await drive.update(
            try await id(operation.subject), request, seen: nil, requestId: operation.requestId)
        return Answer(file)
    }

    private func trash(_ operation: JournalOperation, _ seen: SeenContent) async throws -> Answer {
        do {
            return Answer(
                version: try await drive.trash(
                    try await id(operation.subject), seen: seen, requestId: operation.requestId))
        } catch let failure as ClientFailure where failure.code == .notFound {
            // It is gone for good: there is nothing left to be trashed, and its removal is what the log tells.
            return Answer(version: .max)
        } catch let failure as ClientFailure where failure.problem?.code == .cursorExpired {
            throw ClientFailure(
                .changedMeanwhile,
                "It is unknown whether somebody else has added something to this folder.")
        }
    }

    private func id(_ luid: LUID) async throws -> String {
        guard let id = try await store.serverId(of: luid) else { throw Self.neverMade }
        return id
    }

    static let neverMade = ClientFailure(
        .parentGone, "This depends on a change that never reached the server.",
        remedy: "Discard it (“bothy journal discard”), or retry that change.")
}
