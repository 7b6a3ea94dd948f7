import ArgumentParser
import BothyClient
import BothyContract
import Foundation

/// `bothy journal`
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Show the changes on this device that are waiting to be sent.",
        discussion: """
            Changes that you make offline are saved on this device, shown as done, and sent when there is a connection \
            again. A change that the server refuses waits for you: retry or discard it.
            """,
        subcommands: [List.self, Retry.self, Discard.self, Export.self], defaultSubcommand: List.self)

    /// `bothy journal list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List waiting changes in the order in which they were made.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { home in
                var table = Table([.init("NUMBER"), .init("SINCE"), .init("WHAT"), .init("STATE")])
                var remedies = [String]()
                let waiting = try await home.replica.journal().filter { $0.state != .acknowledged }
                for line in try await JournalLine.lines(of: waiting, in: home) {
                    if output.json {
                        try output.print(line.document)
                        continue
                    }
                    table.add([String(line.id), MomentText.text(line.createdAt), line.deed, line.standing])
                    if let remedy = line.remedy { remedies.append("\(line.id): \(remedy)") }
                }
                output.print(table)
                for remedy in remedies { output.note(remedy) }
                if table.isEmpty { output.note("Nothing is waiting to be sent.") }
            }
        }
    }

    /// `bothy journal retry`
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Retry the given changes now, or all of them.")

        @Argument(help: "Numbers, as “bothy journal” shows them.")
        var numbers: [Int64] = []

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using(ending: OfflineEnding(output: output)) { home in
                let open = try await home.replica.journal().filter { $0.state != .acknowledged }
                let chosen = numbers.isEmpty ? open.map(\.id) : numbers
                for number in chosen where try await home.replica.retry(number) == nil {
                    guard open.contains(where: { $0.id == number }) else { throw JournalCommand.unknown(number) }
                }
                try await home.files.sendWhatWaits()
                let left = try await home.replica.journal()
                    .filter { chosen.contains($0.id) && $0.state != .acknowledged }
                for line in try await JournalLine.lines(of: left, in: home) {
                    try output.tell("\(line.id): \(line.deed) — \(line.standing)", line.document)
                }
                if home.files.isOffline { throw Complaint(ClientFailure(.offline, "There is no connection.")) }
                guard left.isEmpty else { throw Finished(status: .failed) }
                if !output.json { try output.tell("Everything was sent.", [String: String]()) }
            }
        }
    }

    /// `bothy journal discard`
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard",
            abstract: "Discard waiting changes, with those that depend on them.",
            discussion:
                "Content that exists nowhere else is kept in the local trash for 30 days (“bothy trash --local”).")

        private static let isKept = "; its content stays in “bothy trash --local” for 30 days"

        private static func sendsContent(_ operation: any DomainOperation) -> Bool {
            (operation as? JournalOperation)?.content != nil
        }

        @Argument(help: "Numbers, as “bothy journal” shows them.")
        var numbers: [Int64]

        @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
        var yes = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { home in
                var gone = Set<Int64>()
                for number in numbers where !gone.contains(number) {
                    let with = try await home.replica.entriesNeeding(number)
                    if !with.isEmpty, !yes {
                        try Confirmation.ask(
                            "\(with.count) more depend on \(number) and are discarded with it. Discard them?")
                    }
                    let discarded = try await home.replica.discardEntry(number)
                    guard !discarded.isEmpty else { throw JournalCommand.unknown(number) }
                    for operation in discarded {
                        gone.insert(operation.id)
                        try output.tell(
                            "\(operation.id) is discarded\(Self.sendsContent(operation) ? Self.isKept : "").",
                            OperationDocument(operation, path: nil))
                    }
                }
            }
        }
    }

    /// `bothy journal export`
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Save copies of the files that are waiting to be sent.",
            discussion: """
                Use it when the account is gone, or before you sign out without having sent them. The journal does not \
                change, and nothing in the folder is replaced. A copy that is damaged on this disk is saved as well, under a \
                name that says so, and reported; the status is then 5.
                """)

        @Argument(help: "The target folder. It is created if needed.", completion: .directory)
        var folder: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { home in
                let waiting = try await home.replica.operations().filter { $0.state != .acknowledged }
                let export = JournalExport(home: home, folder: URL(fileURLWithPath: folder).standardizedFileURL.path)
                var (saved, damaged) = (0, 0)
                for operation in waiting {
                    guard let copied = try await export.copy(operation) else { continue }
                    saved += 1
                    try output.tell("\(copied.path) → \(copied.local)", copied)
                    guard copied.isDamaged == true else { continue }
                    damaged += 1
                    copied.complaint.print(json: output.json)
                }
                let rest = waiting.count - saved
                if rest > 0 {
                    output.note(
                        "\(rest) more \(rest == 1 ? "has" : "have") no file to be saved: “bothy journal” lists them.")
                } else if waiting.isEmpty {
                    output.note("Nothing is waiting to be sent.")
                }
                if damaged > 0 { throw Finished(status: .partlyDone) }
            }
        }
    }

    static func unknown(_ number: Int64) -> Complaint {
        Complaint(
            .notThere, "There is no \(number) in the journal.", remedy: "“bothy journal” lists the numbers.",
            status: .notThereOrInConflict)
    }
}
