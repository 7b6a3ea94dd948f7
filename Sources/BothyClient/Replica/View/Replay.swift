import BothyContract

/// One operation done to what was before it, as the server does it: the same refusals, the same names.
struct Replay {
    private var effect = Overlay.Effect()
    private let fileBefore: (LUID) throws -> ReplicaFile?
    private let childBefore: (NameInFolder) throws -> LUID?

    /// Folders above each other that are looked at; more would be a circle.
    private static let deepest = FileLimits.maximumDepth + 1

    init(
        reads: Set<ViewKey>, file: @escaping (LUID) throws -> ReplicaFile?,
        child: @escaping (NameInFolder) throws -> LUID?
    ) {
        effect.reads = reads
        fileBefore = file
        childBefore = child
    }

    private struct Refusal: Error {
        var code: FailureCode
    }

    mutating func effect(of operation: JournalOperation) throws -> Overlay.Effect {
        do {
            try perform(operation)
        } catch let refusal as Refusal {
            effect.files = [:]
            effect.names = [:]
            effect.refusal = refusal.code
        }
        return effect
    }

    private mutating func perform(_ operation: JournalOperation) throws {
        // What the server did it does not refuse again; until the cache holds it, it is shown as it was answered.
        switch operation.action {
        case .createFolder(let parent, let name):
            try create(operation, in: parent, named: name, conflict: .fail, content: nil)
        case .upload(let parent, let name, let content, let conflict):
            try create(operation, in: parent, named: name, conflict: conflict, content: content)
        case .newRevision(let content, let base): try revise(operation, content, base)
        case .rename(let name): try place(operation, in: nil, named: name)
        case .move(let parent, let name): try place(operation, in: parent, named: name)
        case .trash(let seen): try trash(operation, seen)
        case .restore: try restore(operation)
        case .star(let starred): try mark(operation) { $0.starred = starred }
        case .hide(let hidden): try mark(operation) { $0.hidden = hidden }
        }
    }

    // MARK: - What was before

    private mutating func file(_ luid: LUID) throws -> ReplicaFile? {
        effect.reads.insert(.file(luid))
        if let own = effect.files[luid] { return own }
        return try fileBefore(luid)
    }

    private mutating func child(_ place: NameInFolder) throws -> LUID? {
        effect.reads.insert(.name(place))
        if let own = effect.names[place] { return own }
        return try childBefore(place)
    }

    private mutating func require(_ luid: LUID) throws -> ReplicaFile {
        guard let file = try file(luid), file.parent != nil || luid == .root else { throw Refusal(code: .notFound) }
        guard luid != .root else { throw Refusal(code: .refused) }
        return file
    }

    /// The folders from `luid` itself up to the root; what hangs in no root is held, and not there yet.
    private mutating func path(from luid: LUID) throws -> [ReplicaFile] {
        var path = [ReplicaFile]()
        var next: LUID? = luid
        while let luid = next {
            guard path.count <= Self.deepest, let folder = try file(luid) else { throw Refusal(code: .parentGone) }
            path.append(folder)
            next = luid == .root ? nil : folder.parent
        }
        return path
    }

    private mutating func requireParent(_ luid: LUID) throws -> [ReplicaFile] {
        let path = try path(from: luid)
        if path.contains(where: { $0.trashedAt != nil }) { throw Refusal(code: .parentGone) }
        guard path[0].isFolder else { throw Refusal(code: .notAFolder) }
        return path
    }

