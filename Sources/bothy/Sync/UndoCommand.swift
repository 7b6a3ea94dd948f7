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
            let undone = try await HomeAgent.borrowing(binding) { () async throws -> PassReport in
                let loan = try await bindings.borrow(binding)
                defer { withExtendedLifetime(loan) {} }
                let engine = bindings.engine(for: binding, rules: BindingRules(deviceName: device))
                do {
                    let report = try await engine.undo(pass) { decision in try? tell(decision) }
                    await engine.bringCacheUp()
                    return report
                } catch let failure as ClientFailure where failure.isNetworks {
                    throw Complaint(
                        code: failure.code.rawValue, message: "\(failure.words) Nothing was taken back.",
                        remedy:
                            "Only the server knows what has changed since: say it again when there is a connection.",
                        status: ExitStatus(failure.code))
                }
            }
            let isHeld = try await bindings.store.find(binding.id)?.isLinkTakenBack ?? false
            try output.tell(
                Self.words(pass, of: binding, undone, isHeld: isHeld),
                Document(
                    undone: pass.id, pass: undone.passId ?? 0, reversed: undone.taken.count,
                    failed: undone.failed.count))
            if isHeld {
                let remedy = RemedyWords.filled(Guard.Sighting.linkTakenBack.remedy, folder: binding.localPath)
                output.note(remedy.prefix(1).uppercased() + remedy.dropFirst() + ".")
            }
            if self.pass == nil { try await tellOfMore(before: pass, bindings) }
            if !undone.failed.isEmpty {
                let count = undone.failed.count
                throw Complaint(
                    .partlyDone, "\(count) could not be taken back.",
                    remedy: "What \(count == 1 ? "it is" : "they are") about has changed since, and was left as it is.",
                    status: .partlyDone)
            }
        }
    }

    private static func words(
        _ pass: SyncPass, of binding: Binding, _ undone: PassReport, isHeld: Bool
    ) -> String {
        let name = "\(pass.id) of “\(binding.localPath)”"
        if undone.taken.isEmpty, !undone.failed.isEmpty { return "Nothing of pass \(name) is taken back." }
        let what = "Pass \(name) is taken back" + (undone.failed.isEmpty ? "." : " in part.")
        if isHeld { return "\(what) It had tied the two, so nothing more is done until you say so." }
        return isCarried(undone) ? "\(what) The next pass carries that to the other side." : what
    }

    /// What came back on both sides at once, and what was sent and stays here, is at rest.
    private static func isCarried(_ undone: PassReport) -> Bool {
        let reversals = undone.taken.compactMap(\.trace.reversal)
        let rejoined = Set(reversals.compactMap { if case .rejoinThere(_, let at, _, _) = $0 { at } else { nil } })
        return reversals.contains { $0.isCarried && !rejoined.contains($0.places[0]) }
    }

    /// Seconds between two passes that may be of one act: what comes from another device comes in pieces.
    private static let breath: Int64 = 10

    /// Whoever deletes sends nothing by it, and what comes from elsewhere was done by somebody else: that was another act.
    private struct Kind: Hashable {
        var changesTheServer: Bool
        var isDeletion: Bool

        init(_ step: Step) {
            changesTheServer = step.changesTheServer
            isDeletion = step.isDeletion
        }
    }

    /// One act of a person may have come as more passes than one, and only the last of them was meant by its number.
    private func tellOfMore(before pass: SyncPass, _ bindings: FolderBindings) async throws {
        let kinds = Set(try await done(in: pass, bindings).map { Kind($0.action.step) })
        var next = pass
        for earlier in try await bindings.store.passes(of: pass.bindingId, limit: 100) where earlier.id < pass.id {
            guard earlier.undoes == nil,
                abs(next.startedAt.seconds(since: earlier.endedAt ?? earlier.startedAt)) < Self.breath
            else { return }
            next = earlier
            guard earlier.undoneBy == nil else { continue }
            let deeds = try await done(in: earlier, bindings)
            guard !deeds.isEmpty else { continue }
            guard deeds.contains(where: { kinds.contains(Kind($0.action.step)) }) else { return }
            let what =
                deeds.count == 1
                ? "1 more was done just before, in pass" : "\(deeds.count) more were done just before, in pass"
            output.note("\(what) \(earlier.id): “bothy undo \(earlier.id)” takes that back.")
        }
    }

    private func done(in pass: SyncPass, _ bindings: FolderBindings) async throws -> [Decision] {
        try await bindings.store.decisions(of: pass.id).filter { !$0.isBookkeeping && $0.trace.failure == nil }
    }

    private func tell(_ decision: Decision) throws {
        if var failure = decision.trace.failure {
            // To a pass it is no end: it looks again. This is one.
            if failure.code == .changedMeanwhile { failure.remedy = "It is left as it is." }
            return Complaint(failure, about: decision.places[0].text).print(json: output.json)
        }
        try output.tell(decision.act.words, SyncEventDocument(decision))
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
            if try await !done(in: candidate, bindings).isEmpty { return candidate }
        }
        throw Complaint(.notThere, "There is nothing to take back.", status: .notThereOrInConflict)
    }
}
