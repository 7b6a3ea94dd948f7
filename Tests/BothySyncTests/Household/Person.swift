import CShims
import Foundation

/// One person at one folder on the real disk. What they take away they hold in their hands first, in one step, so that it is
/// known what it was: whatever is done to the folder at the same moment.
struct Person: Sendable {
    let name: String
    /// What is kept in step.
    let folder: String
    /// On the same disk, and nobody else's.
    let desk: String
    let ledger: Ledger

    private enum Act {
        case create, save, overwrite, putInPlace, rename, move, delete, deleteFolder, makeFolder
    }

    private static let acts: [Act] = [
        .create, .create, .create, .create, .create, .save, .save, .save, .overwrite, .putInPlace,
        .rename, .rename, .move, .move, .delete, .deleteFolder, .deleteFolder, .makeFolder, .makeFolder,
    ]
    /// Few, so that people meet in them.
    private static let names = ["a", "b", "c.txt", "d.txt", "Ä ☃", "f"]
    private static let deepest = 4

    /// Does something somewhere.
    ///
    /// - Parameter isAlone: nothing else touches this folder now, so what takes two steps can be done as well.
    /// - Returns: what it was; nil where it was nothing.
    func act(isAlone: Bool, _ chance: inout SeededGenerator) throws -> String? {
        let act = Self.acts.randomElement(using: &chance) ?? .create
        let there = FolderTree.paths(in: folder)
        let file = there.filter { !$0.isFolder }.randomElement(using: &chance)?.path
        let thing = there.randomElement(using: &chance)?.path
        let folders = there.filter(\.isFolder).map(\.path)
        let free = place(in: folders, &chance)
        switch act {
        case .create: return try create(free, &chance)
        case .save: return try file.flatMap { try save($0, &chance) }
        case .overwrite: return try isAlone ? file.flatMap { try overwrite($0, &chance) } : nil
        case .putInPlace: return try isAlone ? file.flatMap { try put(thing ?? $0, inPlaceOf: $0) } : nil
        case .rename: return thing.flatMap { move($0, to: neighbour(of: $0, &chance)) }
        case .move: return thing.flatMap { move($0, to: free) }
        case .delete: return try file.flatMap(delete)
        case .deleteFolder: return try folders.randomElement(using: &chance).flatMap(delete)
        case .makeFolder: return mkdir("\(folder)/\(free)", 0o777) == 0 ? "makes folder \(free)" : nil
        }
    }

    private func place(in folders: [String], _ chance: inout SeededGenerator) -> String {
        let shallow = folders.filter { $0.split(separator: "/").count < Self.deepest }
        let above = (shallow + [""]).randomElement(using: &chance) ?? ""
        return above + (above.isEmpty ? "" : "/") + (Self.names.randomElement(using: &chance) ?? "a")
    }

    private func neighbour(of path: String, _ chance: inout SeededGenerator) -> String {
        let above = path.split(separator: "/").dropLast() + [Substring(Self.names.randomElement(using: &chance) ?? "a")]
        return above.joined(separator: "/")
    }

    // MARK: - Writing

    private func create(_ path: String, _ chance: inout SeededGenerator) throws -> String? {
        let (draft, content) = try newDraft(&chance)
        guard bothy_rename_new(AT_FDCWD, draft, AT_FDCWD, "\(folder)/\(path)") == 0 else {
            unlink(draft)
            return nil
        }
        return ledger.note(content, "writes \(path)")
    }

    /// As editors do: into a new file, which takes the old one's name.
    private func save(_ path: String, _ chance: inout SeededGenerator) throws -> String? {
        let (draft, content) = try newDraft(&chance)
        let isSaved = bothy_exchange(AT_FDCWD, draft, AT_FDCWD, "\(folder)/\(path)") == 0
        if isSaved { try takeAway(draft) } else { unlink(draft) }
        return isSaved ? ledger.note(content, "saves \(path)") : nil
    }

    private func overwrite(_ path: String, _ chance: inout SeededGenerator) throws -> String {
        ledger.takeAway(try FolderTree.read("\(folder)/\(path)"))
        let content = ledger.content(by: name, &chance)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(path)"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(content))
        try file.close()
        return ledger.note(content, "overwrites \(path)")
    }

    private func newDraft(_ chance: inout SeededGenerator) throws -> (path: String, content: [UInt8]) {
        let content = ledger.content(by: name, &chance)
        let path = "\(desk)/\(chance.next())"
        try Data(content).write(to: URL(fileURLWithPath: path))
        return (path, content)
    }

    // MARK: - Moving and taking away

    private func move(_ path: String, to other: String) -> String? {
        bothy_rename_new(AT_FDCWD, "\(folder)/\(path)", AT_FDCWD, "\(folder)/\(other)") == 0
            ? "moves \(path) to \(other)" : nil
    }

    private func put(_ path: String, inPlaceOf other: String) throws -> String? {
        let content = try FolderTree.read("\(folder)/\(other)")
        guard path != other, rename("\(folder)/\(path)", "\(folder)/\(other)") == 0 else { return nil }
        ledger.takeAway(content)
        return "puts \(path) in the place of \(other)"
    }

    private func delete(_ path: String) throws -> String? {
        let hands = "\(desk)/\(UUID().uuidString)"
        guard rename("\(folder)/\(path)", hands) == 0 else { return nil }
        try takeAway(hands)
        return "deletes \(path)"
    }

    /// A file, or a folder with all in it, that is off the folder.
    private func takeAway(_ hands: String) throws {
        let below = FolderTree.paths(in: hands)
        for (path, isFolder) in below where !isFolder { ledger.takeAway(try FolderTree.read("\(hands)/\(path)")) }
        if let content = try? FolderTree.read(hands) { ledger.takeAway(content) }
        try FileManager.default.removeItem(atPath: hands)
    }
}
