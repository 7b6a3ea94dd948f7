/// What a failed command prints on standard error with `--json`: `{"error": {…}}` in one line.
struct ErrorDocument: Encodable {
    struct Body: Encodable {
        var code: String
        var message: String
        var remedy: String?
        /// The server's own `ProblemCode`, where it was the server that refused.
        var serverCode: String?
        var exitStatus: Int32
    }

    var error: Body

    init(_ complaint: Complaint) {
        error = Body(
            code: complaint.code, message: complaint.message, remedy: complaint.remedy,
            serverCode: complaint.serverCode, exitStatus: complaint.status.rawValue)
    }

    var line: String {
        do {
            return try JSONText.line(self)
        } catch {
            // Strings and one number always encode.
            preconditionFailure("an error document did not encode: \(error)")
        }
    }
}
