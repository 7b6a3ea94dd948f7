import BothyContract

/// A locally unique id: what screens, selections and operations name a thing by, on this device, from the moment it
/// exists here and for good. Whether the server has the thing yet changes nothing about it.
///
/// After «Building Carousel, Part I» (Poletto, Dropbox, 2014).
public struct LUID: Hashable, Comparable, Codable, Sendable {
    /// 1 is the root.
    public let value: Int64

    package init(_ value: Int64) { self.value = value }

    /// The root folder's, on every device.
    public static let root = LUID(1)

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension LUID: CustomStringConvertible {
    public var description: String { "#\(value)" }
}

extension File {
    /// The server does not have it yet: it was made here, and is named by its LUID.
    public var isOnlyHere: Bool { id.hasPrefix("#") }
}

extension LUID {
    /// What screens of this device name it by.
    package var item: ItemID { self == .root ? .root : ItemID(String(value)) }

    /// - Returns: nil for an id that is none of this device's.
    package init?(_ item: ItemID) {
        if item == .root {
            self = .root
        } else if let value = Int64(item.text), value > 0, String(value) == item.text {
            self.init(value)
        } else {
            return nil
        }
    }
}

/// What kind of thing a LUID stands for; it decides how a server object is known again.
public enum LUIDKind: String, Codable, Sendable {
    /// Known again by the request that made it, or by content, folder and name.
    case file
    /// Known again by the request that made it, or by its content wherever it lies.
    case photo
    /// Known again by the answer to the request that made them.
    case post, comment
    /// Made by nobody here.
    case person
}
