import BothyClient
import BothyContract

/// Everything that a replica shows, by path; folders have a slash at their end.
struct ShownTree: Sendable {
    let files: [String: ReplicaFile]

    init(_ view: ReplicaView) throws {
        var shown = [String: ReplicaFile]()
        var folders = [(luid: LUID.root, path: "/")]
        while let folder = folders.popLast() {
            for file in try view.children(of: folder.luid) {
                let path = folder.path + file.name + (file.isFolder ? "/" : "")
                shown[path] = file
                if file.isFolder { folders.append((file.luid, path)) }
            }
        }
        files = shown
    }

    typealias Thing = (path: String, file: ReplicaFile)

    /// In the order of their paths.
    var things: [Thing] { files.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }

    /// Contents of a file, or of all that is shown in a folder.
    func contents(at path: String) -> [(path: String, hash: ContentHash)] {
        things.filter { $0.path == path || (path.hasSuffix("/") && $0.path.hasPrefix(path)) }.compactMap { thing in
            thing.file.checksum.map { (thing.path, $0) }
        }
    }
}
