import BothyClient
import BothyContract

/// The server's side of one folder as both sides last agreed on it: all that is left to go by where nobody is signed in, and what
/// was known of the drive went with the sign-in. For looking alone.
struct AgreedCache: RemoteCache {
    let binding: Binding
    let synced: SyncedTree

    var isCutOff: Bool { true }

    func pull() async throws -> RemoteState { RemoteState(cursor: "", link: binding.link ?? 0) }

    func files(below folderId: String) async throws -> [File]? {
        synced.tree.subtree(of: .root).dropFirst().map { node in
            let facts = synced[node]
            let parent = synced.tree.parent(of: node).map { synced[$0].remoteId }
            let type = facts.kind == .folder ? File.folderMimeType : "application/octet-stream"
            return File(
                id: facts.remoteId, name: facts.remoteName.text, mimeType: type, size: facts.size, parentId: parent,
                checksum: facts.checksum, headRevisionId: facts.baseRevisionId, version: facts.version,
                createdAt: facts.remoteModifiedAt, modifiedAt: facts.remoteModifiedAt,
                updatedAt: facts.remoteModifiedAt, executable: facts.remoteExecutable)
        }
    }

    func file(_ id: String) async throws -> File? { nil }
    func trashed() async throws -> [File] { [] }
    func conflictPolicies() async throws -> [String: ConflictResolution] { [:] }
}
