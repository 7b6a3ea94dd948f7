import BothyContent
import BothyContract
import Foundation
import NIOCore

/// The conflicts of what was done on this device and is sent by its journal.
public struct HomeConflicts: ConflictsOfOneKind {
    private let replica: ReplicaEngine
    private let names: @Sendable (_ device: String?) async -> String?
    private let held: CheckedHeldContent

    /// - Parameter names: what a device is called; nil for what is not known.
    package init(replica: ReplicaEngine, names: @escaping @Sendable (_ device: String?) async -> String?) {
        self.replica = replica
        self.names = names
        held = CheckedHeldContent(disk: replica.environment.disk)
    }

    // MARK: - Looking

    public func waiting() async throws -> [DeviceConflict] {
        var found = [DeviceConflict]()
        for meeting in try await replica.meetings() { found.append(await conflict(meeting)) }
        return found
    }

    public func count() async throws -> Int { try await replica.conflicts().count }

    public func conflict(_ id: DeviceConflict.ID) async throws -> DeviceConflict {
        await conflict(try await replica.meeting(try Self.number(id)))
    }

    private static func number(_ id: DeviceConflict.ID) throws(ClientFailure) -> Int64 {
        guard let number = Int64(id) else { throw ReplicaEngine.unknown }
        return number
    }

    private func conflict(_ meeting: ReplicaEngine.Meeting) async -> DeviceConflict {
        let operation = meeting.operation
        let kind = DeviceConflict.Kind(operation.action)
        return DeviceConflict(
            id: String(operation.id), kind: kind, above: meeting.place?.parent.names ?? [],
            mine: await mine(meeting), theirs: await theirs(meeting), since: operation.createdAt,
            failure: operation.lastError, choices: Self.choices(meeting, kind), seen: Self.seen(meeting.there),
            hasTwoContents: operation.content != nil && meeting.there.map { !$0.isFolder && $0.size > 0 } ?? false)
    }

    private func mine(_ meeting: ReplicaEngine.Meeting) async -> DeviceConflict.Side {
        let (operation, subject) = (meeting.operation, meeting.subject)
        var side = DeviceConflict.Side(name: meeting.place?.name ?? subject?.name ?? "")
        side.device = replica.deviceName()
        switch operation.action {
        case .upload(_, let name, _, _): side.name = name
        case .createFolder(_, let name): (side.name, side.isFolder) = (name, true)
        case .rename(let name): (side.name, side.isFolder) = (name, subject?.isFolder == true)
        case .move(_, let name): (side.name, side.isFolder) = (name ?? side.name, subject?.isFolder == true)
        case .newRevision, .trash, .restore, .star, .hide: side.isFolder = subject?.isFolder == true
        }
        if let content = operation.content {
            (side.size, side.modifiedAt, side.mimeType) = (content.size, content.modifiedAt, content.mimeType)
        }
        return side
    }

    private func theirs(_ meeting: ReplicaEngine.Meeting) async -> DeviceConflict.Side? {
        guard let there = meeting.there else { return nil }
        return DeviceConflict.Side(
            name: there.name, isFolder: there.isFolder, size: there.isFolder ? nil : there.size,
            modifiedAt: there.modifiedAt, device: await names(there.deviceId), mimeType: there.mimeType,
            item: there.luid.item)
    }

    /// What the engine can make of it.
    private static func choices(
        _ meeting: ReplicaEngine.Meeting, _ kind: DeviceConflict.Kind
    ) -> [ConflictDecision.Choice] {
        switch (kind, meeting.operation.action) {
        case (.edits, .newRevision(let content, let base)):
            let most = max(content.size, meeting.there?.size ?? .max)
            let isTried = base != nil && most <= TextMerge.mostBytes
            return [.mine, .theirs, .both] + (isTried ? [.merged] : [])
        case (.name, .upload): return meeting.there?.isFolder == false ? [.mine, .theirs, .both] : [.theirs, .both]
        case (.name, _): return [.theirs, .both]
        case (.deletion, _): return [.mine, .theirs]
        default: return [.theirs]
        }
    }

    private static func seen(_ there: ReplicaFile?) -> String {
        there.map { "\($0.luid.value)-\($0.version)" } ?? "-"
    }

    // MARK: - Contents

    public func beginning(of side: ConflictSide, _ id: DeviceConflict.ID, most bytes: Int) async throws -> [UInt8] {
        let meeting = try await replica.meeting(try Self.number(id))
        switch side {
        case .mine: return try await beginning(ofMine: meeting, most: bytes)
        case .theirs: return try await replica.beginning(ofTheirs: meeting, most: bytes)
        }
    }