    private mutating func freeName(like name: String, in parent: LUID) throws -> String {
        if try child(NameInFolder(parent: parent, name: name)) == nil { return name }
        // As the server searches: by doubling, then between.
        var (taken, free) = (0, 1)
        while try child(NameInFolder(parent: parent, name: FileName.numbered(name, free))) != nil {
            taken = free
            free *= 2
        }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            let isTaken = try child(NameInFolder(parent: parent, name: FileName.numbered(name, middle))) != nil
            if isTaken { taken = middle } else { free = middle }
        }
        return FileName.numbered(name, free)
    }

    // MARK: - What is done

    private mutating func create(
        _ operation: JournalOperation, in parent: LUID, named name: String, conflict: ConflictPolicy,
        content: PendingContent?
    ) throws {
        let known = try file(operation.subject)
        if known?.serverId != nil { return }
        _ = try requireParent(parent)
        var name = name
        if let other = try child(NameInFolder(parent: parent, name: name)) {
            switch conflict {
            case .fork: name = try freeName(like: name, in: parent)
            case .overwrite:
                guard let content, let there = try file(other), !there.isFolder else {
                    throw Refusal(code: .nameConflict)
                }
                effect.files[other] = Self.revised(there, content, operation)
                return
            case .fail: throw Refusal(code: .nameConflict)
            }
        }
        let made = ReplicaFile(
            luid: operation.subject, serverId: nil, parent: parent, name: name,
            mimeType: content.map { $0.mimeType ?? MediaType.of(name) ?? File.defaultMimeType } ?? File.folderMimeType,
            size: content?.size ?? 0, checksum: content?.checksum, headRevisionId: operation.acknowledgedRevision,
            createdAt: operation.createdAt,
            modifiedAt: content?.modifiedAt ?? operation.createdAt, updatedAt: operation.createdAt,
            executable: content?.executable ?? false, requestId: operation.requestId, pendingContent: content)
        effect.files[operation.subject] = made
        effect.names[NameInFolder(parent: parent, name: name)] = operation.subject
    }

    private mutating func revise(_ operation: JournalOperation, _ content: PendingContent, _ base: String?) throws {
        let there = try require(operation.subject)
        guard !there.isFolder else { throw Refusal(code: .notAFile) }
        if operation.state != .acknowledged, let base, let head = there.headRevisionId, head != base {
            throw Refusal(code: .revisionConflict)
        }
        // The cache has it already, and not yet what others made of it, of which the answer told.
        if operation.acknowledgedRevision == SeenContent.unseen, there.checksum == content.checksum,
            try path(from: operation.subject).allSatisfy({ $0.trashedAt == nil })
        {
            return
        }
        // An edit wins over a deletion: the file comes back with it.
        try bringBack(operation.subject)
        effect.files[operation.subject] = Self.revised(try require(operation.subject), content, operation)
    }

    private static func revised(
        _ there: ReplicaFile, _ content: PendingContent, _ operation: JournalOperation
    ) -> ReplicaFile {
        var file = there
        file.size = content.size
        file.checksum = content.checksum
        file.modifiedAt = content.modifiedAt
        file.updatedAt = operation.createdAt
        file.executable = content.executable
        file.headRevisionId = operation.acknowledgedRevision
        file.pendingContent = content
        return file
    }

    private mutating func place(_ operation: JournalOperation, in parent: LUID?, named name: String?) throws {
        let old = try require(operation.subject)
        var new = old
        if let name { new.name = name }
        if let parent, parent != old.parent {
            if try requireParent(parent).contains(where: { $0.luid == old.luid }) { throw Refusal(code: .refused) }
            new.parent = parent
        }
        guard new != old else { return }
        if new.trashedAt == nil {
            try requireFree(new)
            free(old)
            take(new)
        }
        effect.files[new.luid] = new
    }

    private mutating func requireFree(_ file: ReplicaFile) throws {
        guard let parent = file.parent else { return }
        let other = try child(NameInFolder(parent: parent, name: file.name))
        if let other, other != file.luid { throw Refusal(code: .nameConflict) }
    }

    private mutating func free(_ file: ReplicaFile) {
        if let parent = file.parent { effect.names[NameInFolder(parent: parent, name: file.name)] = .some(nil) }
    }

    private mutating func take(_ file: ReplicaFile) {
        if let parent = file.parent { effect.names[NameInFolder(parent: parent, name: file.name)] = file.luid }
    }

    private mutating func trash(_ operation: JournalOperation, _ seen: SeenContent) throws {
        var file = try require(operation.subject)
        if operation.state != .acknowledged, case .head(let seen) = seen, let head = file.headRevisionId, head != seen {
            throw Refusal(code: .revisionConflict)
        }
        guard file.trashedAt == nil else { return }
        free(file)
        file.trashedAt = operation.createdAt
        effect.files[file.luid] = file
    }

    private mutating func restore(_ operation: JournalOperation) throws {
        _ = try require(operation.subject)
        try bringBack(operation.subject)
    }

    /// It comes back with the folders that it lies in; a name that was taken meanwhile gets a counter.
    private mutating func bringBack(_ luid: LUID) throws {
        for ancestor in try path(from: luid).reversed() where ancestor.trashedAt != nil {
            guard let parent = ancestor.parent else { continue }
            var back = ancestor
            back.trashedAt = nil
            back.name = try freeName(like: back.name, in: parent)
            take(back)
            effect.files[back.luid] = back
        }
    }

    private mutating func mark(_ operation: JournalOperation, _ change: (inout ReplicaFile) -> Void) throws {
        var file = try require(operation.subject)
        let old = file
        change(&file)
        if file != old { effect.files[file.luid] = file }
    }
}
