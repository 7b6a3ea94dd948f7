import BothyPresentation
import Hummingbird
import NIOCore

/// What a form sent, as `application/x-www-form-urlencoded` (WHATWG URL §5.1).
struct FormBody: Sendable {
    /// Bytes of a form; names of a few thousand chosen files fit.
    private static let largest = 512 << 10
    /// The same of somebody who is not signed in, of whom there may be thousands at once.
    private static let largestOfStranger = 16 << 10
    private static let mostFields = 20_000

    private let fields: [(name: String, value: String)]

    init(_ text: String) {
        fields = text.split(separator: "&").prefix(Self.mostFields).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    static func read(_ visit: Visit) async throws -> FormBody {
        let limit = visit.account == nil ? largestOfStranger : largest
        return FormBody(String(buffer: try await visit.request.body.collect(upTo: limit)))
    }

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The page that it was sent from, to come back to; nil where it names no page of this app.
    var from: String? { self["from"].flatMap { Destination(link: $0) == nil ? nil : $0 } }

    private static func decoded(_ text: Substring) -> String {
        var bytes = [UInt8]()
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                if digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
