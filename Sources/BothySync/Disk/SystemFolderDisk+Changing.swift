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
        try rename(from.name.text, in: source, to: to.name.text, in: target, path: to)
        guard let moved = try target.facts(to.name.text), moved.holdsTheSame(as: expected) else {
            // Something else slipped under the name at the last instant: it goes back.
            try? rename(to.name.text, in: target, to: from.name.text, in: source, path: from)
            throw Self.changed(from)
        }
        guard isStill(target, at: to.parent) else {
            try? rename(to.name.text, in: target, to: from.name.text, in: source, path: from)
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
        try file.sync()
        return touched
    }

    package func install(
        _ staged: StagedFile, at path: Place, replacing expected: DiskFacts?, keep: String
    ) throws(ClientFailure) -> DiskFacts {
        let staging = try privateFolder(.staging)
        let target = try opened(path.parent)
        let arrived = try prepare(staged, in: staging, like: path.name.text, in: target, replacing: expected)
        let there: DiskFacts?
        if let expected {
            there = try replace(path, in: target, with: staged.name, from: staging, expecting: expected, keep: keep)
        } else {
            try rename(staged.name, in: staging, to: path.name.text, in: target, path: path)
            there = try target.facts(path.name.text)
        }
        guard isStill(target, at: path.parent) else {
            try? rename(path.name.text, in: target, to: staged.name, in: staging, path: path)
            if expected != nil {
                try? rename(keep, in: privateFolder(.trash), to: path.name.text, in: target, path: path)
            }
            throw Self.changed(path)
        }
        try target.sync()
        // An edit right after the exchange is no part of what arrived: taken for that, it would never be sent.
        guard let there, there.holdsTheSame(as: arrived) else { return arrived }
        return there
    }

    package func discard(
        _ path: Place, expecting expected: DiskFacts, keep: String
    ) throws(ClientFailure) {
        let parent = try opened(path.parent)
        let trash = try privateFolder(.trash)
        guard let there = try parent.facts(path.name.text), there.isUntouched(since: expected) else {
            throw Self.changed(path)
        }
        try rename(path.name.text, in: parent, to: keep, in: trash, path: path)
        guard let taken = try trash.facts(keep), taken.holdsTheSame(as: expected) else {
            try? rename(keep, in: trash, to: path.name.text, in: parent, path: path)
            throw Self.changed(path)
        }
        try trash.sync()
        try parent.sync()
    }

    // MARK: - Pieces

    /// Whether a folder is where it was opened. A person may have taken it away meanwhile: what was put into it since they did not see,
    /// and it goes with the folder. If it is there now, they will take away with open eyes.
    private func isStill(_ folder: borrowing OpenFolder, at place: Place) -> Bool {
        guard let there = try? opened(place).facts(), let seen = try? folder.facts() else { return false }
        return there.stamp.inode == seen.stamp.inode
    }

    /// Gives a staged file its mode and time, and makes it durable, before anybody sees it.
    private func prepare(
        _ staged: StagedFile, in staging: borrowing OpenFolder, like name: String, in target: borrowing OpenFolder,
        replacing expected: DiskFacts?
    ) throws(ClientFailure) -> DiskFacts {
        let file = try OpenFile(staged.name, in: staging, O_RDWR)
        if let expected {
            let old = try OpenFile(name, in: target)
            let there = try old.facts()
            guard there.isUntouched(since: expected) else { throw Self.changed(Place(text: name)) }
            let failure = bothy_copy_attributes(old.descriptor, file.descriptor)
            guard failure == 0 else { throw ClientFailure(errno: failure, path: file.path, doing: "be changed") }
            if staged.executable != there.executable { try file.setExecutable(staged.executable) }
        } else {
            try file.setMode(executable: staged.executable, creationMask: Self.creationMask)
        }
        try file.setModified(staged.modifiedAt)
        try file.sync()
        return try file.facts()
    }

    /// Exchange, look at what came out, and keep it; or put it back when it is not what was expected.
    ///
    /// - Returns: what stands at the path right after.
    private func replace(
        _ path: Place, in target: borrowing OpenFolder, with staged: String, from staging: borrowing OpenFolder,
        expecting expected: DiskFacts, keep: String
    ) throws(ClientFailure) -> DiskFacts? {
        let failure = bothy_exchange(staging.descriptor, staged, target.descriptor, path.name.text)
        if failure == EINVAL || failure == ENOSYS || failure == EOPNOTSUPP {
            // A disk that cannot exchange has a moment without the file; nothing is lost in it.
            try discard(path, expecting: expected, keep: keep)
            try rename(staged, in: staging, to: path.name.text, in: target, path: path)
            return try target.facts(path.name.text)
        }
        guard failure == 0 else {
            if failure == ENOENT { throw Self.changed(path) }
            throw ClientFailure(errno: failure, path: absolute(path), doing: "be replaced")
        }
        guard let taken = try staging.facts(staged), taken.holdsTheSame(as: expected) else {
            _ = bothy_exchange(staging.descriptor, staged, target.descriptor, path.name.text)
            throw Self.changed(path)
        }
        let there = try target.facts(path.name.text)
        let trash = try privateFolder(.trash)
        try rename(staged, in: staging, to: keep, in: trash, path: path)
        try trash.sync()
        return there
    }

    func rename(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) {
        let failure = bothy_rename_new(source.descriptor, name, target.descriptor, newName)
        switch failure {
        case 0: return
        case EEXIST, ENOTEMPTY: throw Self.exists(path)
        case ENOENT: throw Self.changed(path)
        case EINVAL, ENOSYS, EOPNOTSUPP:
            try renameAfterLooking(name, in: source, to: newName, in: target, path: path)
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

    static func exists(_ path: Place) -> ClientFailure {
        ClientFailure(
            .destinationExists, "“\(path)” is there already.", remedy: "It is looked at again in the next pass.")
    }
}
