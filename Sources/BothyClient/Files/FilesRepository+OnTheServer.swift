import BothyContract

/// What has to be on the server itself, and not only among what is waiting to be sent.
extension FilesRepository {
    /// Seconds that another process of this device may take to send what was written down.
    private static let patience = 10.0

    /// The folder at the path as the server has it, made with those above it where they are missing.
    ///
    /// - Parameter hurry: tells the process that sends what waits, where that is another one, that there is something.
    /// - Throws: `pendingWork` where it was written down, and does not go for now.
    package func makeFoldersOnServer(
        at path: RemotePath, clock: any ClientClock, hurry: () async -> Void
    ) async throws -> File {
        let folder = try await makeFolders(at: path)
        guard folder.isOnlyHere else { return folder }
        await hurry()
        // A pause holds back automatic work; this was asked for.
        if !isOffline { try await sendWhatWaits() }
        let luid = try await replica.luid(of: folder.id)
        let giveUp = clock.uptime() + Self.patience
        while try await replica.serverId(of: luid) == nil {
            guard !isOffline, clock.uptime() < giveUp else {
                throw ClientFailure(
                    .pendingWork,
                    "“\(path)” is not on the server yet: it was created here, and "
                        + (isOffline ? "the server cannot be reached now." : "is waiting to be sent."),
                    remedy: isOffline
                        ? "Try again once there is a connection; “bothy journal” shows what is waiting."
                        : "“bothy journal” shows what is waiting; try again once it has been sent.")
            }
            try await clock.sleep(seconds: 0.05)
        }
        return try await replica.file(withId: folder.id)
    }
}
