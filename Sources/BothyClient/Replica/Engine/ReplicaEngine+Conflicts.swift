import BothyContent
import BothyContract

/// Operations that met something that the person had not seen, and what is decided about them.
extension ReplicaEngine {
    /// In the order in which they were done.
    public func conflicts() async throws -> [JournalOperation] {
        try await operations().filter { $0.state == .conflict }
    }

    /// Decides. The operation that does it is written down in place of the old one, in one step, and sent like any other.
    ///
    /// - Throws: `notFound` where there is no such conflict any more; `refused` for a choice that makes no sense of it.
    @discardableResult
    public func resolve(_ id: Int64, _ choice: ConflictChoice) async throws -> ConflictDecision {
        try await resolve(id, choice, automatic: false)
    }

    func resolve(_ id: Int64, _ choice: ConflictChoice, automatic: Bool) async throws -> ConflictDecision {
        guard let operation = try await conflicts().first(where: { $0.id == id }) else { throw Self.unknown }
        let place = try await place(of: operation)
        let draft = JournalRecorder.Deciding(
            operation: operation, choice: choice.kind, automatic: automatic, path: place?.text)
        let recorder = JournalRecorder(store: try store(), clock: environment.clock)
        if case .theirs = choice {
            let places = try await places(of: [operation] + needing(id))
            let (gone, decision) = try await recorder.giveUp(draft)
            for operation in gone { try await forget(operation, .theirsKept, at: places[operation.id]) }
            await letGo(ofUploadFor: operation)
            return decision
        }
        let (action, subject) = try await decided(operation, choice)
        let (made, decision) = try await recorder.replace(draft, by: action, on: subject)
        try await parts.look(at: operation, in: store())
        try await parts.look(at: made, in: store())
        // Of a merge, what was made here alone is in the merged content; it is kept for one who takes the merge back.
        if let kept = operation.content, kept.owned, made.content?.path != kept.path {
            try await giveUp(kept, of: operation, .merged, at: place)
        }
        await letGo(ofUploadFor: operation)
        return decision
    }

    /// What was decided otherwise is not on its way any more: it must not be counted as what waits.
    func letGo(ofUploadFor operation: JournalOperation) async {
        guard operation.content != nil else { return }
        // Where this cannot be written down now, screens know better all the same (``TransferBoard``).
        try? await drive.letGo(ofUpload: operation.requestId)
    }

    private func decided(
        _ operation: JournalOperation, _ choice: ConflictChoice
    ) async throws -> (JournalOperation.Action, LUID?) {
        switch (operation.action, choice) {
        case (.newRevision(let content, _), .mine): return try await over(operation.subject, content)
        case (.newRevision, .merged(let content)): return try await over(operation.subject, content)
        case (.newRevision(let content, _), .both(let name)):
            let parent = try await file(operation.subject)?.parent ?? .root
            return (.upload(parent: parent, name: name, content: content, conflict: .fork), nil)
        case (.upload(let parent, let name, let content, _), .mine):
            let there = try await read { view in try view.child(name, of: parent) }
            guard let there, !there.isFolder else {
                return (.upload(parent: parent, name: name, content: content, conflict: .fork), operation.subject)
            }
            return try await over(there.luid, content)
        case (.upload(let parent, _, let content, _), .both(let name)):
            return (.upload(parent: parent, name: name, content: content, conflict: .fork), operation.subject)
        case (.createFolder(let parent, _), .both(let name)):
            return (.createFolder(parent: parent, name: name), operation.subject)
        case (.rename, .both(let name)): return (.rename(name: name), operation.subject)
        case (.move(let parent, _), .both(let name)): return (.move(parent: parent, name: name), operation.subject)
        case (.trash, .mine):
            guard let id = try await store().serverId(of: operation.subject) else { throw Self.unknown }
            return (.trash(seen: try await seen(id, asOf: nil)), operation.subject)
        default:
            throw ClientFailure(.refused, "This decision is not possible here.", remedy: Self.remedy(operation.action))
        }
    }

    private static func remedy(_ action: JournalOperation.Action) -> String {
        switch action {
        case .trash: "Choose to keep mine, which deletes it, or theirs."
        case .newRevision, .upload: "Choose to keep mine, theirs, or both."
        default: "Choose to keep theirs, or both."
        }
    }

    private func over(_ luid: LUID, _ content: PendingContent) async throws -> (JournalOperation.Action, LUID?) {
        guard let there = try await store().cached(luid) else { throw Self.unknown }
        return (.newRevision(content: content, base: there.headRevisionId), luid)
    }

    /// Where what an operation is about is shown, or would be.
    public func place(of operation: JournalOperation) async throws -> RemotePath? {
        try await read { view in try view.place(of: operation) }
    }

