import BothyContract
import Crypto
import CryptoExtras
import Foundation

/// What scrypt costs (RFC 7914): kept beside each hash, so that it can be raised without a sign-out.
package struct ScryptCost: Hashable, Sendable {
    /// The base-2 logarithm of N.
    package var logRounds: Int
    package var blockSize: Int
    package var parallelism: Int

    package init(logRounds: Int, blockSize: Int, parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 32 MiB and three passes: one of the settings that OWASP's Password Storage Cheat Sheet takes as equal.
    package static let standard = ScryptCost(logRounds: 15, blockSize: 8, parallelism: 3)
}

/// A password's hash, written `scrypt$15$8$3$<salt>$<key>` with salt and key in base 64.
package struct PasswordHash: Hashable, Sendable {
    package let cost: ScryptCost
    package let salt: [UInt8]
    package let key: [UInt8]

    package static let saltLength = 16
    package static let keyLength = 32

    /// Takes ~100 ms and ``ScryptCost`` memory: call it off the threads that serve requests.
    package init(password: String, salt: [UInt8], cost: ScryptCost) throws {
        self.cost = cost
        self.salt = salt
        self.key = try Self.derive(password, salt, cost)
    }

    /// A hash that no password has: comparing with it takes as long as with any other.
    package init(decoyOf cost: ScryptCost, random: SecretBytes) {
        self.cost = cost
        self.salt = random(Self.saltLength)
        self.key = random(Self.keyLength)
    }

    package init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt",
            let logRounds = Int(parts[1]), let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
            let salt = Data(base64Encoded: String(parts[4])), let key = Data(base64Encoded: String(parts[5]))
        else { return nil }
        self.cost = ScryptCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        self.salt = Array(salt)
        self.key = Array(key)
    }

    package var text: String {
        let salt = Data(salt).base64EncodedString()
        let key = Data(key).base64EncodedString()
        return "scrypt$\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)$\(salt)$\(key)"
    }

    /// Compares in constant time. As slow as making the hash.
    package func matches(_ password: String) throws -> Bool {
        let other = try Self.derive(password, salt, cost)
        guard other.count == key.count else { return false }
        return zip(other, key).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The password after NFC: the same letters typed on another keyboard are the same password.
    private static func derive(_ password: String, _ salt: [UInt8], _ cost: ScryptCost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: keyLength,
            rounds: 1 << cost.logRounds, blockSize: cost.blockSize, parallelism: cost.parallelism)
        return key.withUnsafeBytes { Array($0) }
    }
}
