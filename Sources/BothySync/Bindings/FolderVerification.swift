import BothyClient
import BothyContent
import BothyContract

/// The files of a synced folder, or of a part of it, read and held against what both sides last agreed on. It changes nothing,
/// and asks nobody: syncing continues meanwhile.
package struct FolderVerification: Sendable {
    /// A file as both sides agreed on it.
    package struct AgreedFile: Sendable {
        package var remoteId: String
        package var place: Place
        /// Where it is on the server, as far as is known here; nil where it was deleted there.
        package var remotePath: String?
        package var stamp: LocalStamp
        package var content: ContentHash
    }

    package let part: VerifiedPart
    /// Those that are to be on this disk, to be asked for one by one: a folder may have very many.
    package let nodes: [SyncedTree.ID]
    private let synced: SyncedTree
    private let store: BindingStore
    private let disk: any FolderDisk
    private let queue = DiskQueue("verify")

    /// - Returns: nil where nothing in the part was ever agreed on.
    init?(of part: VerifiedPart, _ synced: SyncedTree, store: BindingStore, disk: any FolderDisk) {
        guard let top = synced.node(at: part.place) else { return nil }
        self.part = part
        self.synced = synced
        self.store = store
        self.disk = disk
        nodes = synced.tree.subtree(of: top).filter { Self.isHere(synced[$0]) }
    }

    private static func isHere(_ facts: SyncedFacts) -> Bool {
        facts.kind == .file && facts.local != nil && facts.mark != .leftOut && content(facts) != nil
    }

    /// An empty file has no content on the server.
    private static func content(_ facts: SyncedFacts) -> ContentHash? {
        facts.checksum ?? (facts.size == 0 ? SHA256Hasher.hash([]) : nil)
    }

    package var bytes: Int64 { nodes.reduce(0) { $0 + synced[$1].size } }

    /// Whether what stands in the folder's place is the synced folder.
    ///
    /// - Throws: `fileMissing`, and what a look fails with.
    package func requireRoot() async throws {
        let (disk, binding) = (disk, part.binding)
        guard try await queue.run({ try RootCheck.look(at: disk, binding: binding) }).root != .same else { return }
        throw ClientFailure(
            .fileMissing, "“\(binding.localPath)” does not exist, or another folder is in its place.",
            remedy: "“bothy sync \(binding.localPath.asTyped) --dry-run” shows its state.")
    }

    /// - Returns: nil for what has given its place away, until its own way is settled.
    package func file(_ node: SyncedTree.ID) -> AgreedFile? {
        let facts = synced[node]
        let place = synced.tree.place(of: node)
        guard let stamp = facts.local, let content = Self.content(facts), !place.text.utf8.contains(0) else {
            return nil
        }
        return AgreedFile(
            remoteId: facts.remoteId, place: place, remotePath: remotePath(node), stamp: stamp, content: content)
    }

    private func remotePath(_ node: SyncedTree.ID) -> String? {
        if case .unsynced = synced[node].mark { return nil }
        var names = [String]()
        var next = SyncedTree.ID?.some(node)
        while let at = next, at != .root {
            names.append(synced[at].remoteName.text)
            next = synced.tree.parent(of: at)
        }
        return "/"
            + (part.binding.remotePath.split(separator: "/").map(String.init) + names.reversed()).joined(separator: "/")
    }

    /// Reads a file.
    package func judge(_ file: AgreedFile) async throws -> FileVerdict {
        let disk = disk
        let found = try await queue.run { try Self.look(at: file, on: disk) }
        let verdict = FileVerdict(of: found, agreedUnder: file.stamp, content: file.content)
        guard case .damaged = verdict else { return verdict }
        // It may have been sent, or fetched, while this went on.
        guard let (now, place) = try await store.agreed(on: file.remoteId, in: part.binding), place == file.place,
            Self.content(now) == file.content
        else { return .changed }
        return verdict
    }

    private static func look(at file: AgreedFile, on disk: any FolderDisk) throws(ClientFailure) -> FoundFile {
        do {
            guard let facts = try disk.facts(file.place) else { return .nothing }
            guard facts.kind == .file else { return .somethingElse }
            guard facts.stamp.size == file.stamp.size else { return .file(facts.stamp, nil) }
            return .file(facts.stamp, try disk.hash(file.place, expecting: facts))
        } catch {
            return try FoundFile(error)
        }
    }
}
