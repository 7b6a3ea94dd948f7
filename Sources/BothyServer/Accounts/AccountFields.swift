import BothyContract
import Foundation

/// The bounds of what people say of themselves and their devices.
enum AccountFields {
    static func checkedPassword(_ password: String) throws {
        let bounds = AccountLimits.passwordLength
        guard bounds.contains(password.utf8.count) else {
            throw Problem(
                .weakPassword,
                "A password has \(bounds.lowerBound) to \(bounds.upperBound) bytes; this one has \(password.utf8.count)."
            )
        }
    }

    static func displayName(_ name: String) throws -> String {
        try text(name, "displayName", AccountLimits.displayNameLength)
    }

    static func device(_ device: DeviceDescription) throws -> DeviceDescription {
        DeviceDescription(
            name: try text(device.name, "device.name", AccountLimits.deviceNameLength),
            platform: try text(device.platform, "device.platform", AccountLimits.deviceNameLength))
    }

    /// - Parameter bounds: bytes of UTF-8, blanks at the ends left out.
    private static func text(_ text: String, _ field: String, _ bounds: ClosedRange<Int>) throws -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = trimmed.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard bounds.contains(trimmed.utf8.count), isPlain else {
            throw Problem(
                .invalidParameter,
                "“\(field)” has \(bounds.lowerBound) to \(bounds.upperBound) bytes and no control characters.")
        }
        return trimmed
    }
}
