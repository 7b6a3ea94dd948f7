import BothyContent
import BothyContract

/// The person at a device: does deeds in its folder, and the ledger is told what was before their eyes.
struct Person {
    let disk: SimulatedDisk
    let actor: Ledger.Actor
    /// What something is called while it is saved, or changes places with another.
    static let momentaryNames = ["save.tmp", "swap.tmp"]

    /// - Returns: what was done, in words; nil when there was nothing to do it to.
    func does(_ deed: Deed, _ ledger: inout Ledger) -> String? {
        guard !disk.isAway || disk.isWrittenInto && deed.isCreation else { return nil }
        do {
            return try act(deed, &ledger)
        } catch {
            return nil
        }
    }

    /// - Returns: what was done, in words; nil when nothing was.
    func saves(
        _ path: [String], _ content: Content, _ saving: Deed.Saving, _ ledger: inout Ledger
    ) -> String? {
        // A person whose program cannot save does something else.
        try? edit(path, content, saving, &ledger)
    }

    private var things: [[String]] { disk.personsPaths }
    private var folders: [[String]] { [[]] + things.filter { disk.model.isFolder($0) } }
    private var files: [[String]] { things.filter { disk.model.bytes($0) != nil } }

    private func act(_ deed: Deed, _ ledger: inout Ledger) throws -> String? {
        switch deed {
        case .create(let folder, let name, let content):
            return try create(Names.pick(folder, of: folders), Names.name(name), content, &ledger)
        case .edit(let file, let content, let saving):
            guard let path = Names.pick(file, of: files) else { return nil }
            return try edit(path, content, saving, &ledger)
        case .makeFolder(let parent, let name):
            guard let folder = Names.pick(parent, of: folders) else { return nil }
            let path = folder + [Names.name(name)]
            try disk.model.makeFolder(path)
            return "makes the folder \(Self.words(path))"
        case .rename(let thing, let name):
            guard let path = Names.pick(thing, of: things) else { return nil }
            return try relocate(path, path.dropLast() + [Names.name(name)], &ledger)
        case .move(let thing, let folder):
            guard let path = Names.pick(thing, of: things), let target = Names.pick(folder, of: folders),
                let name = path.last
            else { return nil }
            return try relocate(path, target + [name], &ledger)
        case .delete(let thing):
            guard let path = Names.pick(thing, of: things) else { return nil }
            return try delete(path, &ledger)
        default:
            return try actRarely(deed, &ledger)
        }
    }

    private func actRarely(_ deed: Deed, _ ledger: inout Ledger) throws -> String? {
        switch deed {
        case .copy(let file, let folder, let name):
            guard let path = Names.pick(file, of: files), let target = Names.pick(folder, of: folders),
                let bytes = disk.model.bytes(path)
            else { return nil }
            let copy = target + [Names.name(name)]
            guard !disk.model.exists(copy) else { return nil }
            try disk.model.write(copy, bytes)
            ledger.copied(SHA256Hasher.hash(bytes), by: actor)
            takePlace(copy, &ledger)
            return "copies \(Self.words(path)) to \(Self.words(copy))"
        case .swap(let first, let second):
            return try swap(Names.pick(first, of: files), Names.pick(second, of: files), &ledger)
        case .fileBecomesFolder(let file):
            guard let path = Names.pick(file, of: files) else { return nil }
            _ = try delete(path, &ledger)
            try disk.model.makeFolder(path)
            return "makes a folder of the file \(Self.words(path))"
        case .folderBecomesFile(let folder, let content):
            guard let path = Names.pick(folder, of: folders), !path.isEmpty else { return nil }
            _ = try delete(path, &ledger)
            try disk.model.write(path, content.bytes)
            ledger.wrote(content, by: actor)
            takePlace(path, &ledger)
            return "makes the file \(Self.words(path)) \(content.words) of a folder"
        case .setExecutable(let file, let executable):
            guard let path = Names.pick(file, of: files) else { return nil }
            try disk.model.setExecutable(path, executable)
            touch(path, &ledger)
            return "makes \(Self.words(path)) \(executable ? "" : "not ")executable"
        case .touch(let file):
            guard let path = Names.pick(file, of: files) else { return nil }
            try disk.model.setModified(path, Timestamp(seconds: -5, nanoseconds: 7))
            return "sets the time of \(Self.words(path)) before 1970"
        case .link(let folder, let name):
            guard let folder = Names.pick(folder, of: folders) else { return nil }
            try disk.model.makeLink(folder + [Names.name(name)], target: "/etc")
            return "makes a symbolic link \(Self.words(folder + [Names.name(name)]))"
        default:
            return nil
        }
    }

