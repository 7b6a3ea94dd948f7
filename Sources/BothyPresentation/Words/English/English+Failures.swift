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
    private static let tryAgain = "Try again; if it stays, look at what is under Transfers and Synced folders."

    private static let remedies: [FailureCode: String] = [
        .offline: "With a connection it can be opened; what you keep offline needs none.",
        .signInNeeded: "Sign in again; what waits goes on then.",
        .accountRefused: "Ask whoever runs the server.",
        .integrityMismatch: "Try again from scratch; if it stays, check this disk, and the server’s.",
        .sourceDamaged: "Upload the file again from where it came from, and give this up.",
        .contentDamaged: "Restore an earlier version, or upload the file again: that repairs it.",
        .revisionConflict: "Its versions show what it was; each can be restored.",
        .notFound: "Look into the trash, and at the versions of what is there.",
        .pendingWork: "Look at what waits under Transfers, and let it finish or give it up there.",
        .transferPaused: "Let it go on under Transfers.",
        .transferCanceled: "It is begun anew; under Transfers it can be paused.",
        .diskFull: "Free some room on this device’s disk; what is there already is kept.",
        .agentRunning: "The agent of this device does it already.",
        .agentFailed: "Start the agent of this device again; its log says why it ended.",
        .homeUnusable: "Sign this device in anew, in a folder that it can write in.",
    ]
}
