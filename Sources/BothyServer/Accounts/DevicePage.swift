import BothyContract
import Foundation

/// Where a page of devices begins: after a device, in the order of their ids, which never change.
package struct DevicePage: Hashable, Sendable {
    package let after: String

    init(after: String) { self.after = after }

    /// - Throws: ``Problem`` `page_invalid` for what no answer held.
    package init(text: String) throws {
        let padded =
            text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), data.count <= 64, let after = String(data: data, encoding: .utf8),
            !after.contains("\0")
        else {
            throw Problem(.pageInvalid, "This is not a page of the list of devices. Start without “page”.")
        }
        self.after = after
    }

    var text: String { SecretText.base64URL(after.utf8) }
}
