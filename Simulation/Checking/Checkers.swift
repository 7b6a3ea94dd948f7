import BothyContent
import BothyContract
import Foundation

/// What must hold when a world has come to rest.
struct Checkers {
    let world: World

    func check() async -> Finding? {
        if let finding = acknowledgedIsReachable() ?? wantedIsThere() { return finding }
        if let finding = await deletedStaysDeleted() ?? noFalseConflict() { return finding }
        for device in world.devices where world.shape.work.hasFolders {
            guard let finding = await equal(device) else { continue }
            for kept in await world.keptApart(device) {
                world.trace.append("\(device.name) keeps \(kept.path) apart from \(kept.pathThere): \(kept.why)")
            }
            return finding
        }
        for replica in world.replicas {
            if let finding = await equal(replica) { return finding }
        }
        return nil
    }

    // MARK: Contents

    /// Every hash that the server said yes to is a head, a revision, in its trash, or on some device.
    private func acknowledgedIsReachable() -> Finding? {
        let reachable = everywhere.union(world.server.model.reachableContent)
        for hash in world.server.acknowledged.subtracting(reachable).sorted() where world.ledger.isToBeKept(hash) {
            return Finding(.acknowledgedLost, "\(world.ledger.words(hash)) was acknowledged, and is nowhere.")
        }
        return nil
    }

    /// What somebody wrote and nobody took away is to be seen on the server, or at least in a person's folder.
    private func wantedIsThere() -> Finding? {
        let there = serverHeads.union(inFolders).union(overwrittenByRule)
        for hash in world.ledger.movedAgainstDeletion where !there.contains(hash) {
            return Finding(
                .lost, "\(world.ledger.words(hash)) was moved by one and deleted by another, and is in no folder.")
        }
        for hash in world.ledger.wanted where !there.contains(hash) {
            let kept = everywhere.union(world.server.model.reachableContent).contains(hash)
            return Finding(
                .lost,
                "\(world.ledger.words(hash)) was written, nobody took it away, and it is \(kept ? "in no folder" : "gone")."
            )
        }
        return nil
    }

    /// A deletion that waits for a person, say because something that is never sent stands in the place, is kept apart.
    private func deletedStaysDeleted() async -> Finding? {
        let broughtBack = world.server.broughtBack
        let back = Set(world.ledger.deleted).intersection(serverHeads).subtracting(broughtBack)
        guard !back.isEmpty else { return nil }
        var apart = [String]()
        for device in world.devices where world.shape.work.hasFolders {
            apart += await world.keptApart(device).filter { $0.isByRule && !$0.isHereAlone }.map(\.pathThere)
        }
        for hash in back.sorted() {
            let paths = world.server.model.livePaths.filter { $0.value == hash }.keys.sorted()
            guard let path = paths.first(where: { !Self.lies($0, in: apart) }) else { continue }
            return Finding(.cameBack, "\(world.ledger.words(hash)) was deleted, and is at \(path) again.")
        }
        return nil
    }

    /// A conflict copy of the same content as what it is a copy of is none; and one writer is never in conflict, unless what was
    /// written on a backup's version meets what a device that comes back later has from before.
    private func noFalseConflict() -> Finding? {
        if let path = world.server.falseCopies.first {
            return Finding(.falseConflict, "\(path) was made, and held the same as what it was a copy of.")
        }
        guard world.shape.oneWriter, !world.serverWentBack else { return nil }
        let copy = world.server.model.livePaths.keys.sorted().first { ConflictCopy.original(of: $0) != nil }
        return copy.map { Finding(.falseConflict, "\($0) is there, and one person wrote alone.") }
    }

    private var serverHeads: Set<ContentHash> { Set(world.server.model.livePaths.values.compactMap { $0 }) }
    private var everywhere: Set<ContentHash> { world.devices.reduce(into: []) { $0.formUnion($1.disk.contents) } }
    /// Where the last write wins, the version that it replaced is in the history.
    private var overwrittenByRule: Set<ContentHash> {
        let devices = world.devices.filter { $0.shape.conflicts == .lastWriteWins }
        let overwritten = devices.reduce(into: Set()) { $0.formUnion(world.server.overwritten(by: $1.name)) }
        return overwritten.intersection(world.server.model.reachableContent)
    }
    private var inFolders: Set<ContentHash> {
        world.devices.reduce(into: []) { $0.formUnion($1.disk.personsFiles.values) }
    }

