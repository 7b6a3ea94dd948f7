import BothyContract

extension AdminCommands {
    /// An account, as scripts are told of it. What a command has not looked at is absent.
    private struct UserDocument: Encodable {
        var email: String
        var id: Int64?
        var displayName: String?
        var used: Int64?
        var quota: Int64?
        var devices: Int?
        var disabled: Bool?
        var deleted: Bool?
        /// A new one, which the command was asked for.
        var password: String?
    }

    func listUsers(_ say: Say) async throws {
        var after: Int64 = 0
        var isEmpty = true
        while true {
            let page = try await services.accounts.overview(after: after)
            guard let last = page.last else { break }
            for entry in page { try await say(Self.line(entry)) }
            after = last.user.id
            isEmpty = false
        }
        if isEmpty { try await say(AdminLine("There is no account yet.")) }
    }

    private static func line(_ entry: Accounts.Overview) throws -> AdminLine {
        let quota = entry.quota.map { " of \(ByteCount.text($0))" } ?? ""
        let state = entry.disabled ? ", disabled" : ""
        let devices = entry.devices == 1 ? "1 device" : "\(entry.devices) devices"
        let (email, name) = (entry.user.email, entry.user.displayName)
        return try AdminLine(
            "\(email)  \(name)  \(ByteCount.text(entry.used))\(quota), \(devices)\(state)",
            UserDocument(
                email: email, id: entry.user.id, displayName: name, used: entry.used, quota: entry.quota,
                devices: entry.devices, disabled: entry.disabled))
    }

    func invite(_ note: String, _ say: Say) async throws {
        guard services.accounts.registration != .closed else {
            throw ServerFault(
                .failed,
                "An invite would not work: registration is closed. Start the server with --registration invite first."
            )
        }
        let code = try await services.accounts.invite(note: note)
        try await say(
            AdminLine(
                """
                This invite is for one person and expires in 14 days. They type
                    bothy register --server URL --email THEIRS --invite \(code)
                """, ["invite": code]))
    }

    func resetPassword(_ email: String, _ say: Say) async throws {
        let password = try await services.accounts.resetPassword(email: email)
        try await say(
            AdminLine(
                """
                Every device of the account is signed out. The new password is
                \(password)
                """, UserDocument(email: email, password: password)))
    }

    func setDisabled(_ email: String, _ disabled: Bool, _ say: Say) async throws {
        try await services.accounts.setDisabled(email: email, disabled)
        try await say(
            AdminLine(
                disabled
                    ? "\(email) and its devices can no longer sign in until the account is enabled again. Nothing is deleted."
                    : "\(email) can sign in again.", UserDocument(email: email, disabled: disabled)))
    }

    func delete(_ email: String, _ say: Say) async throws {
        try await services.accounts.delete(email: email)
        try await say(
            AdminLine(
                "\(email) is deleted with all its files. The disk space is freed within a day.",
                UserDocument(email: email, deleted: true)))
    }

    func setQuota(_ email: String, _ bytes: Int64?, _ say: Say) async throws {
        let (drive, cursor) = try await services.accounts.setQuota(email: email, bytes)
        await services.notifier.wake(driveId: drive, cursor: cursor)
        try await say(
            AdminLine(
                bytes.map { "\(email) has a quota of \(ByteCount.text($0))." }
                    ?? "\(email) has no quota.", UserDocument(email: email, quota: bytes)))
    }
}
