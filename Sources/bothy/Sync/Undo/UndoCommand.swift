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
        abstract: "Undo the last changes that this device synced, or a given sync pass.",
        discussion: """
            Without a number it undoes the last pass of any folder that sent something from this device. If there is none, it \
            is the last pass that brought something here; --yes undoes that one only with its number. It lists what it would \
            do, and asks first.

            Deleted files come back, replaced files get their old content, and moved files move back. These are changes like \
            any other: the next pass syncs them to the other side. After an interruption, run the same command again to \
            continue; what failed is retried. An undo can be undone.
            """)

    @Argument(help: "The number of the pass, as “bothy log” shows it.")
    var pass: Int64?

    @Option(help: "This pass, and all later passes of its folder.", transform: Self.number)
    var since: Int64?

    @Flag(help: "List what would be done, and do nothing.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if pass != nil, since != nil { throw ValidationError("Give either one pass or --since.") }
    }

    func run() async throws {
        try await Home.using { home in
            try await Interruption.guarding {
                let session = UndoSession(home, output: output)
                let passes = try await chosen(session)
                if dryRun { return }
                var failed = [Decision]()
                for pass in passes {
                    failed += try await takeBack(pass, session)
                    try Task.checkCancellation()
                }
                guard let first = failed.first else { return }
                let command = try await command(goingOnWith: first, session.bindings)
                throw Complaint(
                    .partlyDone, "\(failed.count) could not be undone.",
                    remedy: Self.remedy(of: failed, by: command), status: .partlyDone)
            }
        }
    }

    /// The passes to be taken back, in that order. What is meant without a number is listed, and asked about.
    private func chosen(_ session: UndoSession) async throws -> [SyncPass] {
        let choice = UndoChoice(pass: pass, since: since, session.bindings)
        guard pass == nil, since == nil else {
            let passes = try await choice.passes()
            if dryRun { for pass in passes { try await session.foretell(pass, choice) } }
            return passes
        }
        let last = try await choice.last()
        // What others made is not deleted by a word that was not about it.
        if last.isFromElsewhere, yes, !dryRun {
            let number = last.pass.id
            throw Complaint.usage(
                "Nothing that this device sent is left to undo. Pass \(number) only brought changes from other devices.",
                remedy: "“bothy undo \(number) --yes” undoes it.")
        }
        if dryRun || !yes { try await session.foretell(last.pass, choice) }
        if last.isFromElsewhere {
            output.note("It brought changes from other devices; nothing in it was sent from this device.")
        } else if last.bringsFromElsewhere {
            output.note("Pass \(last.pass.id) also brought changes from other devices; they are undone as well.")
        }
        if let later = last.passedOver {
            output.note(
                "Later changes from other devices stay; “bothy undo \(later.id)” undoes the last of them.")
        }
        if !dryRun, !yes {
            let number = last.pass.id
            let what = last.bringsFromElsewhere ? ", including changes from other devices" : ""
            let otherwise =
                last.isFromElsewhere
                ? "“bothy undo \(number) --yes” undoes it."
                : "Use --yes, or give the pass: “bothy undo \(number)”."
            try Confirmation.ask(
                "Undo pass \(number)\(what)?", otherwise: otherwise,
                refused: "Nothing was undone.")
        }
        return [last.pass]
    }

    private func command(goingOnWith failed: Decision, _ bindings: FolderBindings) async throws -> String {
        if let since { return "bothy undo --since \(since)" }
        let undone = try await bindings.store.pass(failed.passId)?.undoes
        return (["bothy undo"] + (undone.map { ["\($0)"] } ?? [])).joined(separator: " ")
    }

    private static func remedy(of failed: [Decision], by command: String) -> String {
        let open = failed.count { $0.trace.mayGoWell == true }
        let changed = failed.count - open
        guard open > 0 else {
            return changed == 1
                ? "It has changed since, and was left unchanged." : "They have changed since, and were left unchanged."
        }
        let goesOn = "“\(command)” retries \(changed > 0 ? "\(open) of them" : open == 1 ? "it" : "them")."
        guard changed > 0 else { return goesOn }
        let others = changed == 1 ? "The other has changed since, and was" : "The others have changed since, and were"
        return "\(goesOn) \(others) left unchanged."
    }

    /// - Returns: what could not be.
    private func takeBack(_ pass: SyncPass, _ session: UndoSession) async throws -> [Decision] {
        let bindings = session.bindings
        let (undone, binding) = try await session.takeBack(pass, by: "bothy undo \(pass.id)")
        let isHeld = try await bindings.store.find(binding.id)?.isLinkTakenBack ?? false
        try output.tell(
            Self.words(pass, of: binding, undone, isHeld: isHeld),
            Document(
                undone: pass.id, pass: undone.passId ?? 0, reversed: undone.taken.count, failed: undone.failed.count))
        if let open = Self.open(undone.reopened.count) { output.note(open) }
        if isHeld {
            let remedy = RemedyWords.filled(Guard.Sighting.linkTakenBack.remedy, folder: binding.localPath)
            output.note(remedy.prefix(1).uppercased() + remedy.dropFirst() + ".")
        }
        if self.pass == nil, since == nil { try await tellOfMore(before: pass, bindings) }
        return undone.failed
    }

    /// - Parameter count: of conflicts that wait again.
    private static func open(_ count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "A conflict is open again: “bothy conflicts” lists it."
        default: "\(count) conflicts are open again: “bothy conflicts” lists them."
        }
    }

    private static func words(
        _ pass: SyncPass, of binding: Binding, _ undone: PassReport, isHeld: Bool
    ) -> String {
        let name = "\(pass.id) of “\(binding.localPath)”"
        if undone.taken.isEmpty, !undone.failed.isEmpty {
            return "Nothing \(pass.isUndoneInPart ? "more " : "")of pass \(name) is undone."
        }
        let what = "Pass \(name) is undone" + (undone.failed.isEmpty ? "." : " in part.")
        if isHeld { return "\(what) It had linked the two folders, so nothing more is done until you confirm." }
        return isCarried(undone) ? "\(what) The next pass syncs this to the other side." : what
    }

    /// What came back on both sides at once, and what was sent and stays here, is at rest.
    private static func isCarried(_ undone: PassReport) -> Bool {
        let reversals = undone.taken.compactMap(\.trace.reversal)
        let rejoined = Set(reversals.compactMap { if case .rejoinThere(_, let at, _, _) = $0 { at } else { nil } })
        return reversals.contains { $0.isCarried && !rejoined.contains($0.places[0]) }
    }

    /// Seconds between two passes that may be of one act: what comes from another device comes in pieces.
    private static let breath: Int64 = 10

    /// Deleting sends nothing, and what comes from elsewhere was done by somebody else: that was another act.
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
        let choice = UndoChoice(bindings)
        let kinds = Set(try await choice.deeds(of: pass).map { Kind($0.action.step) })
        var next = pass
        var (count, first, last) = (0, pass, pass)
        for earlier in try await bindings.store.passes(of: pass.bindingId, limit: 100) where earlier.id < pass.id {
            guard earlier.undoes == nil,
                abs(next.startedAt.seconds(since: earlier.endedAt ?? earlier.startedAt)) < Self.breath
            else { break }
            next = earlier
            guard earlier.undoneBy == nil else { continue }
            let deeds = try await choice.deeds(of: earlier)
            guard !deeds.isEmpty else { continue }
            // Linking the two sides was another act.
            guard deeds.contains(where: { kinds.contains(Kind($0.action.step)) && $0.trace.isLinking == nil }) else {
                break
            }
            if count == 0 { last = earlier }
            (count, first) = (count + deeds.count, earlier)
        }
        guard count > 0 else { return }
        let what = count == 1 ? "1 more was" : "\(count) more were"
        output.note(
            first.id == last.id
                ? "\(what) done just before, in pass \(first.id): “bothy undo \(first.id)” undoes that."
                : """
                \(what) done just before, in the passes \(first.id) to \(last.id): “bothy undo --since \(first.id)” undoes all \
                of that.
                """)
    }

    private static func number(_ text: String) throws -> Int64 {
        guard let number = Int64(text) else { throw ValidationError("--since takes the number of a pass.") }
        return number
    }
}