    // MARK: Parts

    private func create(
        _ folder: [String]?, _ name: String, _ content: Content, _ ledger: inout Ledger
    ) throws -> String? {
        guard let folder else { return nil }
        let path = folder + [name]
        guard !disk.model.exists(path) else { return nil }
        try disk.model.write(path, content.bytes)
        ledger.wrote(content, by: actor)
        takePlace(path, &ledger)
        return "writes \(Self.words(path)) \(content.words)"
    }

    private func edit(
        _ path: [String], _ content: Content, _ saving: Deed.Saving, _ ledger: inout Ledger
    ) throws -> String? {
        guard let old = disk.model.bytes(path), old != content.bytes else { return nil }
        let beside = Array(path.dropLast()) + ["save.tmp"]
        // What a power cut has left of another saving is a person's file by now; and a full disk takes no second one.
        let hasRoom = !disk.model.exists(beside) && content.bytes.count <= disk.model.freeBytes
        switch hasRoom ? saving : .inPlace {
        case .inPlace:
            try disk.model.write(path, content.bytes)
        case .byRename:
            try disk.model.write(beside, content.bytes)
            try disk.model.rename(beside, path, replacing: true)
        case .keepingBackup:
            try disk.model.rename(path, beside, replacing: true)
            try disk.model.write(path, content.bytes)
            try disk.model.remove(beside, recursively: false)
        case .lyingAboutTime:
            let time = disk.look(path)?.stamp.modifiedAt
            try disk.model.write(path, content.bytes)
            if let time { try disk.model.setModified(path, time) }
        }
        ledger.removed(SHA256Hasher.hash(old), at: Self.words(path), by: actor)
        ledger.wrote(content, over: SHA256Hasher.hash(old), by: actor)
        return "saves \(Self.words(path)) \(content.words) (\(saving.rawValue))"
    }

    private func relocate(_ from: [String], _ to: [String], _ ledger: inout Ledger) throws -> String? {
        guard from != to, !disk.model.exists(to) || disk.look(from)?.stamp.inode == disk.look(to)?.stamp.inode else {
            return nil
        }
        try disk.model.rename(from, to, replacing: false)
        for path in disk.model.walk(to) + [to] {
            touch(path, &ledger)
            let moved = disk.model.bytes(path).map { SHA256Hasher.hash($0) }
            takePlace(path, moving: moved, &ledger)
        }
        if let bytes = disk.model.bytes(to) {
            ledger.relocated(SHA256Hasher.hash(bytes), from: Self.words(from), to: Self.words(to), by: actor)
        }
        if disk.model.isFolder(to) { ledger.movedFolder(from: Self.words(from), to: Self.words(to), by: actor) }
        return "moves \(Self.words(from)) to \(Self.words(to))"
    }

    private func swap(_ first: [String]?, _ second: [String]?, _ ledger: inout Ledger) throws -> String? {
        guard let first, let second, first != second else { return nil }
        let aside = Array(first.dropLast()) + ["swap.tmp"]
        try disk.model.rename(first, aside, replacing: false)
        try disk.model.rename(second, first, replacing: false)
        try disk.model.rename(aside, second, replacing: false)
        if let one = disk.model.bytes(first), let other = disk.model.bytes(second) {
            ledger.exchanged(SHA256Hasher.hash(one), SHA256Hasher.hash(other), by: actor)
        }
        touch(first, &ledger)
        touch(second, &ledger)
        return "swaps \(Self.words(first)) and \(Self.words(second))"
    }

    private func delete(_ path: [String], _ ledger: inout Ledger) throws -> String? {
        for below in disk.model.walk(path) + [path] {
            guard let bytes = disk.model.bytes(below) else { continue }
            ledger.removed(SHA256Hasher.hash(bytes), at: Self.words(below), by: actor)
        }
        try disk.model.remove(path, recursively: true)
        return "deletes \(Self.words(path))"
    }

    private func touch(_ path: [String], _ ledger: inout Ledger) {
        if let bytes = disk.model.bytes(path) { ledger.moved(SHA256Hasher.hash(bytes), by: actor) }
    }

    private func takePlace(_ path: [String], moving moved: ContentHash? = nil, _ ledger: inout Ledger) {
        ledger.tookPlace(Self.words(path), moving: moved, by: actor)
        guard disk.model.nature.naming == .caseInsensitive, disk.model.bytes(path) != nil else { return }
        ledger.respelled(Self.words(path), among: disk.contents, by: actor)
    }

    static func words(_ path: [String]) -> String { "/" + path.joined(separator: "/") }
}
