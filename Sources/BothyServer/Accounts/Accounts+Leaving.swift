import BothyContract

extension Accounts {
    /// Deletes the caller's own account, with everything it kept and everything it posted.
    ///
    /// - Throws: `wrong_credentials`; `too_many_requests`.
    package func leave(password: String, caller: Caller, from origin: AccountOrigin) async throws {
        let old = try await confirmed(password, of: caller, from: origin)
        try await remove(caller.userId) { connection in
            guard try AccountTable(connection).row(caller.userId)?.password == old else {
                throw Self.wrongCurrentPassword
            }
        }
    }

    /// Deletes an account. It goes at once; its files follow in batches, and a deletion that is broken off is finished by
    /// ``finishDeletions()``.
    ///
    /// - Parameter check: whether it still may, in the transaction.
    func remove(
        _ id: Int64, check: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) async throws {
        let devices = try await database.write(from: .reserve) { connection in
            try check(connection)
            let devices = try DeviceTable(connection).signedIn(id).map(\.id)
            try Leaving(connection).leave(id)
            try PostCounts(connection).following(id) { try AccountTable(connection).delete(id) }
            return devices
        }
        await signedOut(id, devices)
        try await emptyDrive(id)
    }
}
