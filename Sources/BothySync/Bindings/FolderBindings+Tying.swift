import BothyClient
import BothyContract
import Foundation

/// Linking directories with folders on the server, where that does no harm.
extension FolderBindings {
    /// What a person asks for.
    package struct Order: Sendable {
        /// As it was typed.
        package var directory: String
        package var remotePath: RemotePath
        package var deletions: DeletionPolicy
        package var conflicts: ConflictResolution
        package var leavingOut: LeftOut
        /// A mark of another home's is overwritten.
        package var takesOver: Bool

        package init(
            directory: String, remotePath: RemotePath, deletions: DeletionPolicy, conflicts: ConflictResolution,
            leavingOut: LeftOut, takesOver: Bool
        ) {
            self.directory = directory
            self.remotePath = remotePath
            self.deletions = deletions
            self.conflicts = conflicts
            self.leavingOut = leavingOut
            self.takesOver = takesOver
        }
    }

    /// Checks whether a directory may be linked, before anything is made for it, here or there.
    ///
    /// - Throws: `refused` for one that must not be, with the reason.
    package func check(_ order: Order) async throws {
        let path = Self.directory(order.directory)
        try await refuse(path)
        let disk = SystemFolderDisk(path: path)
        guard try disk.root() != nil else { return try checkMaking(path) }
        guard let mark = try disk.mark() else { return }
        if let moved = try await moved(mark) {
            guard order.takesOver, moved.remotePath == order.remotePath.text else { throw Self.movedHere(path, moved) }
        } else if !order.takesOver {
            if let original = try await atItsPlace(mark) { throw Self.copied(path, from: original) }
            throw ClientFailure(
                .refused, "“\(path)” is synced by another Bothy home, or was by one that no longer exists.",
                remedy: "If no other Bothy uses it, add --confirm to take it over.")
        }
    }

    /// Links a directory with a folder on the server. Each is made where it is missing.
    ///
    /// - Parameter hurry: tells another process that sends what waits here that there is something.
    /// - Throws: `refused` for a directory that must not be linked, with the reason; `pendingWork` where the folder on the server waits
    ///   to be made.
    package func tie(_ order: Order, hurry: () async -> Void = {}) async throws -> Binding {
        try await check(order)
        try SystemFolderDisk(path: Self.directory(order.directory)).checkTakesPrivateFolder()
        let remote = try await home.files.makeFoldersOnServer(
            at: order.remotePath, clock: environment.clock, hurry: hurry)
        // Somebody may have linked it, or a folder around it, meanwhile.
        try await check(order)
        let path = Self.directory(order.directory)
        try make(path)
        let disk = SystemFolderDisk(path: path)
        if let mark = try disk.mark(), let moved = try await moved(mark) { return try await follow(moved, to: path) }
        let account = try await home.drive.authenticate().accountId
        guard let root = try disk.root() else { throw ClientFailure(.fileMissing, "“\(path)” does not exist.") }
        var binding = order.binding(
            environment.newId(), at: path, to: remote.id, of: account, mark: environment.newId(),
            at: environment.clock.now())
        (binding.root, binding.diskNumber) = (root.stamp, root.device)
        // In this order: a mark without its binding would be another home's.
        try await store.tie(binding)
        try disk.claim(mark: binding.mark)
        return binding
    }

    /// Other directories of this device that are synced with the same folder on the server, one in it or one above it: what is in
    /// both comes twice.
    package func sharing(with binding: Binding) async throws -> [Binding] {
        func path(_ binding: Binding) -> String { binding.remotePath == RemotePath.root.text ? "" : binding.remotePath }
        return try await store.all().filter { $0.id != binding.id && Self.overlap(path($0), path(binding)) }
    }

    /// The binding whose directory had this mark, and has it no longer where it was: it was moved, by a person.
    private func moved(_ mark: String) async throws -> Binding? {
        let binding = try await store.all().first { $0.mark == mark }
        guard let binding, try SystemFolderDisk(path: binding.localPath).mark() != mark else { return nil }
        return binding
    }

    /// The binding whose directory has this mark where it was linked.
    private func atItsPlace(_ mark: String) async throws -> Binding? {
        try await store.all().first { $0.mark == mark && environment.mark($0.localPath) == mark }
    }

    private static func copied(_ path: String, from original: Binding) -> ClientFailure {
        ClientFailure(
            .refused,
            "“\(path)” is a copy of “\(original.localPath)”, which is synced with “\(original.remotePath)”.",
            remedy: "To sync the copy separately, add --confirm. The original stays synced.")
    }

    private static func movedHere(_ path: String, _ moved: Binding) -> ClientFailure {
        ClientFailure(
            .refused,
            "“\(path)” was synced with “\(moved.remotePath)” as “\(moved.localPath)” before it was moved here.",
            remedy:
                "“bothy sync \(path.asTyped) \(moved.remotePath.asTyped) --confirm” syncs it in its new place.")
    }

