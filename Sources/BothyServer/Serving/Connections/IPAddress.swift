import Foundation
import NIOCore

/// An IP address in its 16 bytes; an IPv4 address lies in `::ffff:0:0/96`.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]
    package let isIPv4: Bool

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    package init?(text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(Self.mapped + withUnsafeBytes(of: &four) { Array($0) })
            return
        }
        var six = in6_addr()
        // An interface («%eth0») is no part of the address.
        let plain = String(text.prefix { $0 != "%" })
        guard inet_pton(AF_INET6, plain, &six) == 1 else { return nil }
        self.init(withUnsafeBytes(of: &six) { Array($0) })
    }

    package init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(text: text)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.isIPv4 = bytes.starts(with: Self.mapped)
    }

    package var isLoopback: Bool {
        isIPv4 ? bytes[12] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// What belongs to one customer of one network: the address itself, or the /64 of an IPv6 address.
    package var network: String {
        if isIPv4 { return bytes[12...].map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }
}

extension IPAddress {
    /// What one customer may have many networks of: of an IPv6 network its /48; an IPv4 address is one by itself.
    ///
    /// - Parameter network: as ``network`` writes it; anything else stays as it is.
    package static func site(ofNetwork network: String) -> String {
        guard network.hasSuffix("::/64") else { return network }
        return network.split(separator: ":").prefix(3).joined(separator: ":") + "::/48"
    }
}

/// A block of addresses: `10.0.0.0/8`, `fd00::/8`, or one address.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    private let address: IPAddress
    /// Bits of the 128 that count.
    private let length: Int

    /// - Returns: nil for what is no address or block.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(text: String(parts[0])) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        guard let bits = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(bits) else { return nil }
        self.description = text
        self.address = address
        self.length = bits + 128 - width
    }

    package func contains(_ other: IPAddress) -> Bool {
        for index in 0..<16 {
            let bits = min(max(length - index * 8, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            if (address.bytes[index] ^ other.bytes[index]) & mask != 0 { return false }
        }
        return true
    }
}
