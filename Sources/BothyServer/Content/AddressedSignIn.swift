/// The sign-in of a device that a signed address was made for. The address ends when the sign-in does.
package struct AddressedSignIn: Hashable, Sendable {
    package var userId: Int64
    package var deviceId: String
    /// The number of the sign-in among those of its device.
    package var session: Int64

    package init(userId: Int64, deviceId: String, session: Int64) {
        self.userId = userId
        self.deviceId = deviceId
        self.session = session
    }

    /// - Returns: nil for a caller that came by no sign-in: an import, or a test.
    package init?(_ caller: Caller) {
        guard let session = caller.session else { return nil }
        self.init(userId: caller.userId, deviceId: caller.deviceId, session: session)
    }

    /// Reads what ``text`` wrote.
    ///
    /// - Returns: nil for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let userId = Int64(parts[0]), let session = Int64(parts[2]), !parts[1].isEmpty,
            parts[1].utf8.allSatisfy(Self.isOfAnId)
        else { return nil }
        self.init(userId: userId, deviceId: String(parts[1]), session: session)
    }

    /// As an address names it: `<user>.<device>.<session>`.
    package var text: String { "\(userId).\(deviceId).\(session)" }

    private static func isOfAnId(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
