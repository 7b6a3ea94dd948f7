import BothyClient
import BothyContract
import Foundation

/// The folders of a home that are kept in step: tied, found, untied.
package struct FolderBindings: Sendable {
    package let store: BindingStore
    private let home: DeviceHome
    private let environment: SyncEnvironment

    package init(home: DeviceHome, environment: SyncEnvironment = .live) {
        self.home = home
        self.environment = environment
        store = BindingStore(database: home.database)
    }

    // MARK: - Finding

    package func all() async throws -> [Binding] { try await store.all() }

    /// The binding that a local path lies in, and where in it.
    package func binding(holding path: String) async throws -> (binding: Binding, place: Place)? {
        let path = Self.resolved(path)
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
        let absolute = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
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

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    // MARK: - Tying

    /// What a person asks for.
    package struct Order: Sendable {
        /// As it was typed.
        package var directory: String
        package var remote: File
        package var remotePath: RemotePath
        package var deletions: DeletionPolicy
        package var conflicts: ConflictResolution
        package var exclude: [String]
        /// A mark of another home's is overwritten.
        package var takesOver: Bool

        package init(
            directory: String, remote: File, remotePath: RemotePath, deletions: DeletionPolicy,
            conflicts: ConflictResolution, exclude: [String], takesOver: Bool
        ) {
            self.directory = directory
            self.remote = remote
            self.remotePath = remotePath
            self.deletions = deletions
            self.conflicts = conflicts
            self.exclude = exclude
            self.takesOver = takesOver
        }
    }

    /// Ties a directory, made where it is missing, to a folder on the server.
    ///
    /// - Throws: `refused` for a directory that must not be tied, with why.
    package func tie(_ order: Order) async throws -> Binding {
        let path = Self.resolved(order.directory)
        try await refuse(path)
        try make(path)
        let disk = SystemFolderDisk(path: path)
        let account = try await home.drive.authenticate().accountId
        if try disk.mark() != nil, !order.takesOver {
            throw ClientFailure(
                .refused, "“\(path)” is kept in step by another home of Bothy, or was by one that is gone.",
                remedy: "If no other Bothy looks after it, say --confirm to take it over.")
        }
        guard let root = try disk.root() else { throw ClientFailure(.fileMissing, "“\(path)” is not there.") }
        let binding = Binding(
            id: environment.newId(), localPath: path, remoteId: order.remote.id, remotePath: order.remotePath.text,
            accountId: account, mark: environment.newId(), root: root.stamp, deletions: order.deletions,
            conflicts: order.conflicts, exclude: order.exclude, createdAt: environment.clock.now())
        // In this order: a mark without its binding would be another home's.
        try await store.save(binding)
        try disk.claim(mark: binding.mark)
        return binding
    }

    /// A directory as it would be tied. Nothing is written down, here or there.
    ///
    /// - Parameter remote: nil where the folder on the server is yet to be made.
    /// - Throws: `refused` for a directory that must not be tied, with why.
    package func untied(
        _ directory: String, _ remote: File?, _ remotePath: RemotePath, conflicts: ConflictResolution,
        exclude: [String]
    ) async throws -> Binding {
        let path = Self.resolved(directory)
        try await refuse(path)
        var binding = Binding(
            id: "", localPath: path, remoteId: remote?.id ?? "", remotePath: remotePath.text, accountId: "", mark: "",
            root: LocalStamp(), deletions: .mirror, conflicts: conflicts, exclude: exclude,
            createdAt: environment.clock.now())
        // Trying the disk out would leave something on it.
        binding.disk = .exact
        return binding
    }

    private func make(_ path: String) throws(ClientFailure) {
        if try SystemFolderDisk(path: path).root() != nil { return }
        guard mkdir(path, 0o777) == 0 else {
            if errno == EEXIST { throw ClientFailure(.notAFolder, "“\(path)” is not a folder.") }
            if errno == ENOENT {
                let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
                throw ClientFailure(.destinationFolderMissing, "“\(folder)” is not there.")
            }
            throw ClientFailure(errno: errno, path: path, doing: "be made")
        }
    }

    private func refuse(_ path: String) async throws {
        let person = ProcessInfo.processInfo.environment["HOME"].map(Self.resolved)
        if path == "/" || path == person {
            throw ClientFailure(
                .refused, "“\(path)” is too much to keep in step: programs keep their own state in it.",
                remedy: "Choose a folder in it.")
        }
        let own = Self.resolved(home.directory)
        if Self.overlap(path, own) {
            throw ClientFailure(
                .refused, "“\(path)” holds, or lies in, the home that Bothy keeps its own state in (\(own)).",
                remedy: "Choose another folder.")
        }
        for other in try await store.all() where Self.overlap(path, other.localPath) {
            throw ClientFailure(
                .refused,
                path == other.localPath
                    ? "“\(path)” is in step with “\(other.remotePath)” already."
                    : "“\(path)” and “\(other.localPath)”, which is in step already, lie in each other.",
                remedy: "“bothy bindings” lists them; “bothy unsync” unties one.")
        }
    }

    /// Whether one of them is the other or lies in it.
    static func overlap(_ one: String, _ other: String) -> Bool {
        one == other || one.lies(below: other) || other.lies(below: one)
    }

    // MARK: - Untying

    /// Forgets a binding. The files stay on both sides.
    ///
    /// - Parameter keepingTrash: leaves what lies in the folder's own trash where it is.
    package func untie(_ binding: Binding, keepingTrash: Bool) async throws {
        let lock = try takeLock(binding)
        let disk = SystemFolderDisk(path: binding.localPath)
        if !keepingTrash, try disk.mark() == binding.mark { try disk.disclaim() }
        try await store.remove(binding.id)
        withExtendedLifetime(lock) {}
    }

    // MARK: - At work

    /// Held by whoever keeps the binding in step.
    ///
    /// - Throws: `refused` while another process does.
    package func takeLock(_ binding: Binding) throws(ClientFailure) -> FileLock {
        guard let lock = try FileLock.tryTake("\(home.directory)/locks/binding-\(binding.id)") else {
            throw ClientFailure(
                .refused, "Another Bothy is keeping “\(binding.localPath)” in step at this moment.",
                remedy: "Wait for it, or stop it.")
        }
        try finishTying(binding)
        return lock
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
