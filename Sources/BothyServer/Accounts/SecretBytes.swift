import Crypto
import Foundation

/// Where unguessable bytes come from. Handed in, so that tests can own it.
package struct SecretBytes: Sendable {
    private let make: @Sendable (_ count: Int) -> [UInt8]

    package init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

    /// The operating system's generator.
    package static let system = SecretBytes { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func callAsFunction(_ count: Int) -> [UInt8] { make(count) }
}

/// How secrets are written where a person or a header carries them.
package enum SecretText {
    /// RFC 4648 §5, without padding.
    package static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Crockford's base 32 in groups of four, for codes that a person types: no letter that looks like a digit.
    package static func code(_ bytes: [UInt8]) -> String {
        let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let symbols = bytes.map { letters[Int($0 % 32)] }
        return stride(from: 0, to: symbols.count, by: 4)
            .map { String(symbols[$0..<min($0 + 4, symbols.count)]) }
            .joined(separator: "-")
    }

    /// The code as it is compared: upper case, without what people put between, look-alikes read as meant.
    package static func normalizedCode(_ code: String) -> String {
        String(
            code.uppercased().compactMap { character -> Character? in
                switch character {
                case "-", " ", "\n": nil
                case "O": "0"
                case "I", "L": "1"
                default: character
                }
            })
    }

    /// What is kept of a secret that only has to be recognised. Secrets have 80 bits and more, so one pass is enough.
    package static func hash(_ secret: some StringProtocol) -> [UInt8] {
        Array(SHA256.hash(data: Data(secret.utf8)))
    }
}
