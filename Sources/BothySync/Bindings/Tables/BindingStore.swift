import BothyClient
import BothyContract
import GRDB

/// What a device keeps of its synced folders, each method one transaction.
package struct BindingStore: Sendable {
    private let database: ClientDatabase

    /// Passes that can be looked up, explained and undone; older ones are forgotten.
    static let mostPasses = 2_000

    package init(database: ClientDatabase) { self.database = database }

    /// Returns when what was written until now survives a power cut.
    package func makeDurable() async throws { try await database.makeDurable() }

    // MARK: - Bindings

    package func all() async throws -> [Binding] { try await database.read(BindingTable.all) }

    package func find(_ id: String) async throws -> Binding? {
        try await database.read { try BindingTable.find(id, in: $0) }
    }

    /// Writes down all of a binding, which may be new.
    package func save(_ binding: Binding) async throws {
        try await database.write { try BindingTable.save(binding, in: $0) }
    }

    /// Writes down some of what has changed in a binding: the agent, commands and screens each have their own copy of it.
    package func write(_ parts: BindingPart..., of binding: Binding) async throws {
        try await database.write { db in
            for part in parts { try BindingTable.write(part, of: binding, in: db) }
        }
    }

    /// Writes down a new binding. What was agreed on of the very same folders before they were unlinked is agreed on again, though
    /// absence is no deletion until the two are linked.
    package func tie(_ binding: Binding) async throws {
        try await database.write { db in
            try BindingTable.save(binding, in: db)
            guard let former = try UntiedFolderTable.find(binding, in: db) else { return }
            try UntiedFolderTable.adopt(former, by: binding.id, in: db)
        }
    }

    /// What linking the two would begin with.
    package func treeToTie(_ binding: Binding) async throws -> SyncedTree {
        try await database.read { db in
            try SyncedNodeTable.tree(of: binding, keptAs: UntiedFolderTable.find(binding, in: db), in: db)
        }
    }

    /// Forgets a binding, except for what was agreed on: see ``tie(_:)``. Where a person undid the link, that is
    /// forgotten as well: what was put back here by it is no edit of what was agreed on.
    package func untie(_ binding: Binding, at now: Timestamp) async throws {
        try await database.write { db in
            try UntiedFolderTable.prune(beside: binding, at: now, in: db)
            let isTakenBack = try BindingTable.find(binding.id, in: db)?.isLinkTakenBack ?? false
            if isTakenBack {
                try SyncedNodeTable.removeAll(of: binding.id, in: db)
            } else {
                try UntiedFolderTable.note(binding, at: now, in: db)
            }
            try BindingTable.remove(binding.id, in: db)
        }
    }

    /// Forgets what was agreed on: the two sides are linked again from scratch.
    ///
    /// - Parameter held: what stays agreed on, though absence is no deletion until the two are linked.
    package func startLinking(_ binding: Binding, keeping held: SyncedTree? = nil) async throws {
        let rows = held.map { held in held.tree.subtree(of: .root).dropFirst().map { AgreedRow(held, $0) } } ?? []
        try await database.write { db in
            var binding = binding
            binding.isLinking = true
            binding.isLinkTakenBack = false
            try BindingTable.save(binding, in: db)
            try SyncedNodeTable.removeAll(of: binding.id, in: db)
            try SyncRequestTable.forgetAll(binding: binding.id, in: db)
            for row in rows {
                try SyncedNodeTable.save(row.facts, named: row.name, under: row.parentId, of: binding.id, in: db)
            }
        }
    }

    package func syncedTree(of binding: Binding) async throws -> SyncedTree {
        try await database.read { try SyncedNodeTable.tree(of: binding, in: $0) }
    }

    /// Notes that the stamps of some files vouch for what was agreed on, where both are as they are here.
    func vouch(for files: [SyncedFacts], of binding: String) async throws {
        try await database.write { db in
            for facts in files { try SyncedNodeTable.vouch(for: facts, of: binding, in: db) }
        }
    }

    /// Marks a file, or a folder with all below it, as one that stays here unsynced.
    package func markUnsynced(_ remoteId: String, of binding: Binding) async throws {
        let synced = try await syncedTree(of: binding)
        guard let top = synced.node(remoteId) else { return }
        let rows = synced.tree.subtree(of: top).map { node in
            var row = AgreedRow(synced, node)
            row.facts.mark = .unsynced(.deletedElsewhere)
            return row
        }
        try await database.write { db in
            for row in rows {
                try SyncedNodeTable.save(row.facts, named: row.name, under: row.parentId, of: binding.id, in: db)
            }
        }
    }

    /// Agreed folders in which another part of their disk is mounted, by their ids on the server.
    func mounts(of binding: String) async throws -> Set<String> {
        try await database.read { try MountTable.all(of: binding, in: $0) }
    }

    func note(mounts: Set<String>, of binding: String) async throws {
        try await database.write { try MountTable.replace(with: mounts, of: binding, in: $0) }
    }

    // MARK: - Steps

    /// An action that is about to be begun, and what its request is known by.
    package struct Beginning: Sendable {
        /// As JSON.
        package var action: String
        package var key: String
        /// The id of its request where it has none yet.
        package var fresh: String

        package init(action: String, key: String, fresh: String) {
            (self.action, self.key, self.fresh) = (action, key, fresh)
        }
    }

    /// The ids under which actions are sent to the server, the same each time until one has been answered.
    package func requestIds(of beginnings: [Beginning], binding: String) async throws -> [String] {
        try await database.write { db in
            var newest = try SyncRequestTable.newest(in: db)
            return try beginnings.map { try SyncRequestTable.id(of: $0, after: &newest, binding: binding, in: db) }
        }
    }

    /// Actions that were begun and never came to an answer here, in the order of their beginning.
    package func unanswered(binding: String) async throws -> [Unanswered] {
        try await database.read { db in
            try SyncRequestTable.unanswered(binding: binding, in: db).map { row in
                Unanswered(
                    key: row.key, requestId: row.requestId, action: try JSONColumn.read(Action.self, row.step))
            }
        }
    }

    /// It came to nothing.
    package func forgetRequest(_ key: String, binding: String) async throws {
        try await forgetRequests([key], binding: binding)
    }

    /// They came to nothing.
    func forgetRequests(_ keys: [String], binding: String) async throws {
        guard !keys.isEmpty else { return }
        try await database.write { db in
            for key in keys { try SyncRequestTable.forget(key, binding: binding, in: db) }
        }
    }

    package func pruneRequests(binding: String) async throws {
        try await database.write { try SyncRequestTable.prune(binding: binding, in: $0) }
    }

    /// Writes steps down: what is agreed on now, and the decisions. All of them or none.
    package func settle(_ steps: [SettledStep], binding: String) async throws {
        guard !steps.isEmpty else { return }
        try await database.write { db in
            var noted = try SeldomNoted(binding, in: db)
            for step in steps { try step.save(binding: binding, &noted, in: db) }
        }
    }

    /// What both sides last agreed on about a file of the server's, and where that is here; nil where it is not synced.
    func agreed(on id: String, in binding: Binding) async throws -> (facts: SyncedFacts, place: Place)? {
        try await database.read { try SyncedNodeTable.find(id, of: binding, in: $0) }
    }

    // MARK: - Passes

    /// - Parameters:
    ///   - lived: seconds that this device has lived.
    ///   - isConfirmed: what it takes away was confirmed by a person.
    ///   - covered: sides of which that person was told how much had gone before; that no longer counts.
    ///   - undoing: the pass that it takes back.
    ///   - conflict: see ``SyncPass/undoesConflict``.
    package func beginPass(
        of binding: String, at now: Timestamp, lived: Int64, isConfirmed: Bool,
        covering covered: Set<Guard.Direction> = [],
        undoing: Int64? = nil, conflict: Int64? = nil
    ) async throws -> SyncPass {
        try await database.write {
            try SyncPassTable.cover(covered, of: binding, in: $0)
            return try SyncPassTable.begin(
                binding, at: now, lived: lived, isConfirmed: isConfirmed, undoing: undoing, conflict: conflict, in: $0)
        }
    }

    /// The pass that was the last to begin and never came to its end; nil where there is none.
    func cutOffPass(of binding: String) async throws -> SyncPass? {
        try await database.read { try SyncPassTable.cutOff(binding, in: $0) }
    }

    /// What was taken away from each side unconfirmed in the last 24 hours that this device lived.
    package func lostLately(of binding: String, lived: Int64) async throws -> [Guard.Direction: Int] {
        try await database.read { try SyncPassTable.lost(binding, since: lived - Self.day, in: $0) }
    }

    private static let day: Int64 = 24 * 3600

    package func endPass(_ pass: SyncPass, at now: Timestamp) async throws {
        try await database.write { db in
            try SyncPassTable.end(pass.id, at: now, in: db)
            try SyncPassTable.prune(pass.bindingId, keeping: Self.mostPasses, in: db)
        }
    }

    /// A pass that came to its end goes on.
    func reopen(_ pass: SyncPass) async throws {
        try await database.write { try SyncPassTable.reopen(pass.id, in: $0) }
    }

    package func pass(_ id: Int64) async throws -> SyncPass? {
        try await database.read { try SyncPassTable.find(id, in: $0) }
    }

    /// The newest first.
    package func passes(of binding: String?, limit: Int) async throws -> [SyncPass] {
        try await database.read { try SyncPassTable.latest(of: binding, limit: limit, in: $0) }
    }

    /// - Parameter most: the first so many; nil for all.
    package func decisions(of pass: Int64, most: Int? = nil) async throws -> [Decision] {
        try await database.read { try DecisionTable.of(pass, most: most, in: $0) }
    }

    /// The steps by which a pass decided conflicts, in the order in which they were taken.
    func deciding(in pass: Int64) async throws -> [Decision] {
        try await database.read { try DecisionTable.deciding(in: pass, in: $0) }.filter(\.hasDecidedAConflict)
    }

    /// What a pass did and nothing has taken back by itself since.
    ///
    /// - Parameter undoing: a pass that is about to continue that.
    package func standing(of pass: Int64, but undoing: Int64? = nil) async throws -> [Decision] {
        try await database.read { db in
            let undoings = try SyncPassTable.undoings(ofConflictsIn: pass, in: db).map(\.id).filter { $0 != undoing }
            let takenBack = try undoings.flatMap { try DecisionTable.of($0, in: db) }
                .filter { $0.trace.failure == nil }.compactMap(\.trace.reversed)
            let gone = Set(takenBack)
            return try DecisionTable.of(pass, in: db).filter { $0.trace.failure == nil && !gone.contains($0.id) }
        }
    }

    /// The pass that takes, or took, one conflict of a pass back; the newest.
    package func undoing(ofConflict conflict: Int64, in pass: Int64) async throws -> SyncPass? {
        try await database.read { db in
            try SyncPassTable.undoings(ofConflictsIn: pass, in: db).last { $0.undoesConflict == conflict }
        }
    }

    /// Files of which a conflict was decided by a later pass that was not taken back.
    func decided(since pass: SyncPass) async throws -> Set<String> {
        try await database.read { try DecisionTable.decided(since: pass.id, of: pass.bindingId, in: $0) }
    }

    /// What was done about one place, about the file there wherever it was then, and what took the folders above it elsewhere
    /// or away; the newest first.
    package func decisions(about place: Place, in binding: Binding, limit: Int) async throws -> [Decision] {
        try await database.read { db in
            let ids = try SyncedNodeTable.ids(at: place, from: binding.remoteId, of: binding.id, in: db)
            func about(_ place: Place) throws -> [Decision] {
                let id = ids.count > place.depth ? ids[place.depth] : nil
                return try DecisionTable.about(place, id: id, of: binding.id, limit: limit, in: db)
            }
            var found = try about(place)
            var folder = place.parent
            while !folder.isRoot {
                found += try about(folder).filter(\.takesAlongWhatIsBelow)
                folder = folder.parent
            }
            return Array(found.sorted { $0.id > $1.id }.prefix(limit))
        }
    }

    /// What the newest pass tried and could not do.
    func failedLast(of binding: String) async throws -> Set<Place> {
        try await database.read { db in
            guard let pass = try SyncPassTable.latest(of: binding, limit: 1, in: db).first else { return [] }
            return Set(try DecisionTable.failed(in: pass.id, in: db).flatMap(\.places))
        }
    }

    /// A decision that came to nothing agreed on: one that failed, or one of an undoing.
    package func note(_ decision: Decision, of binding: String) async throws {
        try await database.write { try DecisionTable.save(decision, of: binding, in: $0) }
    }

    // MARK: - Rules, choices and plans

    /// What the ignore files said that a person here has agreed to, by folder.
    package func heededRules(of binding: String) async throws -> [Place: String] {
        try await database.read { try SyncRulesTable.all(of: binding, in: $0) }
    }

    package func heed(_ texts: [Place: String], of binding: String) async throws {
        try await database.write { try SyncRulesTable.replace(texts, of: binding, in: $0) }
    }

    package func choices(of binding: String) async throws -> [Place: Choice] {
        try await database.read { try SyncChoiceTable.all(of: binding, in: $0) }
    }

    /// - Parameter choice: nil takes back what was chosen and has not been acted on.
    package func choose(_ choice: Choice?, at place: Place, of binding: String) async throws {
        try await database.write { try SyncChoiceTable.save(choice, at: place, of: binding, in: $0) }
    }

    /// Files of which a conflict was decided, and that was taken back: their person is asked.
    package func reopened(of binding: String) async throws -> [String] {
        try await database.read { try ReopenedTable.all(of: binding, in: $0) }
    }

    /// - Returns: its id, the same for the same plan.
    package func keep(_ plan: KeptPlan, of binding: String, at now: Timestamp) async throws -> String {
        let written = try WrittenPlan(plan)
        try await database.write { try SyncPlanTable.save(written, of: binding, at: now.rfc3339, in: $0) }
        return written.id
    }

    /// - Returns: nil for a plan that is not known any more.
    package func plan(_ id: String, of binding: String) async throws -> KeptPlan? {
        try await database.read { try SyncPlanTable.find(id, of: binding, in: $0) }
    }

    // MARK: - The local trash

    /// Returns when that survives a power cut, as what is moved there does.
    package func addToTrash(_ item: TrashedHere) async throws {
        try await database.write { try LocalTrashTable.add(item, in: $0) }
        try await database.makeDurable()
    }

    package func removeFromTrash(_ keep: String) async throws {
        try await database.write { try LocalTrashTable.remove(keep, in: $0) }
    }

    /// An undoing brought it back. What was agreed on of it is known until that undoing ends, which something may cut off.
    func takeFromTrash(_ keep: String) async throws {
        try await database.write { try LocalTrashTable.take(keep, in: $0) }
    }

    /// - Parameter ids: of files and folders on the server, with all below them.
    func forgetAgreed(on ids: [String], of binding: String) async throws {
        try await database.write { db in
            for id in ids { try SyncedNodeTable.remove(id, of: binding, in: db) }
        }
    }

    /// - Parameter keeps: names in the trash; what still lies there stays known.
    func forgetAgreed(onTrashed keeps: [String]) async throws {
        try await database.write { db in
            for keep in keeps { try TrashedNodeTable.removeTaken(keep, in: db) }
        }
    }

    /// What was agreed on of a folder that lies in the trash, and of all that is in it.
    func agreed(onTrashed keep: String) async throws -> [AgreedRow] {
        try await database.read { try TrashedNodeTable.rows(of: keep, in: $0) }
    }

    /// The newest first.
    package func trash(of binding: String?) async throws -> [TrashedHere] {
        try await database.read { try LocalTrashTable.all(of: binding, in: $0) }
    }

    /// Files in the trash with this content, by their names there, the newest first.
    func trashed(_ content: ContentHash, of binding: String, most: Int) async throws -> [String] {
        try await database.read { try LocalTrashTable.keeps(content, of: binding, most: most, in: $0) }
    }

    package func trash(of binding: String, before lived: Int64) async throws -> [TrashedHere] {
        try await database.read { try LocalTrashTable.taken(before: lived, of: binding, in: $0) }
    }

    /// Seconds that this device has lived, as far as it was looked: a calendar that jumps adds nothing.
    ///
    /// - Parameter uptime: the machine's, in seconds; less than the last one after a restart.
    package func livedSeconds(uptime: Double) async throws -> Int64 {
        do {
            return try await database.write { try LivedTimeSetting.advance(to: uptime, in: $0) }
        } catch let failure as ClientFailure where failure.code == .diskFull {
            // A look needs no room for it.
            return try await database.read { try LivedTimeSetting.now(at: uptime, in: $0) }
        }
    }
}
