import BothyContract
import Foundation

/// What is held on this device, in bytes, and what of it can be freed.
public struct KeptHere: Codable, Equatable, Sendable {
    /// Files and folders that are known here.
    public var knownFiles: Int
    /// Folders whose files were let go, to be asked for again when they are looked at.
    public var thinnedFolders: Int
    /// Of the replica's database.
    public var metadata: Int64
    /// What the server lets a device keep of that; nil before it was asked.
    public var metadataCap: Int64?
    /// Content that waits to be sent.
    public var pending: Int64
    /// Content that is kept here for good.
    public var pinned: Int64
    /// Content that is at hand and not pinned: it goes by itself when there is too much of it.
    public var freeable: Int64
    /// Content of what was given up here before it was ever sent.
    public var givenUp: Int64

    public init(
        knownFiles: Int = 0, thinnedFolders: Int = 0, metadata: Int64 = 0, metadataCap: Int64? = nil,
        pending: Int64 = 0, pinned: Int64 = 0, freeable: Int64 = 0, givenUp: Int64 = 0
    ) {
        self.knownFiles = knownFiles
        self.thinnedFolders = thinnedFolders
        self.metadata = metadata
        self.metadataCap = metadataCap
        self.pending = pending
        self.pinned = pinned
        self.freeable = freeable
        self.givenUp = givenUp
    }
}

/// Keeping what this device holds within its bounds.
extension ReplicaEngine {
    /// A folder was looked at, by this process.
    ///
    /// - Parameter id: the server's, or a LUID in text.
    package func noteUse(ofFolder id: String) { usedFolders.insert(id) }

    /// Looks at the replica's database, and at each file of its content.
    public func kept() async throws -> KeptHere {
        let (files, thinned, bytes, cap) = try await store().ground { ground in
            (
                try RemoteFileTable.count(in: ground.db), try ThinnedFolderTable.count(in: ground.db),
                try KeptMetadata.bytes(in: ground.db), try ReplicaStateTable.metadataCap(in: ground.db).bytes
            )
        }
        let pinned = try await pinnedRevisions()
        let held = try content.entries(in: content.heldFolder)
        let sum = { (entries: [ContentStore.Entry]) in entries.reduce(0) { $0 + $1.bytes } }
        return KeptHere(
            knownFiles: files, thinnedFolders: thinned, metadata: bytes, metadataCap: cap,
            pending: sum(try content.entries(in: content.pendingFolder)),
            pinned: sum(held.filter { pinned.contains($0.name) }),
            freeable: sum(held.filter { !pinned.contains($0.name) }),
            givenUp: sum(try content.entries(in: content.trashFolder)))
    }

    /// Lets go of what was not used for longest, as far as more is held than may be. Never of what is pinned, bound,
    /// pending or in a conflict. Safe at any time, beside anybody.
    ///
    /// - Parameters:
    ///   - bound: folders that are kept in sync, by the server's id.
    ///   - lived: seconds that this device has lived.
    ///   - limits: what its person lets it keep.
    ///   - askForCap: asks the server how many bytes of metadata a device may keep.
    package func keepWithinBounds(
        bound: Set<String>, lived: Int64, limits: RoomLimits = RoomLimits(),
        askForCap: @Sendable () async throws -> Int64
    ) async throws {
        try await letGoOfGivenUp(lived: lived)
        guard try await store().state().isLinked else { return }
        let (ids, contents) = (usedFolders, usedContent)
        (usedFolders, usedContent) = ([], [])
        try await store().noteUses(ofFolders: ids, contents: contents, limit: limits.metadata)
        let used = try await store().luids(ofServerIds: ids)
        for luid in used { try await completeOne(luid) }
        let cap = limits.mostMetadata(allowed: try await metadataCap(askForCap))
        try await letGoOfMetadata(bound: bound, used: used, cap: cap)
        try await letGoOfContent(cap: limits.content)
        try await sweep()
    }

    /// Seconds after which the server is asked again how much a device may keep.
    private static let capLifetime: Int64 = 86_400

    private func metadataCap(_ ask: @Sendable () async throws -> Int64) async throws -> Int64 {
        let (known, askedAt) = try await store().metadataCap()
        let now = environment.clock.now()
        if let known, let askedAt, (0..<Self.capLifetime).contains(now.seconds(since: askedAt)) { return known }
        do {
            let cap = try await ask()
            try await store().setMetadataCap(cap, askedAt: now)
            return cap
        } catch let failure as ClientFailure where failure.isNetworks {
            return known ?? AboutResponse.Settings().metadataCacheBytes
        }
    }

    // MARK: - Metadata

    /// Each round measures anew what the last one freed.
    private static let rounds = 4

