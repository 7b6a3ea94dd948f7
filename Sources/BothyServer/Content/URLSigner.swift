import BothyContract
import Crypto
import Foundation

/// Signs the addresses of content: `/v1/content/{revisionId}?drive=…&exp=…&session=…&sig=…`. The holder of one reads that
/// revision until it ends, and nothing else. The key is of its own use: no token is made of it.
///
/// An address names the sign-in that it was made for. The signature vouches for that name; whether the sign-in still
/// holds is for ``DeviceSessions`` to say.
package struct URLSigner: Sendable {
    /// Seconds that an address holds at most.
    package static let lifetime: Int64 = 3600
    /// Addresses made in the same five minutes are the same, so that a browser's cache finds what it has.
    private static let step: Int64 = 300
    /// The ``ServerSecret`` that is the key.
    private static let secretName = "content_url_key"

    private let key: SymmetricKey

    package init(key: SymmetricKey) { self.key = key }

    /// The signer with the database's key; the first one to ask makes it.
    package static func load(from database: any Database) async throws -> URLSigner {
        try await URLSigner(key: SymmetricKey(data: ServerSecret.load(secretName, from: database)))
    }

    /// The address of a revision's content, relative to the server's origin, good for an hour at most.
    ///
    /// - Parameters:
    ///   - signIn: what the address ends with; nil for one that ends by its time alone.
    ///   - post: the post that shows it, by which alone it is read; the content comes without its file's name then, which may say
    ///     more than a reader is to know.
    package func downloadPath(
        driveId: Int64, revisionId: String, for signIn: AddressedSignIn?, now: Timestamp, shownBy post: Int64? = nil
    ) -> String {
        let ends = (now.seconds + Self.lifetime) / Self.step * Self.step
        let code = HMAC<SHA256>.authenticationCode(
            for: Self.signed(driveId: driveId, revisionId: revisionId, ends: ends, signIn: signIn, post: post),
            using: key)
        let session = signIn.map { "&\(Self.session)=\($0.text)" } ?? ""
        let shown = post.map { "&\(Self.post)=\($0)" } ?? ""
        return "/v1/content/\(revisionId)?drive=\(driveId)&exp=\(ends)\(session)\(shown)"
            + "&sig=\(Self.base64url(Data(code)))"
    }

    /// What such an address says in its query, and its signature vouches for.
    static let (post, session) = ("post", "session")

    /// - Parameter ends: seconds since 1970, as the address says.
    /// - Throws: `url_invalid` for what this key did not sign, `url_expired`.
    package func check(
        driveId: Int64, revisionId: String, ends: Int64, signIn: AddressedSignIn?, shownBy post: Int64? = nil,
        signature: String, now: Timestamp
    ) throws(Problem) {
        guard let bytes = Self.data(base64url: signature),
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes,
                authenticating: Self.signed(
                    driveId: driveId, revisionId: revisionId, ends: ends, signIn: signIn, post: post),
                using: key)
        else { throw Self.notOurs }
        // One that ends later than any made now is of a clock that went back: it would hold for longer than an hour.
        guard ends > now.seconds, ends <= now.seconds + Self.lifetime else {
            throw Problem(.urlExpired, "This address has expired. Ask for the file again to get a new one.")
        }
    }

    /// Neither numbers nor sign-ins hold a line feed, and the first line says whether there is a sign-in: so no two
    /// addresses sign the same text.
    private static func signed(
        driveId: Int64, revisionId: String, ends: Int64, signIn: AddressedSignIn?, post: Int64?
    ) -> Data {
        let kind = post.map { "post \($0)" } ?? "content"
        let head = signIn.map { "\(kind) \(session)\n\($0.text)" } ?? kind
        return Data("\(head)\n\(driveId)\n\(ends)\n\(revisionId)".utf8)
    }

    static let notOurs = Problem(.urlInvalid, "This address was not made by this server, or was changed.")

    static func base64url(_ data: Data) -> String {
        var text = data.base64EncodedString()
        return text.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { target in
                var count = 0
                for byte in bytes where byte != UInt8(ascii: "=") {
                    target[count] = urlSpelling(of: byte)
                    count += 1
                }
                return count
            }
        }
    }

    private static func urlSpelling(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }

    private static func data(base64url text: String) -> Data? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