    // MARK: Trees

    /// A device's folder shows what the server shows, except for what it keeps apart on purpose.
    private func equal(_ device: SimulatedDevice) async -> Finding? {
        let kept = await world.keptApart(device)
        if let held = kept.first(where: { !$0.isByRule }) {
            return Finding(.noRest, "\(held.path) waits on \(device.name) for nothing: \(held.why).")
        }
        // No sets: two spellings of a name are one string to them, and two files to an exact disk.
        let apart = kept.map(\.path)
        let apartThere = kept.flatMap(\.pathsThere)
        var local = [String: ContentHash?]()
        for path in device.disk.personsPaths {
            guard let facts = device.disk.look(path), facts.kind == .file || facts.kind == .folder else { continue }
            let words = "/" + path.joined(separator: "/")
            if apart.contains(where: { Self.liesByItsBytes(words, in: $0) }) { continue }
            let name = words.precomposedStringWithCanonicalMapping
            let hash = device.disk.model.bytes(path).map { SHA256Hasher.hash($0) }
            local.updateValue(hash, forKey: facts.kind == .folder ? name + "/" : name)
        }
        let isExact = device.shape.disk.naming == .exact
        let remote = world.server.model.livePaths.filter { path, _ in
            isExact ? !apartThere.contains { Self.liesByItsBytes(path, in: $0) } : !Self.lies(path, in: apartThere)
        }
        if isExact, !kept.contains(where: { $0.isHereAlone || $0.hasAnotherThere }) {
            return difference(local, remote, device)
        }
        // Names that this disk cannot hold, or that are taken by what stays here alone, are others on it: the contents must
        // be the same, one for one.
        let (here, there) = (Self.counted(local), Self.counted(remote))
        // In one order, so that a seed comes to the same finding each time.
        let hashes = Set(here.keys).union(there.keys).sorted { ($0?.hex ?? "") < ($1?.hex ?? "") }
        for hash in hashes where here[hash] != there[hash] {
            let what = hash.map(world.ledger.words) ?? "a folder"
            return Finding(
                .unequal,
                "\(what) is \(here[hash] ?? 0) times on \(device.name), and \(there[hash] ?? 0) on the server.")
        }
        return nil
    }

    /// A replica shows what the server shows, and its journal is empty.
    private func equal(_ replica: SimulatedReplica) async -> Finding? {
        let name = replica.device.name
        guard let shown = try? await replica.shown().files, let waiting = try? await replica.store.operations() else {
            return Finding(.engineFailed, "The replica of \(name) cannot be read.")
        }
        if let operation = waiting.first {
            return Finding(.noRest, "\(operation.kind) stays in the journal of \(name), \(operation.state).")
        }
        let there = world.server.model.livePaths
        for path in Set(shown.keys).union(there.keys).sorted() where shown[path].map(\.checksum) != there[path] {
            return Finding(.unequal, "\(path) is not the same at the replica of \(name) as on the server.")
        }
        return nil
    }

    /// An exact disk may hold two spellings of a name, and keep one of them apart.
    private static func liesByItsBytes(_ path: String, in other: String) -> Bool {
        path.utf8.elementsEqual(other.utf8) || path.utf8.starts(with: "\(other)/".utf8)
    }

    private static func lies(_ path: String, in apart: [String]) -> Bool {
        apart.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private static func counted(_ tree: [String: ContentHash?]) -> [ContentHash?: Int] {
        tree.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func difference(
        _ local: [String: ContentHash?], _ remote: [String: ContentHash?], _ device: SimulatedDevice
    ) -> Finding? {
        for path in Set(local.keys).union(remote.keys).sorted() where local[path] != remote[path] {
            let here = local[path].map { $0.map(world.ledger.words) ?? "a folder" } ?? "nothing"
            let there = remote[path].map { $0.map(world.ledger.words) ?? "a folder" } ?? "nothing"
            return Finding(.unequal, "\(path) is \(here) on \(device.name), and \(there) on the server.")
        }
        return nil
    }
}

extension Set<ContentHash> {
    fileprivate func sorted() -> [ContentHash] { sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
}