    /// - Parameters:
    ///   - bound: folders of which nothing is let go, with all that lies below them.
    ///   - used: folders that were just looked at.
    package func letGoOfMetadata(bound: Set<String>, used: Set<LUID> = [], cap: Int64) async throws {
        let open = used.union(await parts.openFolders)
        for _ in 0..<Self.rounds {
            guard try await store().letGo(bound: bound, open: open, cap: cap) > 0 else { break }
        }
        try await store().giveBackRoom()
    }

    // MARK: - Content

    package func letGoOfContent(cap: Int64) async throws {
        let (held, pinned) = (try content.entries(in: content.heldFolder), try await pinnedRevisions())
        let uses = try await store().uses()
        let shelves = held.filter { !pinned.contains($0.name) }.map { entry in
            Eviction.Shelf(
                id: entry.name, bytes: entry.bytes, lastUse: uses[UseTable.Thing.content(entry.name).name] ?? 0,
                stays: false)
        }
        let total = shelves.reduce(0) { $0 + $1.bytes }
        let gone = Eviction.choose(shelves, held: total, cap: cap)
        for revision in gone { try environment.disk.remove(content.heldPath(revision)) }
        try await store().forgetUses(ofContents: gone)
    }

    /// Gives back the room of content that is here without being pinned.
    ///
    /// - Returns: bytes.
    package func freeRoom() async throws -> Int64 {
        let before = try await kept().freeable
        try await letGoOfContent(cap: 0)
        return max(0, before - (try await kept().freeable))
    }

    private func pinnedRevisions() async throws -> Set<String> {
        Set(try await pinnedHere().compactMap(\.headRevisionId))
    }

    /// Seconds that a copy may lie there before the operation that it is for is written down.
    private static let grace: Int64 = 3600

    /// Copies that no operation speaks of, from processes that died: nobody knows whether there is another copy, so
    /// they go where things lie that were given up.
    private func sweep() async throws {
        let entries = try content.entries(in: content.pendingFolder)
        guard !entries.isEmpty else { return }
        let spokenOf = Set(try await store().operations().compactMap { $0.content?.path })
        let now = environment.clock.now()
        for entry in entries where !spokenOf.contains(content.pendingPath(entry.name)) {
            guard now.seconds(since: entry.changedAt) > Self.grace else { continue }
            try environment.disk.rename(
                content.pendingPath(entry.name), to: content.trashPath(entry.name), replacing: true)
        }
    }

    /// What was given up here before it was ever sent goes for good after its time.
    private func letGoOfGivenUp(lived: Int64) async throws {
        let names = try content.entries(in: content.trashFolder).map(\.name)
        for name in try await store().lookAtGivenUp(names, lived: lived) {
            try environment.disk.remove(content.trashPath(name))
        }
    }

    // MARK: - Coming back

    /// Lists of one folder that are begun before it is given up: each time that the log moves on, the list is stale.
    static let mostLists = 5

    /// Asks for the files of a folder that were let go.
    ///
    /// - Throws: `offline` in words that name the folder.
    func complete(_ folder: LUID) async throws {
        let store = try store()
        for _ in 0..<Self.mostLists {
            let cursor = try await store.state().cursor
            guard let id = try await store.serverId(of: folder) else { throw Self.unknown }
            var (files, page) = ([File](), String?.none)
            do {
                repeat {
                    let answer = try await listing(id, page)
                    files += answer.files
                    page = answer.pagination.next
                } while page != nil
            } catch let failure as ClientFailure where failure.code == .offline {
                let name = try await store.cached(folder)?.name ?? ""
                throw ClientFailure(
                    .offline,
                    "There is no connection, and what is in “\(name.isEmpty ? "/" : name)” is not kept on this device.",
                    remedy: "It is listed again when there is a connection; “bothy pin” keeps it on this device.")
            }
            if let effect = try await store.fill(folder, with: files, asOf: cursor) {
                try await parts.rebase(effect, in: store)
                return
            }
        }
        throw Self.restless
    }

    static let restless = ClientFailure(.serverBusy, "The folder kept changing while it was listed.")

    /// The same where its files were let go, and nothing where they were not.
    func completeOne(_ folder: LUID) async throws {
        guard try await store().ground({ ground in try ThinnedFolderTable.contains(folder, in: ground.db) }) else {
            return
        }
        try await complete(folder)
    }

    /// The same for a folder and everything below it.
    func completeBelow(_ folder: LUID) async throws {
        let thinned = try await store().ground { ground in try ThinnedFolderTable.among(folder, in: ground.db) }
        for luid in thinned { try await complete(luid) }
    }

    /// Reads from one moment; what was let go here is asked for again first.
    func read<Value: Sendable>(_ body: @escaping @Sendable (ReplicaView) throws -> Value) async throws -> Value {
        // A path leads through one folder a step.
        for _ in 0...FileLimits.maximumDepth {
            do {
                return try await store().view(body)
            } catch let thinned as FolderThinned {
                try await complete(thinned.folder)
            }
        }
        throw Self.unknown
    }
}
