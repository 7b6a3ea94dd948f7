/// Every setting by its name in the YAML file, from which its variable's name follows.
package enum ConfigKey: String, CaseIterable, Sendable {
    case data
    case listen
    case publicUrl
    case trustedProxies
    case registration
    case tlsCertificate = "tls.certificate"
    case tlsKey = "tls.key"
    case metricsListen = "metrics.listen"
    case logLevel = "log.level"
    case logFormat = "log.format"
    case minFree
    case quota
    case maxItems
    case versions
    case feed
    case feedFollow = "feed.follow"
    case feedFanOut = "feed.fanOut"
    case maxConnections
    case idleTimeout
    case existing

    /// `tls.certificate` → `BOTHY_TLS_CERTIFICATE`.
    package var variable: String {
        rawValue.reduce(into: "BOTHY_") { name, letter in
            if letter == "." {
                name += "_"
            } else if letter.isUppercase {
                name += "_\(letter)"
            } else {
                name += letter.uppercased()
            }
        }
    }

    /// The known name that an unknown one was probably meant to be; nil when none is near.
    package static func nearest(to name: String, among names: [String]) -> String? {
        let near = names.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
        guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= max(2, name.count / 3) else {
            return nil
        }
        return best.name
    }

    /// Levenshtein's distance, by rows.
    private static func editDistance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let substitution = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
