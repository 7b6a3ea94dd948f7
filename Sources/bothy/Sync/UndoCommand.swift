import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy undo`
struct UndoCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        var undone: Int64
        var pass: Int64
        var reversed: Int
        var failed: Int
    }

    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what the last pass of folder sync did, or a named one.",
        discussion: """
            What it deleted here or on the server comes back, what it replaced gets its old content again, and what it moved \
            moves back. These are changes like any other: the next pass carries them to the other side. An undoing can be \
            undone.
            """)

    @Argument(help: "The pass, as “bothy log” numbers them.")
    var pass: Int64?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let bindings = FolderBindings(home: home)
            let pass = try await chosen(bindings)
            guard let binding = try await bindings.store.find(pass.bindingId) else {
                throw Complaint(.notThere, "The folder of pass \(pass.id) is no longer kept in step.")
            }
            let device = try home.account.signedIn()?.device.name ?? "this device"
            let undone = try await HomeAgent.borrowing(binding) {
                let lock = try bindings.takeLock(binding)
                defer { withExtendedLifetime(lock) {} }
                let engine = bindings.engine(for: binding, rules: BindingRules(deviceName: device))
                return try await engine.undo(pass) { decision in try? tell(decision) }
            }
            try output.tell(
                "Pass \(pass.id) is taken back. The next pass carries that to the other side.",
                Document(
                    undone: pass.id, pass: undone.passId ?? 0, reversed: undone.taken.count,
                    failed: undone.failed.count))
            if !undone.failed.isEmpty {
                throw Complaint(
                    .partlyDone, "\(undone.failed.count) could not be taken back.",
                    remedy: "What they are about has changed since.", status: .partlyDone)
            }
        }
    }

    private func tell(_ decision: Decision) throws {
        if let failure = decision.trace.failure {
            return Complaint(failure, about: decision.places[0].text).print(json: output.json)
        }
        try output.tell(decision.deed, SyncEventDocument(decision))
    }

    private func chosen(_ bindings: FolderBindings) async throws -> SyncPass {
        if let pass {
            guard let found = try await bindings.store.pass(pass) else {
                throw Complaint(
                    .notThere, "There is no pass \(pass).", remedy: "“bothy log” lists them.",
                    status: .notThereOrInConflict)
            }
            guard found.undoneBy == nil else {
                throw Complaint(
                    .exists, "Pass \(pass) is taken back already.", remedy: "“bothy log” lists them.",
                    status: .notThereOrInConflict)
            }
            return found
        }
        for candidate in try await bindings.store.passes(of: nil, limit: 100)
        where candidate.undoneBy == nil && candidate.undoes == nil {
            let decisions = try await bindings.store.decisions(of: candidate.id)
            if decisions.contains(where: { !$0.isBookkeeping && $0.trace.failure == nil }) {
                return candidate
            }
        }
        throw Complaint(.notThere, "There is nothing to take back.", status: .notThereOrInConflict)
    }
}
