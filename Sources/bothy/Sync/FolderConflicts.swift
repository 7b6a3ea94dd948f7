import BothyClient
import BothyContract
import BothySync

/// Conflicts in folders in step, as `bothy conflicts` lists and `bothy resolve` decides them.
struct FolderConflicts {
    let home: DeviceHome

    /// One file that was changed on both sides, and waits for a person.
    struct Waiting: Encodable, Sendable {
        var event = "conflict"
        /// The file here.
        var path: String
        /// When it was changed here; absent where it was deleted.
        var since: Timestamp?
        var message: String
        var remedy: String
        /// Where the server has the other version; absent where there is none to open.
        var theirs: String?
    }

    /// - Parameter cache: by it the folders are looked at.
    func all(by cache: LastKnownCache) async throws -> [Waiting] {
        let bindings = FolderBindings(home: home)
        var found = [Waiting]()
        for binding in try await bindings.all() {
            let look = try await engine(bindings, binding, cache).look()
            for (place, standing) in look.plan.standing.sorted(by: { $0.key < $1.key }) {
                let status = ItemStatus(standing.cause)
                guard status.state == .conflict else { continue }
                found.append(
                    Waiting(
                        path: binding.absolute(place), since: look.local.facts(at: place)?.stamp.modifiedAt,
                        message: look.words(standing, at: place),
                        remedy: look.plan.remedy(of: standing.cause, at: place, in: binding),
                        theirs: look.remotePath(of: place, in: binding)))
            }
        }
        return found
    }

    /// What was decided about conflicts in folders in step, and not taken back; the newest first.
    ///
    /// - Parameter most: passes that are looked through.
    func decided(most: Int) async throws -> [(path: String, decision: Decision)] {
        let bindings = FolderBindings(home: home)
        let folders = Dictionary(
            try await bindings.all().map { ($0.id, $0.localPath) }, uniquingKeysWith: { first, _ in first })
        var found = [(path: String, decision: Decision)]()
        for pass in try await bindings.store.passes(of: nil, limit: most)
        where pass.undoneBy == nil && pass.undoes == nil {
            guard let folder = folders[pass.bindingId] else { continue }
            let deciding = try await bindings.store.decisions(of: pass.id).filter(\.hasDecidedAConflict)
            found += DecidedConflict.all(in: deciding).reversed().map { ("\(folder)/\($0.place.text)", $0.decision) }
        }
        return found
    }

    /// Decides about a file in a folder in step, and brings the folder in step.
    ///
    /// - Returns: false where the file lies in none.
    func resolve(_ file: String, keep: ResolveCommand.Keeping, output: OutputOptions) async throws -> Bool {
        let bindings = FolderBindings(home: home)
        guard Int64(file) == nil, let (binding, place) = try await bindings.binding(holding: file) else { return false }
        let explanation = try await engine(bindings, binding).explain(place)
        guard explanation.state == .conflict else {
            throw Complaint(
                .notThere, "There is no conflict about “\(file)”: \(explanation.words).",
                remedy: explanation.state == .unsynced
                    ? explanation.remedy : "“bothy conflicts” lists what there is.",
                status: .notThereOrInConflict)
        }
        let choice = Choice.keep(
            side(keep), mine: explanation.here?.hash, theirs: explanation.onTheServer?.checksum)
        try await decide(choice, at: place, in: binding, output)
        return true
    }

    /// Decides about a file that stays here unsynced, and brings the folder in step.
    func decideUnsynced(_ file: String, _ choice: Choice, output: OutputOptions) async throws {
        let bindings = FolderBindings(home: home)
        guard let (binding, place) = try await bindings.binding(holding: file) else {
            throw Complaint(
                .notThere, "“\(file)” lies in no folder that is kept in step.",
                remedy: "“bothy bindings” lists those that are.", status: .notThereOrInConflict)
        }
        let explanation = try await engine(bindings, binding).explain(place)
        guard explanation.state == .unsynced else {
            throw Complaint(
                .notThere, "“\(file)” does not wait for that: \(explanation.words).",
                remedy: "“bothy why \(file)” tells more.", status: .notThereOrInConflict)
        }
        try await decide(choice, at: place, in: binding, output)
    }

    private func decide(_ choice: Choice, at place: Place, in binding: Binding, _ output: OutputOptions) async throws {
        let bindings = FolderBindings(home: home)
        try await HomeAgent.borrowing(binding) {
            let loan = try await bindings.borrow(binding)
            let session = try SyncSession(binding, isNew: false, bindings: bindings, home: home, output: output)
            try await session.decide(choice, at: place)
            withExtendedLifetime(loan) {}
        }
    }

    private func side(_ keep: ResolveCommand.Keeping) -> Choice.Side {
        switch keep {
        case .mine: .mine
        case .theirs: .theirs
        case .both: .both
        case .merge: .merge
        }
    }

    private func engine(
        _ bindings: FolderBindings, _ binding: Binding, _ cache: LastKnownCache? = nil
    ) throws -> BindingEngine {
        let device = try home.account.signedIn()?.device.name ?? "this device"
        return bindings.engine(for: binding, rules: BindingRules(deviceName: device), cache: cache)
    }
}
