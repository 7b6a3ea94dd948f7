/// What has attachments. Each kind has a table, which tells of its own in which order it shows them.
enum AttachmentOwner: Sendable {
    case post(Int64)
    /// A post that waits for its time.
    case scheduled(Int64)

    var table: String {
        switch self {
        case .post: "post_attachments"
        case .scheduled: "scheduled_attachments"
        }
    }

    /// The column that says whose they are.
    var key: String {
        switch self {
        case .post: "post_id"
        case .scheduled: "scheduled_id"
        }
    }

    var id: Int64 {
        switch self {
        case .post(let id), .scheduled(let id): id
        }
    }

    /// Whether the table says how large they are, and what they look like from afar.
    var hasLooks: Bool { if case .post = self { true } else { false } }
}
