import BothyContract
import BothyServer
import Testing

@Suite struct AdministrationTests {
    @Test func aResetPasswordWorksAndEndsEverySession() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            #expect(try await server.about(session).status == 200)
            let password = try await server.services.accounts.resetPassword(email: "ADA@example.org")
            #expect(try await server.about(session).code == .deviceSignedOut)
            #expect(try await problemCode { _ = try await server.login() } == .wrongCredentials)
            #expect(try await server.about(try await server.login(password: password)).status == 200)
        }
    }

    @Test func aDisabledAccountKeepsEverythingAndLetsNobodyIn() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            #expect(try await server.about(session).status == 200)
            try await server.services.accounts.setDisabled(email: session.user.email, true)
            #expect(try await server.about(session).code == .accountDisabled)
            #expect(try await problemCode { _ = try await server.login() } == .accountDisabled)
            #expect(try await problemCode { _ = try await server.refresh(session.refreshToken) } == .accountDisabled)
            #expect(
                try await problemCode { _ = try await server.login(password: "wrong") } == .wrongCredentials,
                "only who knows the password is told")
            try await server.services.accounts.setDisabled(email: session.user.email, false)
            #expect(try await server.about(session).status == 200)
        }
    }

    @Test func aDeletedAccountIsGoneWithEverythingItKept() async throws {
        try await AccountServer.with { server in
            let ada = try await server.register()
            let bob = try await server.register("bob@example.org")
            for session in [ada, bob] {
                for name in ["one", "two"] {
                    let request = CreateFileRequest(
                        requestId: name, name: name, mimeType: File.folderMimeType, parentId: nil)
                    #expect(
                        try await server.send(.post, "/v1/files", token: session.accessToken, json: request).status
                            == 201)
                }
            }
            try await server.services.accounts.delete(email: ada.user.email)
            #expect(try await server.about(ada).code == .deviceSignedOut)
            for table in ["drives", "nodes", "changes", "outcomes"] {
                let left = try await server.services.database.read {
                    try $0.first("SELECT count(*) FROM \(table) WHERE drive_id = ?", [ada.user.id.sql])?.int(0)
                }
                #expect(left == 0, "\(table)")
            }
            let files: GetFilesResponse = try await server.send(.get, "/v1/files", token: bob.accessToken).json()
            #expect(files.files.map(\.name) == ["one", "two"])
            #expect(
                try await problemCode { _ = try await server.register("ada@example.org") } == nil,
                "the email is free again")
        }
    }

    /// An upload that was under way when its account was deleted committed into what had been emptied already.
    @Test func whatIsWrittenWhileAnAccountIsEmptiedGoesToo() async throws {
        try await AccountServer.with { server in
            let ada = try await server.register()
            let database = server.services.database
            try await database.write { connection in
                try connection.execute(
                    """
                    CREATE TRIGGER late AFTER DELETE ON nodes WHEN OLD.drive_id = \(ada.user.id) BEGIN
                        INSERT INTO changes (drive_id, sequence, tag, kind, entity_id, removed, at_ms, at_lived)
                            VALUES (OLD.drive_id, 900, 1, 'file', 'late', 0, 0, 0);
                        INSERT INTO contents (drive_id, content_id, checksum, size, block_count, refs)
                            VALUES (OLD.drive_id, 900, x'00', 0, 0, 1);
                    END
                    """)
            }
            try await server.services.accounts.delete(email: ada.user.email)
            for table in ["drives", "nodes", "changes", "contents"] {
                let left = try await database.read {
                    try $0.first("SELECT count(*) FROM \(table) WHERE drive_id = ?", [ada.user.id.sql])?.int(0)
                }
                #expect(left == 0, "\(table)")
            }
        }
    }

    @Test func aQuotaIsTold() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            try await server.services.accounts.setQuota(email: session.user.email, 5 << 20)
            let about: AboutResponse = try await server.about(session).json()
            #expect(about.quota.limit == 5 << 20)
            try await server.services.accounts.setQuota(email: session.user.email, nil)
            #expect(try await server.about(session).json(AboutResponse.self).quota.limit == nil)
        }
    }

    @Test func anUnknownEmailIsNamed() async throws {
        try await AccountServer.with { server in
            await #expect(throws: ServerFault.self) {
                try await server.services.accounts.delete(email: "no@example.org")
            }
        }
    }

    @Test func theOverviewShowsEveryAccount() async throws {
        try await AccountServer.with { server in
            for index in 0..<3 { _ = try await server.register("a\(index)@example.org") }
            let page = try await server.services.accounts.overview(after: 0)
            #expect(page.map(\.user.email) == ["a0@example.org", "a1@example.org", "a2@example.org"])
            #expect(page.allSatisfy { $0.devices == 1 && !$0.disabled })
        }
    }
}
