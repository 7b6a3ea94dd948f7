import BothyClient
import BothyContract

/// What the server has, as it was last told, in the trash or not.
struct ToldFiles {
    /// This one, as files name it.
    let device: String
    private var byId: [String: File] = [:]
    private var ids: [String: String] = [:]
    private var inTrash: Set<String> = []

    init(_ files: [File], device: String) {
        self.device = device
        for file in files {
            byId[file.id] = file
            if file.trashed { inTrash.insert(file.id) }
            if let request = file.requestId { ids[request] = file.id }
        }
    }

    func file(_ id: String) -> File? { byId[id] }

    /// A file as it was when a revision of it was brought.
    func brought(_ theirs: RemoteFingerprint, modifiedAt: Timestamp, _ executable: Bool) -> RemoteFacts {
        var facts = file(theirs.id).map { RemoteFacts($0) } ?? RemoteFacts(id: theirs.id, kind: .file)
        facts.headRevisionId = theirs.revisionId
        facts.checksum = theirs.checksum
        facts.size = theirs.size
        facts.version = theirs.version
        facts.modifiedAt = modifiedAt
        facts.executable = executable
        return facts
    }

    func isGone(_ id: String) -> Bool { byId[id] == nil || inTrash.contains(id) }

    /// An upload's own request ids begin with the one that it was asked for under, and a hyphen.
    func made(by requestId: String) -> File? {
        if let id = ids[requestId] { return byId[id] }
        return ids.first { $0.key.hasPrefix(requestId + "-") }.flatMap { byId[$0.value] }
    }
}
