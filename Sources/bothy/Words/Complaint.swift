/// Why a command did not do what was asked: what happened, to what, and what to do now.
struct Complaint: Error, Equatable, Sendable {
    /// A stable word for scripts: a `FailureCode`'s raw value, or one of `Code`'s.
    var code: String
    /// One or more whole sentences. May hold names from the server: printed through `TerminalText.safe` only.
    var message: String
    /// What a person can do about it, a whole sentence.
    var remedy: String?
    var status: ExitStatus
    /// The server's own `ProblemCode`, where it was the server that refused.
    var serverCode: String?

    init(_ code: Code, _ message: String, remedy: String? = nil, status: ExitStatus = .failed) {
        self.init(code: code.rawValue, message: message, remedy: remedy, status: status)
    }

    init(code: String, message: String, remedy: String? = nil, status: ExitStatus = .failed) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.status = status
    }

    /// The words that are the command line's own; the others come from the contract and the client.
    enum Code: String, CaseIterable, Sendable {
        case wrongUsage = "wrong_usage"
        case signInNeeded = "sign_in_needed"
        case notThere = "not_there"
        case notAFolder = "not_a_folder"
        case isAFolder = "is_a_folder"
        case ambiguous = "ambiguous"
        case exists = "exists"
        case localUnreadable = "local_unreadable"
        case localUnwritable = "local_unwritable"
        case unsafeName = "unsafe_name"
        case transfersPending = "transfers_pending"
        case paused = "paused"
        case interrupted = "interrupted"
        case partlyDone = "partly_done"
        case unhealthy = "unhealthy"
        case serverFault = "server_fault"
        case held = "held"
        case planChanged = "plan_changed"
        case unexpected = "unexpected"
    }

    static func usage(_ message: String, remedy: String? = nil) -> Complaint {
        Complaint(.wrongUsage, message, remedy: remedy, status: .wrongUsage)
    }

    /// The lines for a terminal or a log, made safe to print.
    var lines: [String] {
        var lines = ["bothy: " + TerminalText.safe(message)]
        if let remedy { lines.append("  " + TerminalText.safe(remedy)) }
        return lines
    }

    /// Says it on standard error, for a person or for a script.
    func print(json: Bool) {
        let text = json ? ErrorDocument(self).line : lines.joined(separator: "\n")
        Terminal().writeError(text + "\n")
    }
}
