import BothyContract
import BothyServer
import Testing

@Suite struct PasswordHashTests {
    private static let cost = ScryptCost(logRounds: 4, blockSize: 1, parallelism: 1)

    private func hash(_ password: String) throws -> PasswordHash {
        try PasswordHash(password: password, salt: Array(repeating: 7, count: 16), cost: Self.cost)
    }

    @Test func matchesItsPasswordAndNoOther() throws {
        let hash = try hash("correct horse")
        #expect(try hash.matches("correct horse"))
        #expect(try !hash.matches("correct horsf"))
        #expect(try !hash.matches(""))
    }

    /// RFC 7914 §12, the second vector, which N = 1024, r = 8 and p = 16 make.
    @Test func isScrypt() throws {
        let hash = try PasswordHash(
            password: "password", salt: Array("NaCl".utf8),
            cost: ScryptCost(logRounds: 10, blockSize: 8, parallelism: 16))
        #expect(hash.key.prefix(8) == [0xfd, 0xba, 0xbe, 0x1c, 0x9d, 0x34, 0x72, 0x00])
    }

    @Test func keepsItsParametersBesideIt() throws {
        let text = try hash("x").text
        #expect(text.hasPrefix("scrypt$4$1$1$"))
        #expect(PasswordHash(text: text)?.cost == Self.cost)
        #expect(PasswordHash(text: text) == (try hash("x")))
        #expect(PasswordHash(text: "bcrypt$4$1$1$AAAA$AAAA") == nil)
    }

    @Test func theSameLettersFromAnotherKeyboardAreTheSamePassword() throws {
        #expect(try hash("re\u{301}sume\u{301}").matches("résumé"))
    }

    @Test func anUnknownAccountCostsAHashAndIsNeverRight() async throws {
        let hasher = PasswordHasher(cost: Self.cost)
        #expect(try await !hasher.matches("", nil))
        #expect(hasher.isOutdated(try hash("x")) == false)
        try await hasher.close()
    }

    @Test func aCrowdIsToldToComeBack() async throws {
        let hasher = PasswordHasher(cost: ScryptCost(logRounds: 12, blockSize: 8, parallelism: 1))
        let crowd = 100
        let outcomes = await withTaskGroup(of: ProblemCode?.self) { group in
            for _ in 0..<crowd {
                group.addTask { try? await problemCode { _ = try await hasher.matches("x", nil) } }
            }
            return await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
        }
        let refused = outcomes.filter { $0 == .tooManyRequests }.count
        #expect(refused >= 1)
        #expect(crowd - refused >= PasswordHasher.atOnce + PasswordHasher.mostWaiting)
        try await hasher.close()
    }
}
