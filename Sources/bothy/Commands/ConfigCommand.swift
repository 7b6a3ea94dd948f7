import ArgumentParser
import BothyClient

/// `bothy config`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or change this device's lasting settings.",
        subcommands: [
            Show.self, LimitRate.self, OnBattery.self, OnMetered.self, KeepContent.self, KeepMetadata.self,
            Notices.self,
        ],
        defaultSubcommand: Show.self)

    private struct Document: Encodable {
        /// Bytes per second each way; absent for none.
        var limitRate: Int64?
        /// Whether what goes on by itself does so on battery, too.
        var onBattery: String
        /// Whether it does so in a metered network, too.
        var onMetered: String
        /// Bytes of content that is at hand without being pinned.
        var keepContent: Int64
        /// Bytes of what is known of files; absent for as much as the server says.
        var keepMetadata: Int64?
        /// What the desktop tells of.
        var notices: [String]
    }

    private static func document(_ settings: DeviceSettings) async throws -> Document {
        let room = try await settings.roomLimits()
        return Document(
            limitRate: try await settings.rateLimit(), onBattery: try await settings.choice(of: .battery).rawValue,
            onMetered: try await settings.choice(of: .metered).rawValue,
            keepContent: room.content, keepMetadata: room.metadata,
            notices: try await settings.noticeKinds().map(\.rawValue).sorted())
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the settings.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let document = try await Home.using { try await ConfigCommand.document($0.settings) }
            if output.json { return try output.print(document) }
            var table = Table([.init(""), .init("")])
            table.add(["limit-rate", ByteRate(bytesPerSecond: document.limitRate).text])
            table.add(["on-battery", document.onBattery])
            table.add(["on-metered", document.onMetered])
            table.add(["keep-content", content(document.keepContent)])
            table.add(["keep-metadata", document.keepMetadata.map(ByteText.text) ?? "as the server says"])
            table.add([
                "notices", document.notices.isEmpty ? "none" : document.notices.joined(separator: " "),
            ])
            output.print(table)
        }
    }

    struct LimitRate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "limit-rate", abstract: "Limit how fast transfers go from now on, each way.",
            discussion:
                "K, M and G are steps of 1024: 500K, 5M. “off” lifts the limit. --limit-rate holds for one command.")

        @Argument(help: "Bytes per second: 500K, 5M, or off.", transform: ByteRate.parse)
        var rate: ByteRate

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let document = try await Home.using { home in
                try await home.settings.setRateLimit(rate.bytesPerSecond)
                return try await ConfigCommand.document(home.settings)
            }
            await HomeAgent.look()
            try output.tell(
                rate.bytesPerSecond == nil
                    ? "Transfers go as fast as they can." : "Transfers keep to \(rate.text) each way.",
                document)
        }
    }

    struct OnBattery: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "on-battery", abstract: "Choose whether this device rests while it runs on its battery.",
            discussion: """
                “rest” holds what goes on by itself until the plug is back, as a pause does; what you type yourself (put, \
                get, …) still runs. “go”, as it is at first, makes no difference.
                """)

        @Argument(help: "What it does on its battery.")
        var choice: RestChoice

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await ConfigCommand.set(
                choice, of: .battery,
                saying: choice == .go
                    ? "On its battery this device goes on as ever."
                    : "On its battery this device rests; what you type still runs.", output)
        }
    }

    struct OnMetered: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "on-metered", abstract: "Choose whether this device rests while its network is metered.",
            discussion: """
                “rest” holds what goes on by itself while the network costs by what goes through it, as a phone's does, as a \
                pause does; what you type yourself (put, get, …) still runs. NetworkManager tells which networks those are. \
                “go”, as it is at first, makes no difference.
                """)

        @Argument(help: "What it does in a metered network.")
        var choice: RestChoice

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await ConfigCommand.set(
                choice, of: .metered,
                saying: choice == .go
                    ? "In a metered network this device goes on as ever."
                    : "In a metered network this device rests; what you type still runs.", output)
        }
    }

    private static func set(
        _ choice: RestChoice, of rest: DeviceRest, saying words: String, _ output: OutputOptions
    ) async throws {
        let changed = try await Home.using { home in
            try await home.settings.set(choice, of: rest)
            return try await Self.document(home.settings)
        }
        await HomeAgent.look()
        try output.tell(words, changed)
    }

    struct KeepContent: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-content", abstract: "Limit the content that is kept at hand without being pinned.",
            discussion: """
                What was used least goes first, and is fetched again when it is opened. 0 keeps none; “usual” is \
                \(content(RoomLimits.usualContent)). What is pinned, and what waits to be sent, always stays.
                """)

        @Argument(help: "Bytes: 500M, 5G, 0, or usual.", transform: { try Room($0, or: "usual") })
        var most: Room

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let document = try await ConfigCommand.limit { $0.content = most.bytes ?? RoomLimits.usualContent }
            let kept = content(document.keepContent)
            try output.tell(
                document.keepContent == 0
                    ? "Nothing is kept at hand but what is pinned." : "At most \(kept) are kept at hand.", document)
        }
    }

    struct KeepMetadata: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-metadata", abstract: "Limit the room that what is known of files takes.",
            discussion: """
                Folders that were not looked at for longest go first, and are listed again when they are looked at. No \
                device keeps more than the server says.
                """)

        @Argument(help: "Bytes: 50M, or server.", transform: { try Room($0, or: "server") })
        var most: Room

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let document = try await ConfigCommand.limit { $0.metadata = most.bytes }
            try output.tell(
                document.keepMetadata.map { "What is known of files takes at most \(ByteText.text($0))." }
                    ?? "What is known of files takes as much as the server says.", document)
        }
    }

    private static func content(_ bytes: Int64) -> String {
        bytes == RoomLimits.usualContent ? "1 GB" : ByteText.text(bytes)
    }

    private static func limit(_ change: (inout RoomLimits) -> Void) async throws -> Document {
        let document = try await Home.using { home in
            var limits = try await home.settings.roomLimits()
            change(&limits)
            try await home.settings.setRoomLimits(limits)
            return try await ConfigCommand.document(home.settings)
        }
        await HomeAgent.look()
        return document
    }

    /// A size as it is typed, or a word for none of one's own.
    struct Room: Sendable {
        /// nil for the word.
        var bytes: Int64?

        /// - Throws: `ValidationError` with what is wrong with it.
        init(_ typed: String, or word: String) throws {
            if typed.lowercased() == word { return }
            guard let bytes = ByteText.parse(typed) else {
                throw ValidationError("That is no size: type bytes, as 500M or 5G, or \(word).")
            }
            self.bytes = bytes
        }
    }

    struct Notices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "notices",
            abstract: "Choose what the desktop tells you of while you do not look.",
            discussion: """
                Kinds are conflict (something waits to be decided), held (a guard holds a folder back), failed (a transfer \
                does not go on), sign-in (this device's sign-in has ended), update (something came from another device), and of the \
                feed mention, comment and follow, which say who it was and nothing of what was written. “all” and “none” stand \
                alone. Without a desktop, nothing happens.
                """)

        @Argument(help: "Kinds: conflict, held, failed, sign-in, update, mention, comment, follow; all, or none.")
        var kinds: [String]

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let chosen = try Self.kinds(kinds)
            let document = try await Home.using { home in
                try await home.settings.setNoticeKinds(chosen)
                return try await ConfigCommand.document(home.settings)
            }
            try output.tell(
                chosen.isEmpty
                    ? "The desktop tells you nothing."
                    : "The desktop tells you of: \(document.notices.joined(separator: " ")).",
                document)
        }

        private static func kinds(_ words: [String]) throws -> Set<NoticeKind> {
            if words == ["all"] { return Set(NoticeKind.allCases) }
            if words == ["none"] { return [] }
            return try Set(
                words.map { word in
                    guard let kind = NoticeKind(rawValue: word) else {
                        throw Complaint.usage(
                            "“\(word)” is nothing that the desktop tells of.",
                            remedy: "It tells of \(NoticeKind.allCases.map(\.rawValue).joined(separator: ", ")).")
                    }
                    return kind
                })
        }
    }
}

extension RestChoice: ExpressibleByArgument {}