    /// What was agreed on goes with the directory: nothing is merged anew.
    private func follow(_ moved: Binding, to path: String) async throws -> Binding {
        let loan = try await borrow(moved)
        defer { withExtendedLifetime(loan) {} }
        guard let root = try SystemFolderDisk(path: path).root() else {
            throw ClientFailure(.fileMissing, "“\(path)” does not exist.")
        }
        var binding = moved
        (binding.localPath, binding.root, binding.diskNumber) = (path, root.stamp, root.device)
        try await store.save(binding)
        return binding
    }

    /// A directory as it would be linked. Nothing is written down, here or there.
    ///
    /// - Parameter remote: nil where the folder on the server is yet to be made.
    /// - Throws: `refused` for a directory that must not be linked, with the reason.
    package func untied(_ order: Order, to remote: File?) async throws -> Binding {
        try await check(order)
        let path = Self.directory(order.directory)
        let remote = remote.flatMap { $0.isOnlyHere ? nil : $0 }
        let account = try home.account.signedIn()?.accountId ?? ""
        var binding = order.binding(
            Self.idBeforeTying(path), at: path, to: remote?.id ?? "", of: account, mark: "",
            at: environment.clock.now())
        if let root = try SystemFolderDisk(path: path).root() { binding.root = root.stamp }
        // Trying the disk out would leave something on it.
        binding.disk = .exact
        return binding
    }

    /// What stands for a directory's binding while it has none: its plan is kept under it.
    package static func idBeforeTying(_ path: String) -> String { "untied:\(path)" }

    private func make(_ path: String) throws(ClientFailure) {
        if try SystemFolderDisk(path: path).root() != nil { return }
        try checkMaking(path)
        guard mkdir(path, 0o777) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be made") }
    }

    private func checkMaking(_ path: String) throws(ClientFailure) {
        guard Self.real(path) == nil else { throw ClientFailure(.notAFolder, "“\(path)” is not a folder.") }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard folder.isEmpty || Self.real(folder) != nil else {
            throw ClientFailure(.destinationFolderMissing, "“\(folder)” does not exist.")
        }
    }

    private func refuse(_ path: String) async throws {
        let person = ProcessInfo.processInfo.environment["HOME"].map(Self.directory)
        if path == "/" || path == person || person?.lies(below: path) == true {
            throw ClientFailure(
                .refused, "“\(path)” is too broad to sync: programs keep their own state in it.",
                remedy: "Choose a folder in it.")
        }
        let own = Self.directory(home.directory)
        if Self.overlap(path, own) {
            throw ClientFailure(
                .refused, "“\(path)” contains, or is in, the folder where Bothy keeps its own state in (\(own)).",
                remedy: "Choose another folder.")
        }
        if let server = Self.serverData(around: path) {
            throw ClientFailure(
                .refused, "“\(path)” contains, or is in, the data folder of a Bothy server (\(server)).",
                remedy: "Choose another folder; “bothy server backup” backs up a server.")
        }
        for other in try await store.all() where Self.overlap(path, Self.directory(other.localPath)) {
            throw ClientFailure(
                .refused, Self.words(path, beside: other),
                remedy: "“bothy bindings” lists the synced folders; “bothy unsync” unlinks one.")
        }
    }

    /// The folder of a server's data that a path is, or lies in.
    private static func serverData(around path: String) -> String? {
        var folder = path
        while !folder.isEmpty {
            let isServers = [ServerFolderNames.database, ServerFolderNames.packs, ServerFolderNames.lock]
                .allSatisfy { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
            if isServers { return folder }
            folder = folder.lastSlash.map { String(folder[..<$0]) } ?? ""
        }
        return nil
    }

    private static func words(_ path: String, beside other: Binding) -> String {
        let tied = Self.directory(other.localPath)
        if path == tied { return "“\(path)” is already synced with “\(other.remotePath)”." }
        return path.lies(below: tied)
            ? "“\(path)” is inside “\(tied)”, which is already synced."
            : "“\(tied)”, which is already synced, is inside “\(path)”."
    }

    /// Whether one of them is the other or lies in it.
    static func overlap(_ one: String, _ other: String) -> Bool {
        one == other || one.lies(below: other) || other.lies(below: one)
    }
}

extension FolderBindings.Order {
    fileprivate func binding(
        _ id: String, at path: String, to remoteId: String, of account: String, mark: String, at now: Timestamp
    ) -> Binding {
        var binding = Binding(
            id: id, localPath: path, remoteId: remoteId, remotePath: remotePath.text, accountId: account, mark: mark,
            root: LocalStamp(), deletions: deletions, conflicts: conflicts, exclude: [], createdAt: now)
        binding.leavesOut = leavingOut
        return binding
    }
}
