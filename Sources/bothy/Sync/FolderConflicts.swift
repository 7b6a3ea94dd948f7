import BothyClient
import BothyContract
import BothySync

/// Conflicts in synced folders, as `bothy conflicts` lists and `bothy resolve` decides them.
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
        for binding in try await bindings.ofWhoIsSignedIn() {
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

    /// Takes one conflict that a pass decided back, and nothing else of the pass.
    func takeBack(_ number: PassConflict.Number, output: OutputOptions) async throws {
        let session = UndoSession(home, output: output)
        let pass = try await session.bindings.store.pass(number.pass)
        guard let pass, pass.undoes == nil,
            let conflict = try await session.bindings.conflicts(decidedBy: pass).first(where: { $0.number == number })
        else {
            throw Complaint(
                .notThere, "There is no decision \(number).",
                remedy: "“bothy conflicts decided” lists the decisions.", status: .notThereOrInConflict)
        }
        if pass.isUndoneInPart {
            throw Complaint(
                .held, "Pass \(pass.id) was being undone, and some of it could not be.",
                remedy: "“bothy undo \(pass.id)” continues.", status: .notThereOrInConflict)
        }
        let isTakenBack = try await session.bindings.isTakenBack(conflict)
        guard pass.undoneBy == nil, !isTakenBack else {
            throw Complaint(
                .exists, "\(number) is already undone.", remedy: "“bothy log” lists what was done.",
                status: .notThereOrInConflict)
        }
        let command = "bothy resolve --undo \(number)"
        let (report, _) = try await session.takeBack(pass, conflict: conflict.id, by: command)
        if report.failed.contains(where: { $0.trace.mayGoWell == true }) {
            throw Complaint(
                .partlyDone, "\(conflict.place.text) is not completely undone yet.", remedy: "“\(command)” continues.",
                status: .partlyDone)
        }
        guard report.failed.isEmpty else {
            throw Complaint(
                .partlyDone,
                "\(conflict.place.text) is left unchanged: it or one of its folders has changed since.",
                remedy: "“bothy undo \(pass.id)” undoes what is left of pass \(pass.id).",
                status: .partlyDone)
        }
        output.note(
            "\(conflict.place.text): the decision is undone, and the conflict is open again. “bothy conflicts” lists it."
        )
    }

    /// The file here whose other version, on the server, has this path; nil where none waits for a decision.
    func file(under path: String) async throws -> String? {
        guard path.hasPrefix("/") else { return nil }
        let (path, bindings) = (try RemoteArgument(path).path, FolderBindings(home: home))
        for binding in try await bindings.ofWhoIsSignedIn()
        where path.lies(below: try RemotePath(binding.remotePath)) {
            let look = try await engine(bindings, binding).look()
            for (place, standing) in look.plan.standing where ItemStatus(standing.cause).state == .conflict {
                if look.remotePath(of: place, in: binding) == path.text { return binding.absolute(place) }
            }
        }
        return nil
    }

    /// Decides about a file in a synced folder, and syncs the folder.
    ///
    /// - Returns: false where the file lies in none.
    func resolve(_ file: String, keep: ResolveCommand.Keeping, output: OutputOptions) async throws -> Bool {
        let bindings = FolderBindings(home: home)
        guard Int64(file) == nil, let (binding, place) = try await bindings.binding(holding: file) else { return false }
        let explanation = try await engine(bindings, binding).explain(place)
        guard let conflict = explanation.conflict else {
            // Of a folder it says what waits in it, and how that is decided.
            let hasRemedy = explanation.state == .unsynced || explanation.state == .conflict
            let itself = explanation.below == nil ? "" : " itself"
            throw Complaint(
                .notThere, "There is no conflict about “\(file)”\(itself): \(explanation.words).",
                remedy: hasRemedy ? explanation.remedy : "“bothy conflicts” lists the open conflicts.",
                status: .notThereOrInConflict)
        }
        let side = side(keep)
        try await borrowing(binding, output) { try await $0.decide(side, about: conflict) }
        return true
    }

    /// Decides about a file that stays here unsynced, and syncs the folder.
    func decideUnsynced(_ file: String, _ choice: Choice, output: OutputOptions) async throws {
        let bindings = FolderBindings(home: home)
        guard let (binding, place) = try await bindings.binding(holding: file) else {
            throw Complaint(
                .notThere, "“\(file)” is not in a synced folder.",
                remedy: "“bothy bindings” lists the synced folders.", status: .notThereOrInConflict)
        }
        let explanation = try await engine(bindings, binding).explain(place)
        guard explanation.state == .unsynced else {
            throw Complaint(
                .notThere, "“\(file)” is not an unsynced file: \(explanation.words).",
                remedy: "“bothy why \(file.asTyped)” explains it.", status: .notThereOrInConflict)
        }
        try await borrowing(binding, output) { try await $0.decide(choice, at: explanation.now ?? place) }
    }

    private func borrowing(
        _ binding: Binding, _ output: OutputOptions, _ decide: (SyncSession) async throws -> Void
    ) async throws {
        let bindings = FolderBindings(home: home)
        try await HomeAgent.borrowing(binding) {
            let loan = try await bindings.borrow(binding)
            let session = try SyncSession(binding, isNew: false, bindings: bindings, home: home, output: output)
            try await decide(session)
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
