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
        case create, save, edit, overwrite, putInPlace, strew, rename, move, delete, deleteFolder, makeFolder
    }

    private static let acts: [Act] = [
        .create, .create, .create, .create, .create, .save, .save, .save, .overwrite, .putInPlace,
        .edit, .edit, .edit, .edit, .strew, .rename, .rename, .move, .move, .delete, .deleteFolder, .deleteFolder,
        .makeFolder, .makeFolder,
    ]
    /// Few, so that people meet in them.
    private static let names = ["a", "b", "c.txt", "d.txt", "Ä ☃", "f"]
    private static let deepest = 4
    /// Small files that somebody brings at once, and things in a folder past which nobody brings more.
    private static let strewn = 10...25
    private static let most = 100
    /// Bytes from which on a file's versions go as what changed.
    private static let large = 1 << 20

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
        case .create: return try create(free, new(&chance), &chance)
        case .save: return try file.flatMap { try save($0, new(&chance), &chance) }
        case .edit:
            return try (isAlone ? large(there, &chance) ?? file : file).flatMap { try edit($0, isAlone, &chance) }
        case .overwrite: return try isAlone ? file.flatMap { try overwrite($0, new(&chance)) } : nil
        case .strew: return try isAlone && there.count < Self.most ? strew(free, &chance) : nil
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

    /// Has a film and a book from the start: there is something to edit.
    func moveIn(_ chance: inout SeededGenerator) throws {
        for (path, content) in [
            ("film", ledger.writing(by: name).noise(Writing.film, &chance)),
            ("book", ledger.writing(by: name).text(Writing.book, &chance)),
        ] { _ = try create(path, content, &chance) }
    }

    /// - Returns: what it was; nil where nothing is large any more.
    func editLarge(_ chance: inout SeededGenerator) throws -> String? {
        try large(FolderTree.paths(in: folder), &chance).flatMap { try edit($0, true, &chance) }
    }

    private func large(_ there: [(path: String, isFolder: Bool)], _ chance: inout SeededGenerator) -> String? {
        there.filter { path, isFolder in
            let size = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.size] as? Int
            return !isFolder && size ?? 0 >= Self.large
        }.randomElement(using: &chance)?.path
    }

    // MARK: - Writing

    private func new(_ chance: inout SeededGenerator) -> [UInt8] { ledger.writing(by: name).content(&chance) }

    private func create(_ path: String, _ content: [UInt8], _ chance: inout SeededGenerator) throws -> String? {
        let draft = try draft(content, &chance)
        guard bothy_rename_new(AT_FDCWD, draft, AT_FDCWD, "\(folder)/\(path)") == 0 else {
            unlink(draft)
            return nil
        }
        return ledger.note(content, "writes \(path)")
    }

    /// As editors do: into a new file, which takes the old one's name.
    private func save(_ path: String, _ content: [UInt8], _ chance: inout SeededGenerator) throws -> String? {
        let draft = try draft(content, &chance)
        let isSaved = bothy_exchange(AT_FDCWD, draft, AT_FDCWD, "\(folder)/\(path)") == 0
        if isSaved { try takeAway(draft) } else { unlink(draft) }
        return isSaved ? ledger.note(content, "saves \(path)") : nil
    }

    private func overwrite(_ path: String, _ content: [UInt8]) throws -> String {
        ledger.takeAway(try FolderTree.read("\(folder)/\(path)"))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(path)"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(content))
        try file.close()
        return ledger.note(content, "overwrites \(path)")
    }

    /// Changes something in what is there.
    private func edit(_ path: String, _ isAlone: Bool, _ chance: inout SeededGenerator) throws -> String? {
        // It may go while they reach for it.
        guard let old = try? FolderTree.read("\(folder)/\(path)") else { return nil }
        let content = ledger.writing(by: name).edit(of: old, &chance)
        let isInPlace = isAlone && Bool.random(using: &chance)
        return try isInPlace ? overwrite(path, content) : save(path, content, &chance)
    }

    /// A folder of small files, there in one step.
    private func strew(_ path: String, _ chance: inout SeededGenerator) throws -> String? {
        let draft = "\(desk)/\(chance.next())"
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
        let contents = (0..<Int.random(in: Self.strewn, using: &chance)).map { _ in
            ledger.writing(by: name).small(&chance)
        }
        for (number, content) in contents.enumerated() {
            try Data(content).write(to: URL(fileURLWithPath: "\(draft)/\(number)"))
        }
        guard bothy_rename_new(AT_FDCWD, draft, AT_FDCWD, "\(folder)/\(path)") == 0 else {
            try FileManager.default.removeItem(atPath: draft)
            return nil
        }
        let words = contents.enumerated().map { ledger.note($1, "writes \(path)/\($0)") }
        return words.joined(separator: ", ")
    }

    private func draft(_ content: [UInt8], _ chance: inout SeededGenerator) throws -> String {
        let path = "\(desk)/\(chance.next())"
        try Data(content).write(to: URL(fileURLWithPath: path))
        return path
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
