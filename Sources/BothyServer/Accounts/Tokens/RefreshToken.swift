/// A refresh token's text: whose family it is of, and a secret that only its holder has.
///
/// The family's id is as unguessable as the secret: who shows one holds, or held, a token of it.
package struct RefreshToken: Hashable, Sendable {
    package let userId: Int64
    package let familyId: String
    package let secret: String

    package init(userId: Int64, familyId: String, secret: String) {
        self.userId = userId
        self.familyId = familyId
        self.secret = secret
    }

    /// `br1.<user>.<family>.<secret>`.
    package var text: String { "br1.\(String(userId, radix: 36)).\(familyId).\(secret)" }

    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 200, parts.count == 4, parts[0] == "br1", let userId = Int64(parts[1], radix: 36)
        else { return nil }
        self.init(userId: userId, familyId: String(parts[2]), secret: String(parts[3]))
    }
}
