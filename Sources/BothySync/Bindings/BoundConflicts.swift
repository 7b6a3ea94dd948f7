import BothyClient
import BothyContent
import BothyContract
import NIOCore

/// The conflicts of synced folders whose owner wants to be asked.
package struct BoundConflicts: ConflictsOfOneKind {
    private let home: DeviceHome
    private let bindings: FolderBindings
    private let keeping: FolderKeeping
    private let names: DeviceNames
    private let disk: any LocalDisk

    package init(home: DeviceHome, keeping: FolderKeeping, names: DeviceNames, disk: any LocalDisk) {
        self.home = home
        self.keeping = keeping
        self.names = names
        self.disk = disk
        bindings = FolderBindings(home: home)
    }

    private struct Found {
        var id: DeviceConflict.ID
        var binding: Binding
        var conflict: WatchedFolder.Conflict

        var localPath: String { "\(binding.localPath)/\(conflict.place.text)" }

        init(_ binding: Binding, _ conflict: WatchedFolder.Conflict) {
            self.binding = binding
            self.conflict = conflict
            let name = "\(binding.id)/\(conflict.place.text)"
            id = "f" + SHA256Hasher.hash(Array(name.utf8)).hex.prefix(24)
        }

        /// Of both sides: it is what a choice holds for.
        var seen: String {
            let sides = [conflict.mine.hash, conflict.theirs.checksum]
            return sides.map { $0.map { String($0.hex.prefix(24)) } ?? "" }.joined(separator: "-")
        }
    }

    // MARK: - Looking

    private func found() async throws -> [Found] {
        var found = [Found]()
        for binding in try await bindings.all() {
            found += await keeping.watched(binding.id)?.conflicts.map { Found(binding, $0) } ?? []
        }
        return found
    }

    private func find(_ id: DeviceConflict.ID) async throws -> Found {
        guard let found = try await found().first(where: { $0.id == id }) else {
            throw ClientFailure(.notFound, "This conflict no longer exists.")
        }
        return found
    }

    package func count() async throws -> Int { try await found().count }

    package func waiting() async throws -> [DeviceConflict] {
        var conflicts = [DeviceConflict]()
        for one in try await found() { conflicts.append(try await conflict(one)) }
        return conflicts
    }

    package func conflict(_ id: DeviceConflict.ID) async throws -> DeviceConflict {
        try await conflict(try await find(id))
    }

    private func conflict(_ found: Found) async throws -> DeviceConflict {
        let (mine, theirs, place) = (found.conflict.mine, found.conflict.theirs, found.conflict.place)
        let names = place.names.map(\.text)
        let known = try await there(found)
        let modified = mine.stamp.modifiedAt
        return DeviceConflict(
            id: found.id, kind: .edits, above: found.binding.remotePath.pathNames + names.dropLast(),
            localPath: found.localPath,
            mine: .init(
                name: place.name.text, size: mine.stamp.size, modifiedAt: modified,
                device: try home.account.signedIn()?.device.name, mimeType: MediaType.of(place.name.text)),
            theirs: .init(
                name: known?.name ?? place.name.text, size: theirs.size, modifiedAt: known?.modifiedAt,
                device: await self.names.name(of: known?.deviceId), mimeType: known?.mimeType,
                item: known?.luid.item),
            since: modified, choices: Self.choices(mine, theirs), seen: found.seen,
            hasTwoContents: mine.stamp.size > 0 && theirs.size > 0)
    }

    /// What the engine can make of it.
    private static func choices(
        _ mine: LocalFingerprint, _ theirs: RemoteFingerprint
    ) -> [ConflictDecision.Choice] {
        [.mine, .theirs, .both] + (max(mine.stamp.size, theirs.size) <= TextMerge.mostBytes ? [.merged] : [])
    }

    private func there(_ found: Found) async throws -> ReplicaFile? {
        guard let luid = try await home.replica.luid(ofServerId: found.conflict.theirs.id) else { return nil }
        return try await home.replica.file(luid)
    }

    // MARK: - Contents

    package func beginning(of side: ConflictSide, _ id: DeviceConflict.ID, most bytes: Int) async throws -> [UInt8] {
        let found = try await find(id)
        switch side {
        case .mine: return try LocalReading.beginning(of: found.localPath, most: bytes, disk: disk)
        case .theirs:
            guard let there = try await there(found), let revision = found.conflict.theirs.revisionId else {
                throw ClientFailure(.notFound, "The current state on the server is unknown.")
            }
            let path = try await home.replica.holdWhole(revision, of: there)
            return try LocalReading.beginning(of: path, most: bytes, disk: disk)
        }
    }

    package func content(ofMine id: DeviceConflict.ID) async throws -> AsyncThrowingStream<ByteBuffer, any Error> {
        try LocalReading.stream(try await find(id).localPath, disk: disk)
    }

    // MARK: - Deciding

    package func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async throws {
        let found = try await find(id)
        let binding = found.binding
        try await keeping.borrowing(binding.id) { conflicts in
            let loan = try await bindings.borrow(binding)
            let engine = bindings.engine(
                for: binding,
                rules: BindingRules(deviceName: try home.account.signedIn()?.device.name ?? "this device"))
            conflicts = try await engine.look().plan.conflicts
            guard let now = conflicts.first(where: { $0.place == found.conflict.place }),
                Found(binding, now).seen == seen
            else {
                throw Self.changed(found)
            }
            switch try await engine.decide(Choice.Side(choice), about: now) {
            case .carriedOut(let report): conflicts = report.plan.conflicts
            case .cannotBeMerged:
                throw ClientFailure(
                    .refused, "The two cannot be merged: they are not texts, or both changed the same lines.",
                    remedy: "Keep yours, theirs or both.")
            case .changedSince: throw Self.changed(found)
            }
            withExtendedLifetime(loan) {}
        }
    }

    private static func changed(_ found: Found) -> ClientFailure {
        ClientFailure(
            .changedMeanwhile, "“\(found.conflict.place.name.text)” has changed again since you looked.",
            remedy: "Check both versions again, then decide.")
    }

    /// The screen of the folders has them: ``BoundFolders/decided(most:)``.
    package func decided(most: Int) async throws -> [DecidedConflict] { [] }

    package func takeBack(_ id: DecidedConflict.ID) async throws {
        throw ClientFailure(.notFound, "There is no decision with this number.")
    }
}

extension Choice.Side {
    fileprivate init(_ choice: ConflictDecision.Choice) {
        self =
            switch choice {
            case .mine: .mine
            case .theirs: .theirs
            case .both: .both
            case .merged: .merge
            }
    }
}
