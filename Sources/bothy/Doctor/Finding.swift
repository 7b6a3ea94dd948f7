import BothyClient

/// What `bothy doctor` found out about one thing.
struct Finding: Encodable, Equatable, Sendable {
    enum Verdict: String, Encodable, Sendable {
        case good
        /// It works, and will not for ever, or not for all.
        case doubtful
        case bad
    }

    /// A stable word: `home`, `permissions`, `disk`, `account`, `server`, `clock`, `version`, `drive`, `transfers`.
    var subject: String
    var verdict: Verdict
    var message: String
    /// What to do now; with everything that is not good.
    var remedy: String?
    /// A sign-in would mend it. Not part of the document.
    var needsSignIn: Bool

    private enum CodingKeys: String, CodingKey {
        case subject, verdict, message, remedy
    }

    init(_ subject: String, _ verdict: Verdict, _ message: String, remedy: String? = nil, needsSignIn: Bool = false) {
        self.subject = subject
        self.verdict = verdict
        self.message = message
        self.remedy = remedy
        self.needsSignIn = needsSignIn
    }
}

/// Judges what was measured. Pure.
enum Judgement {
    /// Seconds that clocks may differ before anything is said; tokens and signed addresses begin to fail at minutes.
    static let clockDoubtful: Int64 = 60
    static let clockBad: Int64 = 10 * 60
    /// Bytes of free room.
    static let roomDoubtful: Int64 = 2 << 30
    static let roomBad: Int64 = 64 << 20

    /// How an examination ends: 3 where a sign-in is all that is wanting.
    static func status(_ findings: [Finding]) -> ExitStatus {
        let bad = findings.filter { $0.verdict == .bad }
        if bad.isEmpty { return .done }
        return bad.allSatisfy(\.needsSignIn) ? .signInNeeded : .failed
    }

    static func permissions(_ mode: UInt32, of path: String) -> Finding {
        guard mode & 0o077 == 0 else {
            return Finding(
                "permissions", .bad,
                "Other users of this machine can read “\(path)”, which holds this device's secrets.",
                remedy: "chmod 700 \(path)")
        }
        return Finding("permissions", .good, "Only you can access it.")
    }

    static func room(_ free: Int64, of path: String) -> Finding {
        let text = "\(ByteText.text(free)) are free on the disk of “\(path)”."
        if free < roomBad {
            return Finding("disk", .bad, text, remedy: "Free some space: transfers cannot continue without it.")
        }
        if free < roomDoubtful {
            return Finding("disk", .doubtful, text, remedy: "Free some space before it fills up.")
        }
        return Finding("disk", .good, text)
    }

    /// - Parameter ahead: seconds that the server's clock is ahead.
    static func clock(_ ahead: Int64) -> Finding {
        let off = abs(ahead)
        guard off > clockDoubtful else { return Finding("clock", .good, "It matches the server's clock.") }
        let text =
            "The server's clock is \(DurationText.words(Double(off))) \(ahead > 0 ? "ahead of" : "behind") this machine's."
        return Finding(
            "clock", off > clockBad ? .bad : .doubtful, text,
            remedy: "Set the clock that is wrong; “timedatectl set-ntp true” keeps it right.")
    }

    /// - Parameter cuts: the version of the way in which the drive's files are cut.
    /// - Returns: nil where there is nothing to say.
    static func drive(_ cuts: Int?) -> Finding? {
        DriveWords(cuts.map(DriveParameters.init)).map {
            Finding("drive", .doubtful, $0.words, remedy: DriveWords.remedy)
        }
    }

    static func version(server: String?, own: String) -> Finding {
        guard let server else {
            return Finding(
                "version", .doubtful, "The server does not report its version; this is \(own).",
                remedy: "Update the server when you can.")
        }
        let same = server.split(separator: ".").prefix(2) == own.split(separator: ".").prefix(2)
        guard same else {
            return Finding(
                "version", .doubtful, "The server is Bothy \(server), and this is \(own).",
                remedy: "Update the older of the two.")
        }
        return Finding("version", .good, "Both are Bothy \(server == own ? own : "\(own) and \(server)").")
    }
}
