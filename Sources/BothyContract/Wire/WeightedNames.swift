/// What a client takes, as `Accept-Encoding` and `A-IM` list it: names with weights, `gzip;q=0.5, zstd` (RFC 9110 §12.4.2).
package struct WeightedNames: Sendable {
    /// In lower case, in their order.
    private var names = [(name: String, weight: Double)]()

    /// - Parameter header: nil where there is none.
    package init(_ header: String?) {
        for item in (header ?? "").split(separator: ",") {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false).map {
                $0.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            names.append((name, weight))
        }
    }

    /// - Returns: nil for what is not named; 0 for what is refused.
    package func weight(of name: String) -> Double? { names.first { $0.name == name }?.weight }

    /// Whether it is named, and not refused.
    package func take(_ name: String) -> Bool { weight(of: name) ?? 0 > 0 }

    /// Whether both are taken, one before the other.
    package func take(_ first: String, before second: String) -> Bool {
        guard take(first), take(second), let place = names.firstIndex(where: { $0.name == second }) else {
            return false
        }
        return names[..<place].contains { $0.name == first }
    }
}
