import BothyClient
import BothyContract
import Foundation

/// The folders of a home that are kept in sync: linked, found, unlinked.
package struct FolderBindings: Sendable {
    package let store: BindingStore
    let home: DeviceHome
    let environment: SyncEnvironment

    package init(home: DeviceHome, environment: SyncEnvironment = .live) {
        self.home = home
        self.environment = environment
        store = BindingStore(database: home.database)
    }

    // MARK: - Finding

    package func all() async throws -> [Binding] { try await store.all() }

    /// Those of the account that is signed in; all where nobody is.
    package func ofWhoIsSignedIn() async throws -> [Binding] {
        guard let owner = try await home.drive.owner() else { return try await store.all() }
        return try await store.all().filter { owner.isAccount($0.accountId) }
    }

    /// The binding of a directory as it was typed, also where that is a link to it; nil where it has none.
    package func binding(of directory: String) async throws -> Binding? {
        let names: Set = [Self.resolved(directory), Self.directory(directory)]
        return try await store.all().first { names.contains($0.localPath) }
    }

    /// The binding that a local path lies in, and where in it.
    package func binding(holding path: String) async throws -> (binding: Binding, place: Place)? {
        if let found = try await holderAsTyped(of: path) { return found }
        // A link in a bound folder is asked about for itself; any other for what it leads to.
        if let found = try await holder(of: Self.resolved(path)) { return found }
        return try await holder(of: Self.directory(path))
    }

    /// The binding that a path on the server lies in, and where in it that is here.
    ///
    /// - Parameter id: of what is there; nil where nothing is known there.
    package func binding(
        holding path: RemotePath, withId id: String?
    ) async throws -> (binding: Binding, place: Place)? {
        let all = try await store.all().map { ($0, $0.remotePath.pathNames) }
        let above = all.filter { path.names.starts(with: $0.1) }.max { $0.1.count < $1.1.count }
        guard let (binding, names) = above else { return nil }
        // Here it may have another name.
        if let id, id != binding.remoteId {
            let synced = try await store.syncedTree(of: binding)
            if let node = synced.node(id) { return (binding, synced.tree.place(of: node)) }
        }
        return (binding, Place(path.names.dropFirst(names.count).map { NodeName($0) }))
    }

    /// Links lead to a bound folder, and no further: what is in it has the name that was typed, whatever a link in it leads to.
    ///
    /// - Returns: nil also where the folder itself is not there.
    private func holderAsTyped(of path: String) async throws -> (binding: Binding, place: Place)? {
        let names = Self.absolute(path).pathNames.filter { $0 != "." }
        // What is above something behind a link is for the disk to say.
        guard !names.contains("..") else { return nil }
        let all = try await store.all()
        var found: (binding: Binding, place: Place)?
        for depth in 0...names.count {
            let folder = "/" + names.prefix(depth).joined(separator: "/")
            if found != nil, Self.isLink(folder) { break }
            guard let real = Self.real(folder) else { break }
            guard let binding = all.first(where: { $0.localPath == real }) else { continue }
            found = (binding, Place(names.dropFirst(depth).map { NodeName($0) }))
        }
        return found
    }

    private func holder(of path: String) async throws -> (binding: Binding, place: Place)? {
        for binding in try await store.all() {
            if path == binding.localPath { return (binding, .root) }
            let above = (binding.localPath + "/").utf8
            guard path.utf8.starts(with: above) else { continue }
            return (binding, Place(text: String(Substring(path.utf8.dropFirst(above.count)))))
        }
        return nil
    }

    /// The path with the links on the way to it resolved, but not itself: what is asked about may be a link, or gone.
    package static func resolved(_ path: String) -> String {
        let absolute = absolute(path)
        if let whole = real(absolute), !isLink(absolute) { return whole }
        var parts = absolute.pathNames.filter { $0 != "." }
        var rest = [String]()
        while let last = parts.popLast() {
            rest.insert(last, at: 0)
            let above = "/" + parts.joined(separator: "/")
            if let found = real(above) { return ([found == "/" ? "" : found] + rest).joined(separator: "/") }
        }
        return absolute
    }

    /// The directory that is meant: what a link leads to, and no link.
    package static func directory(_ path: String) -> String { real(absolute(path)) ?? resolved(path) }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    // MARK: - At work

    /// Held by the process that keeps the binding in sync.
    ///
    /// - Throws: `refused` while another process does.
    package func takeLock(_ binding: Binding) throws(ClientFailure) -> FileLock {
        guard let lock = try FileLock.tryTake(lockPath(binding)) else { throw refusal(binding) }
        lock.note("")
        try finishTying(binding)
        return lock
    }

    /// For a command's moment: also from a watch, which continues it afterwards.
    ///
    /// - Throws: `refused` while another process keeps it that does not lend it.
    package func borrow(_ binding: Binding) async throws -> FolderLoan {
        let loan = try await borrowAsItIs(binding)
        try finishTying(binding)
        return loan
    }

    /// The same for one that is unlinked: what linking it could not do is not tried again.
    func borrowAsItIs(_ binding: Binding) async throws -> FolderLoan {
        let loan = try await FolderLoan.take(
            lockPath(binding), askingAt: deskPath(binding), clock: environment.clock)
        guard let loan else { throw refusal(binding) }
        return loan
    }

    /// For a watch: from here on commands borrow it, and the watch takes it back.
    package func lend(_ binding: Binding) throws(ClientFailure) -> LendingDesk {
        try LendingDesk(path: deskPath(binding))
    }

    /// For a watch: waits until nobody else has it.
    package func takeBack(_ binding: Binding) async throws -> FileLock {
        let lock = try await FileLock.take(lockPath(binding), clock: environment.clock)
        lock.note("\(getpid())")
        return lock
    }

    /// Whether somebody has it at this moment, in this process or another.
    package func isKept(_ binding: Binding) -> Bool { FileLock.isHeld(lockPath(binding)) }

    /// The process of `bothy sync --watch` that keeps it in sync; nil where none does.
    package func watch(of binding: Binding) -> Int32? { FileLock.note(at: lockPath(binding)).flatMap { Int32($0) } }

    private func lockPath(_ binding: Binding) -> String { "\(home.directory)/locks/binding-\(binding.id)" }
    private func deskPath(_ binding: Binding) -> String { lockPath(binding) + ".lending" }

    private func refusal(_ binding: Binding) -> ClientFailure {
        if let pid = watch(of: binding) {
            return ClientFailure(
                .refused, "“\(binding.localPath)” is being synced by “bothy sync --watch” (process \(pid)).",
                remedy: "It syncs on its own. Stop that process to sync the folder in another way.")
        }
        return ClientFailure(
            .refused, "Another Bothy is syncing “\(binding.localPath)” now.",
            remedy: "Wait for it, or stop it.")
    }

    /// Marks the folder of a binding that was ended right after it was made.
    private func finishTying(_ binding: Binding) throws(ClientFailure) {
        let disk = SystemFolderDisk(path: binding.localPath)
        guard binding.passedAt == nil, let root = try disk.root(), root.stamp.isSameInode(as: binding.root),
            try disk.mark() == nil
        else { return }
        try disk.claim(mark: binding.mark)
    }

    /// - Parameter cache: what is known of the drive, where that is not asked for anew each time.
    package func engine(
        for binding: Binding, rules: BindingRules, cache: (any RemoteCache)? = nil
    ) -> BindingEngine {
        BindingEngine(
            binding, disk: SystemFolderDisk(path: binding.localPath), drive: home.drive,
            cache: cache ?? ReplicaCache(home.replica), store: store, rules: rules, environment: environment)
    }
}
