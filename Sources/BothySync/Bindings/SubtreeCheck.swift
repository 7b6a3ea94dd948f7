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
    func holds(of place: Place, at now: Place) throws(ClientFailure) -> Bool {
        guard let node = local.node(at: place) else { return false }
        var waiting = [(node: node, place: place, now: now)]
        while let (node, place, now) = waiting.popLast() {
            guard local[node].kind == .folder else { continue }
            for entry in try disk.list(now) {
                let here = place.appending(entry.name)
                guard let child = local.tree.child(entry.name, of: node), let facts = entry.facts, entry.isText else {
                    return false
                }
                guard facts.isUntouched(since: scene.expected(LocalFingerprint(local[child]))) else { return false }
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
    func fileInUse(of place: Place, at now: Place) -> Place? {
        Self.fileInUse(of: place, at: now, in: local, on: disk)
    }

    static func fileInUse(
        of place: Place, at now: Place, in local: LocalTree, on disk: any FolderDisk
    ) -> Place? {
        guard let node = local.node(at: place) else { return nil }
        return local.tree.subtree(of: node).lazy.filter { local[$0].kind == .file }.map { local.tree.place(of: $0) }
            .first { isInUse(Place(now.names + $0.names.dropFirst(place.names.count)), on: disk) }
    }

    /// The same of a folder that no scan has seen, as it is now.
    static func fileInUse(below folder: Place, on disk: any FolderDisk) throws(ClientFailure) -> Place? {
        var waiting = [folder]
        while let folder = waiting.popLast() {
            for entry in try disk.list(folder) where entry.isText {
                let place = folder.appending(entry.name)
                switch entry.facts?.kind {
                case .folder: waiting.append(place)
                case .file: if isInUse(place, on: disk) { return place }
                case .special, nil: break
                }
            }
        }
        return nil
    }

    /// What cannot be opened is taken for what nobody writes in.
    static func isInUse(_ file: Place, on disk: any FolderDisk) -> Bool { (try? disk.isBeingWritten(file)) == true }

    static func changed(_ place: Place) -> ClientFailure {
        ClientFailure(.changedMeanwhile, "“\(place)” changed meanwhile.", remedy: "It is looked at again at once.")
    }
}
