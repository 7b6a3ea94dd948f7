import BothyClient
import BothyContract
import BothySync

/// A file that `bothy verify` names.
struct VerifyEvent {
    var verdict: FileVerdict
    /// Absolute, here.
    var path: String
    var words: VerifyWords.Pair
    /// Where it is on the server.
    var remote: String?
    /// The hash that it should have; nil for a folder.
    var content: ContentHash?

    /// - Returns: nil where there are no words: then there is nothing to name.
    init?(
        _ verdict: FileVerdict, at path: String, words: VerifyWords.Pair?, remote: String? = nil,
        content: ContentHash? = nil
    ) {
        guard let words else { return nil }
        self.verdict = verdict
        self.path = path
        self.words = words
        self.remote = remote
        self.content = content
    }

    var lines: [String] {
        let subject = if let remote { "\(path) (\(remote) on the server)" } else { path }
        return ["\(isDamage ? "damaged   " : "unreadable")  \(subject)", "    \(words.cause)", "    \(words.remedy)"]
    }

    fileprivate var isDamage: Bool { found != nil }

    fileprivate var found: ContentHash? {
        if case .damaged(_, let found) = verdict { found } else { nil }
    }
}

struct VerifyDocument: Encodable {
    var event: String
    var path: String
    var remote: String?
    var sha256: ContentHash?
    /// What it holds.
    var foundSha256: ContentHash?
    var cause: String
    var remedy: String

    init(_ event: VerifyEvent) {
        self.event = event.isDamage ? "damaged" : "unreadable"
        path = event.path
        remote = event.remote
        sha256 = event.content
        foundSha256 = event.found
        cause = event.words.cause
        remedy = event.words.remedy
    }
}

struct VerifySummary: Encodable {
    var event = "summary"
    var files: Int
    var bytes: Int64
    var damaged: Int
    var unreadable: Int
    var changed: Int
    var missing: Int
    var unknown: Int

    init(_ tally: VerifyTally) {
        files = tally.files
        bytes = tally.bytes
        damaged = tally.damaged
        unreadable = tally.unreadable
        changed = tally.changed
        missing = tally.missing
        unknown = tally.unknown
    }
}
