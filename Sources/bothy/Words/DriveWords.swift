import BothyClient

/// What a person is told of a drive that a later release has changed.
struct DriveWords {
    let words =
        "This server splits files in a way that this Bothy does not know; large files are uploaded whole."

    /// A stable word.
    static let reason = "cuts_unknown"
    static let remedy = "Update Bothy on this machine: then only changed parts are uploaded."

    /// - Returns: nil where there is nothing to say.
    init?(_ parameters: DriveParameters?) {
        guard let parameters, !parameters.areKnown else { return nil }
    }
}