    /// The name under which what was done here would stand beside what is there: «report (laptop's conflict 2026-11-20).pdf».
    public func nameBeside(_ operation: JournalOperation) async throws -> String {
        let (name, parent): (String, LUID?)
        switch operation.action {
        case .upload(let folder, let wanted, _, _), .createFolder(let folder, let wanted):
            (name, parent) = (wanted, folder)
        case .rename(let wanted): (name, parent) = (wanted, try await file(operation.subject)?.parent)
        case .move(let folder, let wanted):
            let there = try await file(operation.subject)
            (name, parent) = (wanted ?? there?.name ?? "", folder)
        default:
            let there = try await file(operation.subject)
            (name, parent) = (there?.name ?? "", there?.parent)
        }
        let (device, day) = (deviceName(), String(operation.createdAt.rfc3339.prefix(10)))
        return try await read { view in
            for attempt in 0..<Self.mostNames {
                let candidate = FileName.conflict(name, device: device, day: day, attempt: attempt)
                guard let parent, try view.child(candidate, of: parent) != nil else { return candidate }
            }
            return FileName.conflict(name, device: device, day: day, attempt: Self.mostNames)
        }
    }

    /// Names beside one file that are tried; after these the server's own counter makes the difference.
    private static let mostNames = 100
}

/// What is done by the policies that a person has set.
extension ReplicaEngine {
    /// Decided without being asked: what nobody has chosen anything for.
    public static let usualPolicy = ConflictResolution.fork

    /// What holds for a file or folder: its own policy, that of the nearest folder above it that has one, the account's.
    public func conflictPolicy(of luid: LUID) async throws -> ConflictResolution {
        try await store().view { view in
            for place in try view.above(luid, including: true) ?? [] {
                if let policy = try ConflictPolicyTable.policy(of: place.luid, in: view.ground.db) { return policy }
            }
            return try ConflictPolicyTable.policy(of: .root, in: view.ground.db) ?? Self.usualPolicy
        }
    }

    /// - Parameter policy: nil for what holds above.
    public func setConflictPolicy(_ policy: ConflictResolution?, of luid: LUID) async throws {
        try await store().transact { db in try ConflictPolicyTable.set(policy, of: luid, in: db) }
    }

    /// Those that were set, each for a folder and what lies in it.
    public func conflictPolicies() async throws -> [(luid: LUID, policy: ConflictResolution)] {
        try await store().ground { ground in try ConflictPolicyTable.all(in: ground.db) }
    }

    /// Rounds of deciding, or asking for news, and sending: what is decided may meet something new again.
    static let exchanges = 3

    /// Decides what has just met something else, as the policies say, and sends that.
    ///
    /// - Throws: what kept it from one of them, once the others are decided; that one is decided the next time.
    func settleConflicts() async throws {
        var rounds = 0
        while rounds < Self.exchanges, !unsettled.isEmpty {
            // What is there now is what is decided about; some of it is known to be no conflict then.
            try await pull()
            let (decided, failure) = await settleAll()
            if decided {
                rounds += 1
                if running != nil { try await runner?.wake() } else { _ = try await makeRunner().push() }
            }
            if let failure { throw failure }
        }
    }

    private func settleAll() async -> (decided: Bool, failure: (any Error)?) {
        let met = unsettled
        unsettled = []
        var (decided, failure) = (false, (any Error)?.none)
        for id in met {
            do {
                if try await settle(id) { decided = true }
            } catch {
                unsettled.append(id)
                failure = error
            }
        }
        return (decided, failure)
    }

    private func settle(_ id: Int64) async throws -> Bool {
        guard let operation = try await conflicts().first(where: { $0.id == id }) else { return false }
        if try await isTheSame(operation) {
            // Both sides did the same: nothing is decided, and nothing lost.
            let recorder = JournalRecorder(store: try store(), clock: environment.clock)
            let there = try await store().cached(operation.subject)?.headRevisionId
            for gone in try await recorder.discard(id, whichIs: there) {
                try await parts.look(at: gone, in: store())
                await letGo(of: [gone])
            }
            return true
        }
        let there = try await taken(operation)
        let policy = try await conflictPolicy(
            of: operation.creates ? operation.destination ?? .root : operation.subject)
        let verdict = PolicyRule.verdict(on: operation.action, policy, isFolderThere: there?.isFolder == true)
        guard let choice = try await choice(verdict, operation) else {
            waits.append(operation)
            return false
        }
        _ = try await resolve(id, choice, automatic: true)
        return true
    }

    private func choice(
        _ verdict: PolicyRule.Verdict, _ operation: JournalOperation
    ) async throws -> ConflictChoice? {
        switch verdict {
        case .wait: return nil
        case .mine: return .mine
        case .theirs: return .theirs
        case .merge:
            if let merged = try await merged(operation) { return .merged(merged) }
            return .both(name: try await nameBeside(operation))
        case .both:
            // A new file gets a counter, as from the server: nobody edited the other one.
            if case .upload(_, let name, _, _) = operation.action { return .both(name: name) }
            return .both(name: try await nameBeside(operation))
        }
    }

    /// What has the name on the server that an operation would take.
    private func taken(_ operation: JournalOperation) async throws -> ReplicaFile? {
        guard case .upload(let parent, let name, _, _) = operation.action else { return nil }
        return try await read { view in try view.child(name, of: parent) }
    }

    private func isTheSame(_ operation: JournalOperation) async throws -> Bool {
        guard case .newRevision(let content, _) = operation.action else { return false }
        return try await store().cached(operation.subject)?.checksum == content.checksum
    }
}
