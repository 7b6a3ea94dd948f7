import BothyContract

extension AdminCommands {
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
        if isEmpty { try await say("There is no account yet.") }
    }

    private static func line(_ entry: Accounts.Overview) -> String {
        let quota = entry.quota.map { " of \(ByteCount.text($0))" } ?? ""
        let state = entry.disabled ? ", disabled" : ""
        let devices = entry.devices == 1 ? "1 device" : "\(entry.devices) devices"
        return
            "\(entry.user.email)  \(entry.user.displayName)  \(ByteCount.text(entry.used))\(quota), \(devices)\(state)"
    }

    func invite(_ note: String, _ say: Say) async throws {
        let code = try await services.accounts.invite(note: note)
        try await say("This invite lets one person in, once, within 14 days. They type")
        try await say("    bothy register --server URL --email THEIRS --invite \(code)")
    }

    func resetPassword(_ email: String, _ say: Say) async throws {
        let password = try await services.accounts.resetPassword(email: email)
        try await say("Every device of the account is signed out. The new password is")
        try await say(password)
    }

    func setDisabled(_ email: String, _ disabled: Bool, _ say: Say) async throws {
        try await services.accounts.setDisabled(email: email, disabled)
        try await say(
            disabled
                ? "\(email) cannot sign in any more, and is signed out. Nothing is deleted."
                : "\(email) can sign in again.")
    }

    func delete(_ email: String, _ say: Say) async throws {
        try await services.accounts.delete(email: email)
        try await say("\(email) is gone, with everything it kept. The room on the disk is given back within a day.")
    }

    func setQuota(_ email: String, _ bytes: Int64?, _ say: Say) async throws {
        try await services.accounts.setQuota(email: email, bytes)
        try await say(
            bytes.map { "\(email) may keep \(ByteCount.text($0))." }
                ?? "\(email) may keep as much as there is room for.")
    }

    func stats(_ say: Say) async throws {
        let counts = try await services.database.read { connection in
            try ["accounts", "nodes", "revisions", "blocks"].map { table in
                try connection.first("SELECT count(*) FROM \(table)")?.int64(0) ?? 0
            }
        }
        let usage = try services.packs.usage()
        try await say("accounts   \(counts[0])")
        try await say("files      \(counts[1]) with their folders, \(counts[2]) revisions")
        try await say("blocks     \(counts[3])")
        try await say("packs      \(usage.packs), \(ByteCount.text(usage.usedBytes))")
        try await say("disk       \(ByteCount.text(usage.freeBytes)) free")
    }
}
