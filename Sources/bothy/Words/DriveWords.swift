import BothyClient

/// What a person is told of a drive that a later release has changed.
struct DriveWords {
    let words =
        "This drive's files are cut in a way this Bothy does not know; large files go up whole, and all arrives."

    /// A stable word.
    static let reason = "cuts_unknown"
    static let remedy = "Update Bothy on this machine: then only what changed is sent."

    /// - Returns: nil where there is nothing to say.
    init?(_ parameters: DriveParameters?) {
        guard let parameters, !parameters.areKnown else { return nil }
    }
}
