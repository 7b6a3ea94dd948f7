import BothyClient

/// What the screen of transfers shows.
public struct TransfersState: Equatable, Sendable {
    /// One transfer or change.
    public struct Row: Equatable, Sendable, Identifiable {
        public enum Tone: String, Sendable {
            case moving, waiting, asking, over
        }

        /// A button.
        public struct Remedy: Equatable, Sendable, Identifiable {
            public var kind: TransferRemedy
            public var label: String

            public var id: TransferRemedy { kind }
        }

        public var id: DeviceTransfer.ID
        public var tone: Tone
        /// Up, down, or what is done.
        public var icon: Icon
        public var name: String
        /// «Upload · Files / Letters».
        public var about: String
        /// «3 MB of 10 MB · 1.2 MB/s · 6 s left».
        public var detail: String
        /// What to do about it, where something is to be done.
        public var advice: String?
        /// Whole per cents; nil for what moves no bytes.
        public var percent: Int?
        public var remedies: [Remedy]
    }

    /// What is asked before something is given up.
    public struct Question: Equatable, Sendable {
        public var heading: String
        /// What would be lost, and where it is then.
        public var lead: String
        public var yes: String
    }

    /// What is counted beside the transfers, and where it is found.
    public struct Besides: Equatable, Sendable {
        public struct Link: Equatable, Sendable {
            public var label: String
            public var destination: Destination
        }

        public var text: String
        public var links: [Link]
    }

    public enum Icon: String, Sendable {
        case upload, download, folder, pen, move, trash, back, star, hide
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    /// Those that have not ended.
    public var rows = [Row]()
    public var over = [Row]()
    /// «3 not done yet».
    public var count = ""
    /// «and 120 more», where not all are shown.
    public var more: String?
    /// «2 actions in the feed wait to be sent», which are no transfers; nil for none.
    public var others: Besides?
    /// «1 action in the feed was refused», which is not sent until a person decides; nil for none.
    public var refused: Besides?
    /// What can be done to all of them that it makes sense for.
    public var forAll = [Row.Remedy]()
    public var notice: Notice?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && rows.isEmpty && over.isEmpty }
}

extension TransfersState.Question {
    /// - Returns: nil where nothing would be lost.
    init?(_ copies: [UnsentCopy], words: Words) {
        guard let first = copies.first else { return nil }
        if copies.count > 1 {
            (heading, lead) = (words.filled(.giveUpSeveral, String(copies.count)), words[.giveUpSeveralLead])
        } else {
            heading = words.filled(.giveUpOne, ShownName.of(first.name))
            lead = words[first.isVersion ? .giveUpVersionLead : .giveUpOneLead]
        }
        lead += " " + words[.givenUpRests]
        yes = words[.giveUp]
    }
}

extension TransfersState.Row {
    init(_ transfer: DeviceTransfer, rate: Double?, words: Words, clock: PersonsClock) {
        id = transfer.id
        tone = Self.tone(transfer)
        icon = Self.icon(transfer.deed)
        name = ShownName.of(transfer.name)
        let place = transfer.above.map(words.place) ?? transfer.localPath.map { ShownName.of(Self.folder(of: $0)) }
        about = [words.deed(transfer.deed), place].compactMap { $0 }.joined(separator: " · ")
        detail = words.standing(of: transfer, rate: rate, at: clock)
        advice = transfer.state == .failed ? transfer.failure.flatMap { words.failure($0).remedy } : nil
        if let total = transfer.bytesTotal, total > 0, !transfer.isOver {
            percent = Int(min(100, transfer.bytesShown * 100 / total))
        }
        remedies = transfer.remedies.map {
            Remedy(kind: $0, label: $0 == .cancel && transfer.isChange ? words[.giveUp] : words.remedy($0))
        }
    }

    /// The name is told already.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func tone(_ transfer: DeviceTransfer) -> Tone {
        if transfer.isOver { return .over }
        if transfer.asks { return .asking }
        return switch transfer.state {
        case .preparing, .moving, .checking: .moving
        default: .waiting
        }
    }

    private static func icon(_ deed: DeviceTransfer.Deed) -> TransfersState.Icon {
        switch deed {
        case .upload, .newVersion: .upload
        case .download: .download
        case .createFolder: .folder
        case .rename: .pen
        case .move: .move
        case .trash: .trash
        case .restore: .back
        case .star: .star
        case .hide: .hide
        }
    }
}
