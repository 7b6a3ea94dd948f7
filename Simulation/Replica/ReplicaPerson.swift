import BothyClient
import BothyContract

/// The person at a device's replica: acts on what is shown, with a connection or without.
struct ReplicaPerson {
    let replica: SimulatedReplica
    /// What the server knows this deed by.
    let requestId: String

    private var actor: Ledger.Actor { .replica(replica.device.index) }

    /// - Returns: what was done, in words; nil when there was nothing to do it to, or the device said no.
    func does(_ intent: Intent, _ ledger: inout Ledger) async -> String? {
        do {
            let shown = try await replica.shown()
            switch intent {
            case .makeFolder(let parent, let name):
                guard let folder = Names.pick(parent, of: folders(shown)) else { return nil }
                try await record(.createFolder(parent: folder.luid, name: Names.name(name)))
                return "makes the folder \(folder.path)\(Names.name(name))"
            case .put(let folder, let name, let content):
                guard let folder = Names.pick(folder, of: folders(shown)) else { return nil }
                return try await put(Names.name(name), in: folder, content, &ledger)
            case .restore(let pick):
                return try await restore(pick, &ledger)
            case .revise(let pick, let content):
                let files = shown.things.filter { $0.file.checksum != nil }
                guard let file = Names.pick(pick, of: files) else { return nil }
                return try await revise(file, content, &ledger)
            case .rename(let pick, _), .move(let pick, _), .trash(let pick), .star(let pick, _), .hide(let pick, _):
                guard let thing = Names.pick(pick, of: shown.things) else { return nil }
                return try await change(thing, intent, shown, &ledger)
            }
        } catch {
            return nil
        }
    }

    private func record(
        _ action: JournalOperation.Action, on luid: LUID? = nil, kind: LUIDKind = .file
    ) async throws {
        try await replica.record(action, on: luid, kind: kind, requestId: requestId)
    }

    private func folders(_ shown: ShownTree) -> [(path: String, luid: LUID)] {
        [("/", .root)] + shown.things.filter(\.file.isFolder).map { ($0.path, $0.file.luid) }
    }

    // MARK: Deeds

    private func put(
        _ name: String, in folder: (path: String, luid: LUID), _ content: Content, _ ledger: inout Ledger
    ) async throws -> String {
        let kept = try replica.keep(content.bytes, as: requestId)
        let upload = JournalOperation.Action.upload(parent: folder.luid, name: name, content: kept, conflict: .fork)
        // What is had in many places is photos: a person who has one already has this one, wherever it lies.
        try await record(upload, kind: content.isFamiliar ? .photo : .file)
        ledger.wrote(content)
        return "puts \(folder.path)\(name) \(content.words)"
    }

    private func revise(
        _ thing: ShownTree.Thing, _ content: Content, _ ledger: inout Ledger
    ) async throws -> String? {
        let kept = try replica.keep(content.bytes, as: requestId)
        guard kept.checksum != thing.file.checksum else { return nil }
        try await record(.newRevision(content: kept, base: thing.file.headRevisionId), on: thing.file.luid)
        if let old = thing.file.checksum { ledger.removed(old, at: thing.path, by: actor) }
        ledger.wrote(content, over: thing.file.checksum)
        return "saves \(thing.path) \(content.words)"
    }

    private func change(
        _ thing: ShownTree.Thing, _ intent: Intent, _ shown: ShownTree, _ ledger: inout Ledger
    ) async throws -> String? {
        let (path, luid, contents) = (thing.path, thing.file.luid, shown.contents(at: thing.path))
        switch intent {
        case .rename(_, let name):
            try await record(.rename(name: Names.name(name)), on: luid)
            let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            moved(thing, to: "\(folder)/\(Names.name(name))", contents, &ledger)
            return "renames \(path) to \(Names.name(name))"
        case .move(_, let pick):
            guard let folder = Names.pick(pick, of: folders(shown)) else { return nil }
            try await record(.move(parent: folder.luid, name: nil), on: luid)
            moved(thing, to: "\(folder.path)\(thing.file.name)", contents, &ledger)
            return "moves \(path) into \(folder.path)"
        case .trash:
            let seen = try await replica.store.view { view in try view.seen(luid) }
            try await record(.trash(seen: seen), on: luid)
            for (path, hash) in contents { ledger.removed(hash, at: path, by: actor) }
            replica.deletions[requestId] = contents.map(\.hash)
            return "trashes \(path)"
        case .star(_, let starred):
            try await record(.star(starred), on: luid)
            return "\(starred ? "stars" : "unstars") \(path)"
        case .hide(_, let hidden):
            try await record(.hide(hidden), on: luid)
            return "\(hidden ? "hides" : "shows") \(path)"
        default:
            return nil
        }
    }

    private func moved(
        _ thing: ShownTree.Thing, to target: String, _ contents: [(path: String, hash: ContentHash)],
        _ ledger: inout Ledger
    ) {
        for (_, hash) in contents { ledger.moved(hash, by: actor) }
        if thing.file.isFolder { ledger.movedFolder(from: String(thing.path.dropLast()), to: target, by: actor) }
    }

    private func restore(_ pick: Int, _ ledger: inout Ledger) async throws -> String? {
        let trashed = try await replica.store.view { view in try view.trashed() }
        guard let file = Names.pick(pick, of: trashed) else { return nil }
        try await record(.restore, on: file.luid)
        for hash in try await contents(below: file.luid) { ledger.tookBack(hash, by: actor) }
        return "takes back \(file.name)"
    }

    /// Of a file, or of all that lies in a folder, whether that is in the trash or not.
    private func contents(below luid: LUID) async throws -> [ContentHash] {
        try await replica.store.view { view in
            var (hashes, waiting) = ([ContentHash](), [luid])
            while let next = waiting.popLast() {
                guard let file = try view.file(next) else { continue }
                if let hash = file.checksum { hashes.append(hash) }
                if file.isFolder { waiting += try view.children(of: next).map(\.luid) }
            }
            return hashes
        }
    }

    // MARK: Deciding

    /// Decides about what waits for a person, the first of it: it is given up, with what needs it, and content goes into the
    /// root folder under a name of its own.
    ///
    /// - Returns: what was decided, in words; nil when nothing waits.
    func decides(_ ledger: inout Ledger) async throws -> String? {
        guard let first = try await replica.store.operations().first(where: \.waitsForAPerson) else { return nil }
        // What was to be deleted or moved stays as it is.
        for hash in try await contents(below: first.subject) { ledger.tookBack(hash) }
        var words = "gives up \(first.kind) \(first.id) (\(first.lastError?.words ?? ""))"
        for operation in try await replica.discard(first.id) {
            // A deletion that is given up deletes nothing, wherever that lies by now.
            for hash in replica.deletions[operation.requestId] ?? [] { ledger.tookBack(hash) }
            guard let content = operation.content else { continue }
            ledger.tookBack(content.checksum)
            let name = "rescued \(operation.id).txt"
            try await replica.record(
                .upload(parent: .root, name: name, content: content, conflict: .fork),
                requestId: "\(requestId)-\(operation.id)")
            words += ", and keeps /\(name)"
        }
        return words
    }
}