    private func beginning(ofMine meeting: ReplicaEngine.Meeting, most bytes: Int) async throws -> [UInt8] {
        let content = try Self.content(meeting)
        guard content.owned else {
            return try LocalReading.beginning(of: content.path, most: bytes, disk: replica.environment.disk)
        }
        var beginning = [UInt8]()
        try await unlessDamaged(content, meeting) { copy in
            try await held.send(0..<min(copy.size, Int64(bytes)), of: copy) { beginning += $0.readableBytesView }
        }
        return beginning
    }

    public func content(ofMine id: DeviceConflict.ID) async throws -> AsyncThrowingStream<ByteBuffer, any Error> {
        let meeting = try await replica.meeting(try Self.number(id))
        let content = try Self.content(meeting)
        if content.owned { try await unlessDamaged(content, meeting) { try await held.check($0) } }
        return try LocalReading.stream(content.path, disk: replica.environment.disk)
    }

    /// What waits to be sent; where it is not this home's own copy, it is a person's to change.
    private static func content(_ meeting: ReplicaEngine.Meeting) throws -> PendingContent {
        guard let content = meeting.operation.content else { throw ReplicaEngine.unknown }
        return content
    }

    /// Hands out the copy that waits. It stays, damaged or not: it may be nowhere else.
    private func unlessDamaged(
        _ content: PendingContent, _ meeting: ReplicaEngine.Meeting, _ body: (HeldCopy) async throws -> Void
    ) async throws {
        let copy = HeldCopy(waiting: content)
        do {
            try await body(copy)
        } catch is CheckedHeldContent.Damage {
            var damage = copy.damage(of: await mine(meeting).name, isOffline: false)
            damage.remedy =
                "Upload the original file again, or keep theirs. The copy stays until you decide: "
                + "“bothy journal export” saves what is left of it."
            throw damage
        }
    }

    // MARK: - Deciding

    public func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async throws {
        let meeting = try await replica.meeting(try Self.number(id))
        guard Self.seen(meeting.there) == seen else {
            throw ClientFailure(
                .changedMeanwhile, "“\(meeting.place?.name ?? "It")” has changed again since you looked.",
                remedy: "Check both versions again, then decide.")
        }
        let operation = meeting.operation
        switch choice {
        case .mine: try await replica.resolve(operation.id, .mine)
        case .theirs: try await replica.resolve(operation.id, .theirs)
        case .both: try await replica.resolve(operation.id, .both(name: try await replica.nameBeside(operation)))
        case .merged:
            guard let merged = try await replica.merged(operation) else {
                throw ClientFailure(
                    .refused, "These two cannot be merged: they are not texts, or both changed the same lines.",
                    remedy: "Keep yours, theirs or both.")
            }
            try await replica.resolve(operation.id, .merged(merged))
        }
        try await replica.wake()
    }

    public func decided(most: Int) async throws -> [DecidedConflict] {
        try await replica.decisions().prefix(most).map(DecidedConflict.init)
    }

    public func takeBack(_ id: DecidedConflict.ID) async throws {
        try await replica.undo(id)
        try await replica.wake()
    }
}

extension ReplicaEngine {
    /// - Throws: `offline` for what is not at hand and cannot be fetched.
    fileprivate func beginning(ofTheirs meeting: Meeting, most bytes: Int) async throws -> [UInt8] {
        guard let there = meeting.there, let revision = there.headRevisionId else { throw Self.unknown }
        let path = try await holdWhole(revision, of: there)
        return try LocalReading.beginning(of: path, most: bytes, disk: environment.disk)
    }
}

extension DeviceConflict.Kind {
    fileprivate init(_ action: JournalOperation.Action) {
        self =
            switch action {
            case .newRevision: .edits
            case .upload, .createFolder, .rename, .move: .name
            case .trash: .deletion
            case .restore, .star, .hide: .other
            }
    }
}

extension DecidedConflict {
    fileprivate init(_ decision: ConflictDecision) {
        // A path that is none any more is not shown.
        let path = decision.path.flatMap { try? RemotePath($0) }
        let beside: String? =
            switch decision.made?.action {
            case .upload(_, let name, _, _), .createFolder(_, let name), .rename(let name): name
            case .move(_, let name): name
            default: nil
            }
        self.init(
            id: decision.id, decidedAt: decision.decidedAt, isAutomatic: decision.isAutomatic,
            choice: decision.choice, kind: DeviceConflict.Kind(decision.operation.action), name: path?.name ?? "",
            above: path?.parent.names ?? [], beside: decision.choice == .both ? beside : nil,
            undoneAt: decision.undoneAt)
    }
}
