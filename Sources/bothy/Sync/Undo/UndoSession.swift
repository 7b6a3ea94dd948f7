import BothyClient
import BothyContract
import BothySync

/// Takes a pass of a synced folder back, or one conflict that it decided, and tells each step.
struct UndoSession {
    let home: DeviceHome
    let output: OutputOptions
    let bindings: FolderBindings

    init(_ home: DeviceHome, output: OutputOptions) {
        self.home = home
        self.output = output
        bindings = FolderBindings(home: home)
    }

    private struct ForeseenDocument: Encodable {
        var pass: Int64
        var folder: String?
        var startedAt: Timestamp
        /// What would be done, in this order, where nobody has changed anything since.
        var steps: [String]
    }

    /// Lists what taking a pass back would do.
    func foretell(_ pass: SyncPass, _ choice: UndoChoice) async throws {
        let folder = try await bindings.store.find(pass.bindingId)?.localPath
        let steps = Undoing.foreseen(try await choice.deeds(of: pass)).map(\.words)
        if output.json {
            return try output.print(
                ForeseenDocument(pass: pass.id, folder: folder, startedAt: pass.startedAt, steps: steps))
        }
        let of = folder.map { " of “\($0)”" } ?? ""
        output.print(line: "Undoing pass \(pass.id)\(of), \(MomentText.text(pass.startedAt)), would report:")
        for step in steps.prefix(SyncWords.shown) { output.print(line: "  \(step)") }
        if steps.count > SyncWords.shown {
            output.print(line: "  … and \(steps.count - SyncWords.shown) more; --dry-run --json lists all")
        }
    }

    /// - Parameters:
    ///   - conflict: that alone, by the first decision about it.
    ///   - command: what is typed to continue it.
    func takeBack(
        _ pass: SyncPass, conflict: Int64? = nil, by command: String
    ) async throws -> (report: PassReport, binding: Binding) {
        guard let binding = try await bindings.store.find(pass.bindingId) else {
            throw Complaint(.notThere, "The folder of pass \(pass.id) is no longer synced.")
        }
        let device = try home.account.signedIn()?.device.name ?? "this device"
        let report = try await HomeAgent.borrowing(binding) { () async throws -> PassReport in
            let loan = try await bindings.borrow(binding)
            defer { withExtendedLifetime(loan) {} }
            let engine = bindings.engine(for: binding, rules: BindingRules(deviceName: device))
            let said = SaidWhileUndoing(output)
            defer { said.tellTheRest() }
            do {
                // A terminal that takes no more lines ends nothing.
                let report = try await engine.undo(pass, conflict: conflict) { decision in try? said.tell(decision) }
                await engine.bringCacheUp()
                return report
            } catch let failure as ClientFailure where failure.isNetworks {
                throw Complaint(
                    code: failure.code.rawValue,
                    message: "\(failure.words) \(await progress(of: pass, conflict))",
                    remedy:
                        "Only the server knows what has changed since. “\(command)” continues when there is a connection.",
                    status: ExitStatus(failure.code))
            } catch is CancellationError {
                throw Complaint(
                    .interrupted, "Stopped. \(await progress(of: pass, conflict))",
                    remedy: "“\(command)” continues from there.", status: .interrupted)
            }
        }
        return (report, binding)
    }

    /// How far it came, whatever ended it. In a task of its own, which nobody has cancelled.
    private func progress(of pass: SyncPass, _ conflict: Int64?) async -> String {
        let store = bindings.store
        let done = Task { () async throws -> Int in
            let undoing =
                if let conflict { try await store.undoing(ofConflict: conflict, in: pass.id)?.id } else {
                    try await store.pass(pass.id)?.undoneBy
                }
            guard let undoing else { return 0 }
            return try await store.decisions(of: undoing).count { $0.trace.failure == nil }
        }
        // Said as that.
        guard let count = try? await done.value else { return "The progress cannot be determined now." }
        return count == 0 ? "Nothing was undone." : "\(count) \(count == 1 ? "was" : "were") undone so far."
    }
}
