import Crypto
import Foundation

/// Marks on forms, so that a form counts only where this app gave it to this browser (CSRF).
struct FormTokens: Sendable {
    private let key: SymmetricKey

    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("form token".utf8), outputByteCount: 32)
    }

    /// - Parameters:
    ///   - visit: the browser's mark.
    ///   - account: who is signed in: a token from before is none after.
    func token(visit: String, account: String?) -> String {
        Self.hex(HMAC<SHA256>.authenticationCode(for: Self.signed(visit, account), using: key))
    }

    func isGood(_ token: String, visit: String, account: String?) -> Bool {
        guard let code = Self.bytes(token) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.signed(visit, account), using: key)
    }

    /// A new mark for a browser.
    static func newVisit() -> String {
        SymmetricKey(size: .bits128).withUnsafeBytes { hex($0) }
    }

    /// What a mark looks like.
    static func isVisit(_ text: String) -> Bool { text.utf8.count == 32 && bytes(text) != nil }

    private static func signed(_ visit: String, _ account: String?) -> Data {
        Data("\(visit)\n\(account ?? "-")".utf8)
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 128 else { return nil }
        var bytes = [UInt8]()
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
