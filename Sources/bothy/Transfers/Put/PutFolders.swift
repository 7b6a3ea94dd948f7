import BothyClient
import BothyContract

/// The folders on the server that a walk through a local folder is in at the moment, each with what is in it.
///
/// A walk goes down and comes back up, so a stack as deep as the path is all that is ever held. A folder is listed once,
/// when the first file of it is looked for; one that was just made is known to be empty.
struct PutFolders {
    private struct Level {
        var folder: File
        /// What is in it by name; nil until it is asked for.
        var children: [String: File]?
    }

    private let home: DeviceHome
    private var levels: [Level] = []
    /// Ids of folders that were made before the walk came to them.
    private var ahead = Set<String>()

    init(home: DeviceHome) { self.home = home }

    /// The folder that something `depth` names below the top lies in.
    func folder(at depth: Int) -> File? { levels.indices.contains(depth - 1) ? levels[depth - 1].folder : nil }

    /// Goes into a folder, made where it is missing.
    ///
    /// - Returns: what stands there; a file when a file is in the way.
    mutating func enter(_ name: String, in parent: File, at parentPath: RemotePath, depth: Int) async throws -> File {
        levels.removeSubrange(min(depth, levels.count)...)
        // The top is looked up by itself; below it, the listing of the folder above knows.
        let known = depth > 0 ? try await child(name, depth: depth) : nil
        if let known {
            levels.append(Level(folder: known, children: ahead.remove(known.id) == nil ? nil : [:]))
            return known
        }
        let path = try parentPath.appending(name)
        if depth == 0, let there = try await home.files.fileIfPresent(at: path) {
            levels.append(Level(folder: there, children: nil))
            return there
        }
        let made: File
        do {
            made = try await home.files.makeFolder(named: name, in: parent.id)
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            // Somebody else has made it meanwhile.
            let there = try await home.files.file(at: path)
            levels.append(Level(folder: there, children: nil))
            return there
        }
        levels.append(Level(folder: made, children: [:]))
        return made
    }

    /// Makes folders that the walk comes to next, all at once: each by itself waits for an answer and a disk. What cannot be made is
    /// tried once more when the walk is there, and told of then.
    ///
    /// - Parameter names: of folders beside each other; nothing is done where the first is there.
    mutating func makeAhead(_ names: [String], depth: Int) async {
        let level = depth - 1
        // Only where it is known what is there, because the folder above was made by this walk.
        guard names.count > 1, levels.indices.contains(level), let children = levels[level].children,
            let first = names.first, children[first] == nil, !home.files.isOffline
        else { return }
        let parent = levels[level].folder
        let files = home.files
        await withTaskGroup(of: (String, File?).self) { group in
            for name in names where children[name] == nil {
                // One that cannot be made now is made in its turn, and is told of then.
                group.addTask { (name, try? await files.makeFolder(named: name, in: parent.id)) }
            }
            for await case (let name, let made?) in group {
                levels[level].children?[name] = made
                ahead.insert(made.id)
            }
        }
    }

    /// What is on the server under this name, in the folder that something at `depth` lies in.
    mutating func child(_ name: String, depth: Int) async throws -> File? {
        let level = depth - 1
        guard levels.indices.contains(level) else { return nil }
        if levels[level].children == nil {
            var children: [String: File] = [:]
            for try await page in home.files.list(levels[level].folder.id) {
                for file in page { children[file.name] = file }
            }
            levels[level].children = children
        }
        return levels[level].children?[name]
    }
}
