import BothyClient
import BothyContract
import CShims
import Foundation

/// Each change looks once more at what it is about to change, and again at what it has taken away.
extension SystemFolderDisk {
    package func makeFolder(_ path: Place) throws(ClientFailure) -> DiskFacts {
        let parent = try opened(path.parent)
        guard mkdirat(parent.descriptor, path.name.text, 0o777) == 0 else {
            if errno == EEXIST { throw Self.exists(path) }
            throw ClientFailure(errno: errno, path: absolute(path), doing: "be made")
        }
        try parent.sync()
        return try parent.folder(path.name.text).facts()
    }

    package func move(
        _ from: Place, to: Place, expecting expected: DiskFacts
    ) throws(ClientFailure) -> DiskFacts {
        let source = try opened(from.parent)
        let target = try opened(to.parent)
        guard let there = try source.facts(from.name.text), there.isUntouched(since: expected) else {
            throw Self.changed(from)
        }
        let way = try rename(from.name.text, in: source, to: to.name.text, in: target, path: to)
        guard let moved = try target.facts(to.name.text), way.hasBrought(expected, as: moved) else {
            // Something else slipped under the name at the last instant: it goes back.
            _ = try? rename(to.name.text, in: target, to: from.name.text, in: source, path: from)
            throw Self.changed(from)
        }
        guard isStill(target, at: to.parent) else {
            _ = try? rename(to.name.text, in: target, to: from.name.text, in: source, path: from)
            throw Self.changed(to)
        }
        try target.sync()
        if from.parent != to.parent { try source.sync() }
        return moved
    }

    package func removeFolder(_ path: Place) throws(ClientFailure) {
        let parent = try opened(path.parent)
        guard unlinkat(parent.descriptor, path.name.text, AT_REMOVEDIR) != 0 else { return try parent.sync() }
        switch errno {
        case ENOENT: return
        case ENOTEMPTY, EEXIST, ENOTDIR: throw Self.changed(path)
        default: throw ClientFailure(errno: errno, path: absolute(path), doing: "be removed")
        }
    }

    package func touch(
        _ path: Place, modifiedAt: Timestamp, executable: Bool, expecting expected: DiskFacts
    ) throws(ClientFailure) -> DiskFacts {
        let file = try OpenFile(path.name.text, in: opened(path.parent))
        let there = try file.facts()
        guard there.isUntouched(since: expected) else { throw Self.changed(path) }
        if there.executable != executable { try file.setExecutable(executable) }
        try file.setModified(modifiedAt)
        // Before the sync, which takes long: what a person does meanwhile is news.
        let touched = try file.facts()
        // What was written at the last instant is not what was looked at, though it has the old content's time by now.
        guard touched.stamp.size == expected.stamp.size else { throw Self.changed(path) }
        try file.sync()
        return touched
    }

    @discardableResult
    package func discard(
        _ path: Place, expecting expected: DiskFacts, keep: String
    ) throws(ClientFailure) -> Moved {
        let parent = try opened(path.parent)
        let trash = try privateFolder(.trash)
        guard let there = try parent.facts(path.name.text), there.isUntouched(since: expected) else {
            throw Self.changed(path)
        }
        guard there.kind != .file || !isBeingWritten(path.name.text, in: parent) else {
            throw ClientFailure.inUse(path)
        }
        let way = try rename(path.name.text, in: parent, to: keep, in: trash, path: path)
        guard let taken = try trash.facts(keep), way.hasBrought(expected, as: taken), holds(expected, keep, in: trash)
        else {
            // What cannot be put back stays in the trash, and is told of with the failure.
            _ = try? rename(keep, in: trash, to: path.name.text, in: parent, path: path)
            throw Self.changed(path)
        }
        // Who has opened it since.
        guard taken.kind != .file || !isBeingWritten(keep, in: trash) else {
            try rename(keep, in: trash, to: path.name.text, in: parent, path: path)
            throw ClientFailure.inUse(path)
        }
        try trash.sync()
        try parent.sync()
        return way
    }

    // MARK: - Pieces

    /// Whether a file that was taken away has the content that was expected. What cannot be read is taken for another.
    func holds(_ expected: DiskFacts, _ name: String, in folder: borrowing OpenFolder) -> Bool {
        guard let content = expected.content else { return true }
        guard let file = try? OpenFile(name, in: folder), let hash = try? file.hash() else { return false }
        return hash == content
    }

    /// Renames, and never replaces; what the system does not rename from one of the folders to the other is carried.
    ///
    /// - Parameter path: for the words of failures.
    @discardableResult
    func rename(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) -> Moved {
        let failure = bothy_rename_new(source.descriptor, name, target.descriptor, newName)
        switch failure {
        case 0: return .renamed
        case EEXIST, ENOTEMPTY: throw Self.exists(path)
        case ENOENT: throw Self.changed(path)
        case EINVAL, ENOSYS, EOPNOTSUPP:
            try renameAfterLooking(name, in: source, to: newName, in: target, path: path)
            return .renamed
        case EXDEV:
            try carry(name, in: source, to: newName, in: target, path: path)
            return .carried
        case EBUSY: throw Self.mounted(source.path(of: name))
        default: throw ClientFailure(errno: failure, path: absolute(path), doing: "be moved")
        }
    }

    /// For disks that cannot refuse to replace.
    private func renameAfterLooking(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) {
        if try target.facts(newName) != nil { throw Self.exists(path) }
        guard renameat(source.descriptor, name, target.descriptor, newName) == 0 else {
            throw ClientFailure(errno: errno, path: absolute(path), doing: "be moved")
        }
    }

    static func mounted(_ path: String) -> ClientFailure {
        ClientFailure(
            .diskFailed, "“\(path)” cannot be moved: another disk is mounted there.",
            remedy: "Unmount it, or move or delete its content yourself.")
    }

    static func exists(_ path: Place) -> ClientFailure {
        ClientFailure(
            .destinationExists, "“\(path)” already exists.", remedy: "It is checked again in the next pass.")
    }
}
