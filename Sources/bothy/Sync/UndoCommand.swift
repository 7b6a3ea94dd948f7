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
        abstract: "Take back what this device did last in a folder in step, or what a named pass of folder sync did.",
        discussion: """
            Without a number it is the last pass that sent something from this device, of whichever folder. Only where there is \
            none, it is the last one that brought something here, which --yes does not take back without its number. It lists \
            what it would do, and asks first.

            What it deleted here or on the server comes back, what it replaced gets its old content again, and what it moved \
            moves back. These are changes like any other: the next pass carries them to the other side. After a break, or \
            Ctrl-C, the same command goes on where it was, and what failed is tried again. An undoing can be undone.
            """)

    @Argument(help: "The pass, as “bothy log” numbers them.")
    var pass: Int64?

    @Option(help: "This pass, and all of its folder that came after it.", transform: Self.number)
    var since: Int64?

    @Flag(help: "List what it would do, and do nothing.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Ask nothing.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if pass != nil, since != nil { throw ValidationError("Name one pass, or those --since one.") }
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
                    .partlyDone, "\(failed.count) could not be taken back.",
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
                "Nothing that this device sent is left to take back. Pass \(number) only brought what was done elsewhere.",
                remedy: "“bothy undo \(number) --yes” takes it back.")
        }
        if dryRun || !yes { try await session.foretell(last.pass, choice) }
        if last.isFromElsewhere {
            output.note("It brought what was done elsewhere; nothing in it was sent from this device.")
        } else if last.bringsFromElsewhere {
            output.note("Pass \(last.pass.id) also brought changes from other devices; what it brought goes back, too.")
        }
        if let later = last.passedOver {
            output.note(
                "What came from elsewhere since stays; “bothy undo \(later.id)” takes the last of that back.")
        }
        if !dryRun, !yes {
            let number = last.pass.id
            let what = last.bringsFromElsewhere ? ", with what it brought from other devices" : ""
            let otherwise =
                last.isFromElsewhere
                ? "“bothy undo \(number) --yes” takes it back."
                : "Say --yes, or name the pass: “bothy undo \(number)”."
            try Confirmation.ask(
                "Take pass \(number) back\(what)?", otherwise: otherwise,
                refused: "Nothing was taken back.")
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
            return "What \(changed == 1 ? "it is" : "they are") about has changed since, and was left as it is."
        }
        let goesOn = "“\(command)” goes on with \(changed > 0 ? "\(open) of them" : open == 1 ? "it" : "them")."
        guard changed > 0 else { return goesOn }
        let others = changed == 1 ? "the other is" : "the others are"
        return "\(goesOn) What \(others) about has changed since, and was left as it is."
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
        case 1: "A conflict is open again, and waits for you: “bothy conflicts” lists it."
        default: "\(count) conflicts are open again, and wait for you: “bothy conflicts” lists them."
        }
    }

    private static func words(
        _ pass: SyncPass, of binding: Binding, _ undone: PassReport, isHeld: Bool
    ) -> String {
        let name = "\(pass.id) of “\(binding.localPath)”"
        if undone.taken.isEmpty, !undone.failed.isEmpty {
            return "Nothing \(pass.isUndoneInPart ? "more " : "")of pass \(name) is taken back."
        }
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
            // To tie the two sides was another act.
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
                ? "\(what) done just before, in pass \(first.id): “bothy undo \(first.id)” takes that back."
                : """
                \(what) done just before, in the passes \(first.id) to \(last.id): “bothy undo --since \(first.id)” takes all \
                of that back.
                """)
    }

    private static func number(_ text: String) throws -> Int64 {
        guard let number = Int64(text) else { throw ValidationError("--since takes the number of a pass.") }
        return number
    }
}
