import BothyClient
import BothyContract
import Synchronization

/// What this device knows of the drive: as of now where the server can be reached, else as it was told last. For looking
/// alone: nothing is to be done on the strength of it.
package final class LastKnownCache: RemoteCache {
    private let cache: ReplicaCache
    private let missed = Mutex<ClientFailure?>(nil)

    package init(_ replica: ReplicaEngine) { cache = ReplicaCache(replica) }

    /// Why the server could not be asked; nil where it was.
    package var offline: ClientFailure? { missed.withLock { $0 } }

    package var isCutOff: Bool { offline != nil }

    package func pull() async throws -> RemoteState {
        // A look at several folders waits once for a server that does not answer.
        if let offline { return try await lastKnown(without: offline) }
        do {
            return try await cache.pull()
        } catch let failure as ClientFailure where failure.isNetworks || failure.isAccounts {
            missed.withLock { $0 = failure }
            return try await lastKnown(without: failure)
        }
    }

    private func lastKnown(without failure: ClientFailure) async throws -> RemoteState {
        guard let state = try await cache.lastKnown() else { throw failure }
        return state
    }

    package func files(below folderId: String) async throws -> [File]? { try await cache.files(below: folderId) }
    package func file(_ id: String) async throws -> File? { try await cache.file(id) }
    package func trashed() async throws -> [File] { try await cache.trashed() }
    package func conflictPolicies() async throws -> [String: ConflictResolution] { try await cache.conflictPolicies() }
}

extension ClientFailure {
    /// The server answers, and not this device.
    var isAccounts: Bool {
        switch code {
        case .signInNeeded, .accountRefused, .wrongCredentials: true
        default: false
        }
    }
}
