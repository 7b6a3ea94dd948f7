/// A `Range` of one part over content of a known size (RFC 9110 §14).
package enum ByteRange {
    package enum Wish: Equatable, Sendable {
        /// No range, several, or one that cannot be read: the whole content is the answer.
        case whole
        case part(Range<Int64>)
        /// Nothing of it lies in the content.
        case unsatisfiable
    }

    package static func read(_ header: String?, size: Int64) -> Wish {
        let prefix = "bytes="
        guard let header, header.lowercased().hasPrefix(prefix) else { return .whole }
        let spec = header.dropFirst(prefix.count).filter { $0 != " " && $0 != "\t" }
        guard !spec.contains(","), let dash = spec.firstIndex(of: "-") else { return .whole }
        let before = spec[..<dash]
        let after = spec[spec.index(after: dash)...]
        if before.isEmpty { return suffix(number(after), size: size) }
        guard let first = number(before) else { return .whole }
        if after.isEmpty { return first < size ? .part(first..<size) : .unsatisfiable }
        guard let last = number(after), first <= last else { return .whole }
        return first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
    }

    private static func suffix(_ length: Int64?, size: Int64) -> Wish {
        guard let length else { return .whole }
        guard length > 0, size > 0 else { return .unsatisfiable }
        return .part(max(0, size - length)..<size)
    }

    /// Digits only; a number past 63 bits is as good as the greatest.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }
}
