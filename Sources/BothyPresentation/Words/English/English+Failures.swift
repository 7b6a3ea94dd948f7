import BothyClient

/// In English: what went wrong, and what to do about it.
extension English {
    /// A failure tells what happened in English, and with names in it, wherever it comes from: that is said as it is. Another
    /// language says it by its code.
    static func failed(_ failure: ClientFailure) -> (text: String, remedy: String) {
        // A command is nothing that one can type into a screen.
        let isForTerminals = failure.remedy.contains("“bothy ") || failure.remedy.contains("--")
        let text = failure.unreached == nil ? failure.words : serverAway
        return (text, isForTerminals ? remedies[failure.code] ?? tryAgain : failure.remedy)
    }

    /// How a connection failed is for terminals, too.
    private static let serverAway = "The server cannot be reached now."
    private static let tryAgain = "Try again; if the problem stays, check Transfers and Synced folders."

    private static let remedies: [FailureCode: String] = [
        .offline: "It opens when there is a connection. Files that you keep offline always open.",
        .signInNeeded: "Sign in again, and waiting changes are sent.",
        .accountRefused: "Ask the server’s administrator.",
        .integrityMismatch: "Start over; if the problem stays, check this disk and the server’s.",
        .sourceDamaged: "Upload the original file again, and discard this.",
        .contentDamaged: "Restore an earlier version, or upload the file again: that repairs it.",
        .revisionConflict: "Its versions show its history; each can be restored.",
        .notFound: "Check the trash, and the versions of the files.",
        .pendingWork: "Let it finish or discard it under Transfers.",
        .transferPaused: "Resume it under Transfers.",
        .transferCanceled: "It starts over; you can pause it under Transfers.",
        .diskFull: "Free some space on this device’s disk; what is already there is kept.",
        .agentRunning: "This device’s agent already does it.",
        .agentFailed: "Restart this device’s agent; its log says why it stopped.",
        .homeUnusable: "Sign this device in again, in a folder that it can write to.",
    ]
}
