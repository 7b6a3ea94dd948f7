import BothyClient
import BothyContract
import CShims
import Foundation

/// Moving between two folders of one disk between which the system renames nothing (EXDEV): another part of the disk is mounted in one of them (a
/// bind mount), or a folder is of the lower layer of an overlay. A file is copied; a folder is made anew, and what is in it moved one by one.
extension SystemFolderDisk {
    /// Whatever ends it, each file is whole under one of the two names, or under both.
    func carry(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) {
        guard let there = try source.facts(name) else { throw Self.changed(path) }
        guard !there.isMountRoot else { throw Self.mounted(source.path(of: name)) }
        switch there.kind {
        case .file: try carryFile(name, in: source, to: newName, in: target, path: path)
        case .folder: try carryFolder(name, in: source, to: newName, in: target, path: path)
        case .special(.symbolicLink): try carryLink(name, in: source, to: newName, in: target, path: path)
        case .special: throw ClientFailure(errno: EXDEV, path: source.path(of: name), doing: "be moved")
        }
    }

    // MARK: - Files

    private func carryFile(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) {
        let old = try OpenFile(name, in: source)
        let before = try old.facts()
        let new = try OpenFile(unnamedIn: target)
        _ = try new.fill(from: old)
        let failure = bothy_copy_attributes(old.descriptor, new.descriptor)
        guard failure == 0 else {
            throw ClientFailure(errno: failure, path: target.path(of: newName), doing: "be written")
        }
        try new.setModified(before.stamp.modifiedAt)
        try new.sync()
        guard try old.facts().isUntouched(since: before) else { throw Self.changed(path) }
        guard !old.isBeingWritten else { throw ClientFailure.inUse(path) }
        switch new.link(as: newName, in: target) {
        case 0: break
        case EEXIST: throw Self.exists(path)
        case let failure: throw ClientFailure(errno: failure, path: target.path(of: newName), doing: "be written")
        }
        // Before the old one goes.
        try target.sync()
        do throws(ClientFailure) {
            try remove(old, before, name, in: source, path: path)
        } catch {
            // It is where it was, and nobody has seen the copy.
            unlinkat(target.descriptor, newName, 0)
            throw error
        }
    }

    /// Deletes a file of which there is a copy: by way of another name, so that what somebody puts in its place at this moment stays.
    private func remove(
        _ file: borrowing OpenFile, _ before: DiskFacts, _ name: String, in folder: borrowing OpenFolder, path: Place
    ) throws(ClientFailure) {
        let passing = PrivateNames.partial(of: name)
        let failure = bothy_rename_new(folder.descriptor, name, folder.descriptor, passing)
        guard failure == 0 else { throw ClientFailure(errno: failure, path: folder.path(of: name), doing: "be moved") }
        guard let taken = try folder.facts(passing), taken.holdsTheSame(as: before), !file.isBeingWritten else {
            _ = bothy_rename_new(folder.descriptor, passing, folder.descriptor, name)
            throw Self.changed(path)
        }
        guard unlinkat(folder.descriptor, passing, 0) == 0 else {
            let code = errno
            _ = bothy_rename_new(folder.descriptor, passing, folder.descriptor, name)
            throw ClientFailure(errno: code, path: folder.path(of: name), doing: "be moved")
        }
    }

    private func carryLink(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlinkat(source.descriptor, name, &text, Int(PATH_MAX)) >= 0 else {
            throw ClientFailure(errno: errno, path: source.path(of: name), doing: "be read")
        }
        guard symlinkat(text, target.descriptor, newName) == 0 else {
            if errno == EEXIST { throw Self.exists(path) }
            throw ClientFailure(errno: errno, path: target.path(of: newName), doing: "be written")
        }
        guard unlinkat(source.descriptor, name, 0) == 0 else {
            let code = errno
            unlinkat(target.descriptor, newName, 0)
            throw ClientFailure(errno: code, path: source.path(of: name), doing: "be moved")
        }
    }

    // MARK: - Folders

    private func carryFolder(
        _ name: String, in source: borrowing OpenFolder, to newName: String, in target: borrowing OpenFolder,
        path: Place
    ) throws(ClientFailure) {
        let old = try source.folder(name)
        let entries = try old.entries()
        // Before anything is moved: what is listed under another name than its own cannot be.
        for entry in entries where !entry.isText {
            throw ClientFailure(
                .diskFailed, "“\(old.path(of: entry.name.text))” cannot be moved: its name is not text.",
                remedy: "Give it a UTF-8 name.")
        }
        guard mkdirat(target.descriptor, newName, 0o700) == 0 else {
            if errno == EEXIST { throw Self.exists(path) }
            throw ClientFailure(errno: errno, path: target.path(of: newName), doing: "be made")
        }
        let new = try target.folder(newName)
        var carried = [String]()
        do throws(ClientFailure) {
            for entry in entries {
                try rename(entry.name.text, in: old, to: entry.name.text, in: new, path: path.appending(entry.name))
                carried.append(entry.name.text)
            }
            let failure = bothy_copy_attributes(old.descriptor, new.descriptor)
            guard failure == 0 else { throw ClientFailure(errno: failure, path: new.path, doing: "be changed") }
            try new.sync()
            guard unlinkat(source.descriptor, name, AT_REMOVEDIR) == 0 else {
                if errno == ENOTEMPTY || errno == EEXIST { throw Self.changed(path) }
                throw ClientFailure(errno: errno, path: old.path, doing: "be moved")
            }
        } catch {
            // What does not go back is in the new place, where the next look finds it.
            for name in carried { _ = try? rename(name, in: new, to: name, in: old, path: path) }
            unlinkat(target.descriptor, newName, AT_REMOVEDIR)
            throw error
        }
    }
}

extension PrivateNames {
    /// The name that a file has for a moment before it goes: should it stay, no look takes it for a person's.
    fileprivate static func partial(of name: String) -> String {
        let number = String(UInt64.random(in: 0..<(1 << 48)), radix: 16)
        let stem = name.utf8.prefix(200)
        let zeros = String(repeating: "0", count: 12 - number.count)
        return ".\(String(decoding: stem, as: UTF8.self)).\(zeros)\(number)\(partial)"
    }
}
