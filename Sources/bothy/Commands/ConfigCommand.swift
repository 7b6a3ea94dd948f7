import ArgumentParser
import BothyClient

/// `bothy config`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or change this device's settings.",
        subcommands: [
            Show.self, LimitRate.self, OnBattery.self, OnMetered.self, KeepContent.self, KeepMetadata.self,
            Notices.self,
        ],
        defaultSubcommand: Show.self)

    private struct Document: Encodable {
        /// Bytes per second each way; absent for none.
        var limitRate: Int64?
        /// Whether automatic work runs on battery, too.
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
            table.add(["keep-metadata", document.keepMetadata.map(ByteText.text) ?? "set by the server"])
            table.add([
                "notices", document.notices.isEmpty ? "none" : document.notices.joined(separator: " "),
            ])
            output.print(table)
        }
    }

    struct LimitRate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "limit-rate", abstract: "Limit the transfer rate, in each direction.",
            discussion:
                "K, M and G are powers of 1024: 500K, 5M. “off” removes the limit. --limit-rate is for one command only."
        )

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
                    ? "Transfers are not limited." : "Transfers are limited to \(rate.text) in each direction.",
                document)
        }
    }

    struct OnBattery: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "on-battery",
            abstract: "Choose whether background work pauses while this device runs on battery.",
            discussion: """
                “rest” pauses background work until the device is plugged in; commands that you type (put, get, …) still \
                run. “go” is the default, and pauses nothing.
                """)

        @Argument(help: "What the device does on battery.")
        var choice: RestChoice

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await ConfigCommand.set(
                choice, of: .battery,
                saying: choice == .go
                    ? "Background work continues on battery."
                    : "Background work pauses on battery. Commands that you type still run.", output)
        }
    }

    struct OnMetered: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "on-metered", abstract: "Choose whether background work pauses while the network is metered.",
            discussion: """
                “rest” pauses background work on a metered network, such as a phone's hotspot; commands that you type (put, \
                get, …) still run. NetworkManager tells which networks are metered. “go” is the default, and pauses nothing.
                """)

        @Argument(help: "What the device does on a metered network.")
        var choice: RestChoice

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await ConfigCommand.set(
                choice, of: .metered,
                saying: choice == .go
                    ? "Background work continues on metered networks."
                    : "Background work pauses on metered networks. Commands that you type still run.", output)
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
            commandName: "keep-content", abstract: "Limit the cache of content that is not pinned.",
            discussion: """
                The least recently used content is removed first, and downloaded again when it is opened. 0 keeps none; \
                “usual” is \(content(RoomLimits.usualContent)). Pinned content and changes not yet sent always stay.
                """)

        @Argument(help: "Bytes: 500M, 5G, 0, or usual.", transform: { try Room($0, or: "usual") })
        var most: Room

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let document = try await ConfigCommand.limit { $0.content = most.bytes ?? RoomLimits.usualContent }
            let kept = content(document.keepContent)
            try output.tell(
                document.keepContent == 0
                    ? "Only pinned content is kept on this device."
                    : "At most \(kept) of unpinned content is kept on this device.", document)
        }
    }

    struct KeepMetadata: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-metadata", abstract: "Limit the space for the list of known files.",
            discussion: """
                The folders that you have not opened for longest are removed first, and listed again when you open them. \
                The server's limit always applies.
                """)

        @Argument(help: "Bytes: 50M, or server.", transform: { try Room($0, or: "server") })
        var most: Room

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let document = try await ConfigCommand.limit { $0.metadata = most.bytes }
            try output.tell(
                document.keepMetadata.map { "The list of known files takes at most \(ByteText.text($0))." }
                    ?? "The list of known files takes as much as the server allows.", document)
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
                throw ValidationError("This is not a size: give bytes, such as 500M or 5G, or \(word).")
            }
            self.bytes = bytes
        }
    }

    struct Notices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "notices",
            abstract: "Choose which desktop notifications this device shows.",
            discussion: """
                Kinds are conflict (a conflict needs a decision), held (a folder is held back by a safety check), failed (a \
                transfer has failed), sign-in (this device has to sign in again), update (something came from another device), \
                and from the feed mention, comment and follow, which name the person and quote nothing. Use “all” and “none” \
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
                    ? "Desktop notifications are off."
                    : "Desktop notifications: \(document.notices.joined(separator: " ")).",
                document)
        }

        private static func kinds(_ words: [String]) throws -> Set<NoticeKind> {
            if words == ["all"] { return Set(NoticeKind.allCases) }
            if words == ["none"] { return [] }
            return try Set(
                words.map { word in
                    guard let kind = NoticeKind(rawValue: word) else {
                        throw Complaint.usage(
                            "“\(word)” is not a kind of notification.",
                            remedy: "The kinds are \(NoticeKind.allCases.map(\.rawValue).joined(separator: ", ")).")
                    }
                    return kind
                })
        }
    }
}

extension RestChoice: ExpressibleByArgument {}
