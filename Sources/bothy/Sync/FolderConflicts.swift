import BothyClient
import BothySync

/// Conflicts in folders in step, as `bothy conflicts` lists and `bothy resolve` decides them.
struct FolderConflicts {
    let home: DeviceHome

    /// One file that was changed on both sides, and waits for a person.
    struct Waiting: Encodable, Sendable {
        var event = "conflict"
        /// The file here.
        var path: String
        var message: String
        var remedy: String
    }

    /// - Parameter cache: by it the folders are looked at.
    func all(by cache: LastKnownCache) async throws -> [Waiting] {
        let bindings = FolderBindings(home: home)
        var found = [Waiting]()
        for binding in try await bindings.all() {
            let plan = try await engine(bindings, binding, cache).look().plan
            for (place, standing) in plan.standing.sorted(by: { $0.key < $1.key }) {
                let status = ItemStatus(standing.cause)
                guard status.state == .conflict else { continue }
                found.append(
                    Waiting(path: "\(binding.localPath)/\(place)", message: status.words, remedy: status.remedy))
            }
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
                .notThere, "There is no conflict about “\(file)”: \(explanation.cause).",
                remedy: "“bothy conflicts” lists what there is.", status: .notThereOrInConflict)
        }
        let choice = Choice.keep(
            side(keep), mine: explanation.here?.hash, theirs: explanation.onTheServer?.checksum)
        try await HomeAgent.borrowing(binding) {
            let lock = try bindings.takeLock(binding)
            try await bindings.store.choose(choice, at: place, of: binding.id)
            try await SyncSession(binding, isNew: false, bindings: bindings, home: home, output: output).once()
            withExtendedLifetime(lock) {}
        }
        return true
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
