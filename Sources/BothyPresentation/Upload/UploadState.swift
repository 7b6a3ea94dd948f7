import BothyClient
import BothyContract

/// Everything that a list of uploads shows.
public struct UploadState: Equatable, Sendable {
    /// In the order in which they were chosen.
    public var rows = [UploadRow]()
    /// The one that a person is asked about now.
    public var question: UploadQuestion?
    public var notice: Notice?

    /// Those that are not over.
    public var active: [UploadRow] { rows.filter(\.phase.isActive) }
    /// Bytes that went, of those that are to go.
    public var sent: Int64 { active.reduce(0) { $0 + $1.sent } }
    public var total: Int64 { active.reduce(0) { $0 + $1.total } }
}

/// One file on its way.
public struct UploadRow: Equatable, Sendable, Identifiable {
    public enum Phase: Equatable, Sendable {
        /// Its turn comes.
        case waiting
        case sending
        /// A person stopped it.
        case paused
        /// Its name is taken, and a person says what to do.
        case asking
        /// Begun before; it resumes when a person chooses the file again.
        case unfinished
        /// - Parameter fromScratch: what came is worth nothing, so only a new beginning helps.
        case failed(Notice, fromScratch: Bool)
        case finished(ItemID)

        var isActive: Bool {
            switch self {
            case .waiting, .sending, .paused, .asking: true
            case .unfinished, .failed, .finished: false
            }
        }
    }

    /// Of this list.
    public let id: Int
    /// Safe to show.
    public var name: String
    public var folder: ItemID
    public var phase: Phase
    /// Bytes that came, and all of them.
    public var sent: Int64
    public var total: Int64
    /// «3.2 MB of 10 MB · 1.2 MB/s · 6 s left», or why it stands.
    public var detail: String
    /// The session's, once there is one.
    public var session: String?

    /// From 0 to 1.
    public var share: Double { total == 0 ? 1 : Double(sent) / Double(total) }
}

/// What a person is asked when a name is taken.
public struct UploadQuestion: Equatable, Sendable {
    public var row: UploadRow.ID
    public var name: String

    public enum Answer: String, CaseIterable, Sendable {
        /// A new version of the file that is there.
        case replace
        /// The new one gets a counter.
        case keepBoth
        /// The new one stays out.
        case skip

        var policy: ConflictPolicy? {
            switch self {
            case .replace: .overwrite
            case .keepBoth: .fork
            case .skip: nil
            }
        }
    }
}
