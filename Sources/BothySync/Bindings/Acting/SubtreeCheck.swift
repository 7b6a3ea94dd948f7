import BothyClient
import BothyContract

/// Whether all that is below a place is what a scan saw there, and nothing besides.
struct SubtreeCheck {
    private let scene: ActionPerformer.Scene
    private let disk: any FolderDisk

    init(_ scene: ActionPerformer.Scene, _ disk: any FolderDisk) {
        self.scene = scene
        self.disk = disk
    }

    private var local: LocalTree { scene.local }

    /// - Parameters:
    ///   - place: where the scan saw it.
    ///   - now: where it is now.
    ///   - way: how it came there.
    func holds(of place: Place, at now: Place, after way: Moved = .renamed) throws(ClientFailure) -> Bool {
        guard let node = local.node(at: place) else { return false }
        var waiting = [(node: node, place: place, now: now)]
        while let (node, place, now) = waiting.popLast() {
            guard local[node].kind == .folder else { continue }
            for entry in try disk.list(now) {
                let here = place.appending(entry.name)
                guard let child = local.tree.child(entry.name, of: node), let facts = entry.facts, entry.isText else {
                    return false
                }
                let expected = scene.expected(LocalFingerprint(local[child]))
                guard way == .carried ? facts.isCopy(of: expected) : facts.isUntouched(since: expected) else {
                    return false
                }
                if let content = expected.content {
                    guard try disk.hash(now.appending(entry.name), expecting: facts) == content else { return false }
                }
                waiting.append((child, here, now.appending(entry.name)))
            }
        }
        return true
    }

    /// A file there or below, as the scan saw it, that somebody has open to write in; of several any.
    ///
    /// - Parameters:
    ///   - place: where the scan saw it.
    ///   - now: where it is now.
    /// - Throws: what keeps this device from knowing: then nothing of it is taken away.
    func fileInUse(of place: Place, at now: Place) throws(ClientFailure) -> Place? {
        try Self.fileInUse(of: place, at: now, in: local, on: disk)
    }

    static func fileInUse(
        of place: Place, at now: Place, in local: LocalTree, on disk: any FolderDisk
    ) throws(ClientFailure) -> Place? {
        guard let node = local.node(at: place) else { return nil }
        for node in local.tree.subtree(of: node) where local[node].kind == .file {
            let seen = local.tree.place(of: node)
            if try isInUse(Place(now.names + seen.names.dropFirst(place.names.count)), on: disk) { return seen }
        }
        return nil
    }

    /// The same of a folder that no scan has seen, as it is now.
    static func fileInUse(below folder: Place, on disk: any FolderDisk) throws(ClientFailure) -> Place? {
        var waiting = [folder]
        while let folder = waiting.popLast() {
            for entry in try disk.list(folder) where entry.isText {
                let place = folder.appending(entry.name)
                switch entry.facts?.kind {
                case .folder: waiting.append(place)
                case .file: if try isInUse(place, on: disk) { return place }
                case .special, nil: break
                }
            }
        }
        return nil
    }

    /// Whether somebody has it open to write in it. A file that is gone is in nobody's use.
    ///
    /// - Throws: what keeps this device from knowing: no right to open it, a disk that fails.
    static func isInUse(_ file: Place, on disk: any FolderDisk) throws(ClientFailure) -> Bool {
        do {
            return try disk.isBeingWritten(file)
        } catch  where error.code == .fileMissing || error.code == .destinationFolderMissing {
            return false
        }
    }

    /// Puts back what was just put into the trash where a file in it turns out to be in use, or that cannot be known.
    ///
    /// - Parameter used: the file, as it is told of.
    static func takingBack(
        _ keep: String, to place: Place, on disk: any FolderDisk, whereInUse used: () throws(ClientFailure) -> Place?
    ) throws(ClientFailure) {
        do throws(ClientFailure) {
            if let used = try used() { throw ClientFailure.inUse(used) }
        } catch {
            _ = try disk.takeBack(keep, to: place)
            throw error
        }
    }

    static func changed(_ place: Place) -> ClientFailure {
        ClientFailure(.changedMeanwhile, "“\(place)” changed meanwhile.", remedy: "It is checked again at once.")
    }
}
