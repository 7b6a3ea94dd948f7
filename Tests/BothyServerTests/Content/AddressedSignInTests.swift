import BothyContract
import BothyServer
import Testing

/// A signed address ends with the sign-in that it was made for.
@Suite struct AddressedSignInTests {
    private static let signIn = AddressedSignIn(userId: 1, deviceId: "kitchen", session: 3)

    private func address(
        of file: File, in world: UploadWorld, for signIn: AddressedSignIn?, shownBy post: Int64? = nil
    ) throws -> String {
        world.server.parts.signer.downloadPath(
            driveId: 1, revisionId: try #require(file.headRevisionId), for: signIn, now: world.server.clock.now(),
            shownBy: post)
    }

    private func setSession(_ session: Int64?, in world: UploadWorld) async throws {
        let now = world.server.clock.now()
        try await world.server.database.write { db in
            try db.execute(
                """
                INSERT INTO devices (user_id, device_id, name, platform, sign_ins, session, created_ms, seen_ms)
                    VALUES (1, 'kitchen', 'Kitchen', 'linux', 3, ?, ?, ?)
                    ON CONFLICT (user_id, device_id) DO UPDATE SET session = excluded.session
                """, [session.sql, now.sql, now.sql])
        }
        // Past what is remembered of a sign-in.
        world.server.clock.advance(seconds: 6)
    }

    @Test func anAddressEndsWithItsSignIn() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("a.txt", UploadWorld.bytes(10))
        try await setSession(3, in: world)
        let ofPost = try address(of: file, in: world, for: Self.signIn, shownBy: 7)
        #expect(try await world.server.send(.get, ofPost, as: nil).status == 404, "there is no such post")
        #expect(try await world.server.send(.get, ofPost.replacing("post=7", with: "post=8"), as: nil).status == 403)
        #expect(try await world.server.send(.get, ofPost.replacing("&post=7", with: ""), as: nil).status == 403)
        let path = try address(of: file, in: world, for: Self.signIn)
        #expect(try await world.server.send(.get, path, as: nil).status == 200)
        for session: Int64? in [nil, 4] {
            try await setSession(session, in: world)
            for path in [path, path + "&quality=low"] {
                let answer = try await world.server.send(.get, path, as: nil)
                #expect(answer.status == 403 && answer.code == .urlExpired, "signed out, or in anew")
            }
        }
        #expect(try await world.read(file).status == 200, "one that is of no sign-in ends by its time alone")
    }

    @Test func nobodyMakesAnAddressOfAnotherSignIn() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("a.txt", UploadWorld.bytes(10))
        try await setSession(4, in: world)
        let path = try address(of: file, in: world, for: Self.signIn)
        let changed = [
            path.replacing("kitchen.3", with: "kitchen.4"), path.replacing("&session=1.kitchen.3", with: ""),
            path.replacing("1.kitchen.3", with: "1.kitchen"), path.replacing("1.kitchen.3", with: ""),
            try address(of: file, in: world, for: nil).replacing("&sig=", with: "&session=1.kitchen.4&sig="),
        ]
        for path in changed {
            let answer = try await world.server.send(.get, path, as: nil)
            #expect(answer.status == 403 && answer.code == .urlInvalid, "\(path)")
        }
    }

    @Test(arguments: [
        "", ".", "..", "1.kitchen", "1.kitchen.", "x.kitchen.3", "1..3", "1.a b.3", "1.a\nb.3", "1.a.3.4",
    ])
    func whatNamesNoSignInIsNone(_ text: String) { #expect(AddressedSignIn(text: text) == nil) }

    @Test func whatIsWrittenIsRead() { #expect(AddressedSignIn(text: Self.signIn.text) == Self.signIn) }
}
