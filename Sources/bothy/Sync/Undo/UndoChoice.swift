import BothyClient
import BothyContract
import BothySync

/// Which passes `bothy undo` takes back.
struct UndoChoice: Sendable {
    private let pass: Int64?
    private let since: Int64?
    private let bindings: FolderBindings

    /// Passes that are read at first in looking for the last one, and all that a folder keeps.
    private static let mostPasses = (first: 100, since: 2_000)
    /// Seconds after which «undo» does not mean one that was cut off or failed before what was done since.
    private static let patience: Int64 = 3600

    /// - Parameters:
    ///   - pass: the one that is named.
    ///   - since: the first of several.
    init(pass: Int64? = nil, since: Int64? = nil, _ bindings: FolderBindings) {
        self.pass = pass
        self.since = since
        self.bindings = bindings
    }

    /// In the order in which they are to be taken back.
    func passes() async throws -> [SyncPass] {
        if let since { return try await passes(from: since) }
        if let pass { return [try await named(pass)] }
        return [try await last().pass]
    }

    /// What is taken back where no pass is named.
    struct Last: Sendable {
        var pass: SyncPass
        /// It only brought what was done elsewhere.
        var isFromElsewhere = false
        /// It sent something, and brought what was done elsewhere, too.
        var bringsFromElsewhere = false
        /// A later one that did, and stays.
        var passedOver: SyncPass?
    }

    /// What a pass has done that can be seen, and that stands.
    func deeds(of pass: SyncPass) async throws -> [Decision] {
        try await bindings.store.standing(of: pass.id).filter { !$0.isBookkeeping }
    }

    private func named(_ id: Int64) async throws -> SyncPass {
        guard let found = try await bindings.store.pass(id) else {
            throw Complaint(
                .notThere, "There is no pass \(id).", remedy: "“bothy log” lists them.", status: .notThereOrInConflict)
        }
        guard found.undoneBy == nil || found.isUndoneInPart else {
            throw Complaint(
                .exists, "Pass \(id) is already undone.", remedy: "“bothy log” lists them.",
                status: .notThereOrInConflict)
        }
        return found
    }

    private func passes(from first: Int64) async throws -> [SyncPass] {
        guard let first = try await bindings.store.pass(first) else {
            throw Complaint(
                .notThere, "There is no pass \(first).", remedy: "“bothy log” lists them.",
                status: .notThereOrInConflict)
        }
        var found = [SyncPass]()
        for pass in try await bindings.store.passes(of: first.bindingId, limit: Self.mostPasses.since)
        where pass.id >= first.id && pass.undoes == nil && (pass.undoneBy == nil || pass.isUndoneInPart) {
            if try await !deeds(of: pass).isEmpty { found.append(pass) }
        }
        guard !found.isEmpty else { throw Self.nothing }
        return found
    }

    /// What was cut off lately, or failed, is continued. Else it is the last one that sent something from this device, or of which
    /// something is left; and where there is none, the last that brought something here.
    func last() async throws -> Last {
        var fromElsewhere: SyncPass?
        var (looked, limit) = (0, Self.mostPasses.first)
        while true {
            let passes = try await bindings.store.passes(of: nil, limit: limit)
            let now = SystemTime.now()
            let unfinished = passes.filter { $0.isUnfinished && $0.undoesConflict == nil && $0.undoneBy == nil }
            if let last = unfinished.first, abs(now.seconds(since: last.startedAt)) < Self.patience,
                let undoes = last.undoes, let pass = try await bindings.store.pass(undoes)
            {
                return Last(pass: pass)
            }
            let left = Set(unfinished.map(\.undoes))
            for candidate in passes.dropFirst(looked) {
                if left.contains(candidate.id) { return Last(pass: candidate, passedOver: fromElsewhere) }
                guard candidate.undoneBy == nil, candidate.undoes == nil else { continue }
                let deeds = try await deeds(of: candidate)
                guard !deeds.isEmpty else { continue }
                let own = deeds.count(where: Self.isOwn)
                guard own > 0 else {
                    fromElsewhere = fromElsewhere ?? candidate
                    continue
                }
                try await refuseWhatWaits(instead: candidate)
                return Last(pass: candidate, bringsFromElsewhere: own < deeds.count, passedOver: fromElsewhere)
            }
            // All that are kept were looked at.
            guard passes.count == limit else { break }
            (looked, limit) = (limit, limit * 5)
        }
        guard let fromElsewhere else { throw Self.nothing }
        try await refuseWhatWaits(instead: fromElsewhere)
        return Last(pass: fromElsewhere, isFromElsewhere: true)
    }

    /// What was decided here about a conflict may change nothing on the server.
    private static func isOwn(_ deed: Decision) -> Bool {
        deed.action.step.changesTheServer || deed.action.reason.decidesAConflict
    }

    /// A person who was stopped in deleting and takes that back does not mean the pass before it, which may have sent those very files.
    private func refuseWhatWaits(instead last: SyncPass) async throws {
        for binding in try await bindings.store.all() {
            guard let sighting = binding.waits.sighting, sighting.isAboutDeletions else { continue }
            let remedy = RemedyWords.filled(sighting.remedy, folder: binding.localPath, remote: binding.remotePath)
            throw Complaint(
                .held,
                "“\(binding.localPath)” is held back until you decide, so there is nothing to undo yet: \(sighting.words).",
                remedy: "If that is \(remedy). “bothy undo \(last.id)” undoes the pass before.",
                status: .notThereOrInConflict)
        }
    }

    private static let nothing = Complaint(.notThere, "There is nothing to undo.", status: .notThereOrInConflict)
}
