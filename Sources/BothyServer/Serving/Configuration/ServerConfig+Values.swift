import Foundation
import Logging

extension ServerConfig {
    /// Sets one value from its text, as it stands in a file, a variable or a flag.
    ///
    /// - Parameter source: where it stands, for a person: `bothy.yaml, line 3`.
    /// - Throws: ``ServerFault`` `usage` that names the setting, the value, and what would do.
    package mutating func set(_ key: ConfigKey, _ text: String, source: String) throws {
        func refuse(_ wanted: String) -> ServerFault {
            ServerFault(.usage, "“\(key.rawValue)” cannot be “\(text)” (\(source)): \(wanted).")
        }
        switch key {
        case .data:
            guard !text.isEmpty else { throw refuse("name a folder") }
            data = text
        case .listen: listen = try Self.address(text, refuse)
        case .metricsListen:
            let address = try Self.address(text, refuse)
            guard address.isLoopback else {
                throw refuse("metrics are served on this machine only, such as 127.0.0.1:9420")
            }
            metricsListen = address
        case .publicUrl: publicURL = try Self.publicURL(text, refuse)
        case .trustedProxies:
            trustedProxies = try text.split(whereSeparator: { $0 == "," || $0 == " " }).map {
                guard let network = IPNetwork(text: String($0)) else {
                    throw refuse("“\($0)” is not an address or block such as 10.0.0.0/8")
                }
                return network
            }
        case .registration:
            guard let policy = RegistrationPolicy(rawValue: text) else {
                throw refuse(Self.oneOf(RegistrationPolicy.allCases))
            }
            registration = policy
        case .tlsCertificate: tls = TLSFiles(certificate: text, key: tls?.key ?? "")
        case .tlsKey: tls = TLSFiles(certificate: tls?.certificate ?? "", key: text)
        case .logLevel:
            guard let level = Logger.Level(rawValue: text) else { throw refuse(Self.oneOf(Logger.Level.allCases)) }
            logLevel = level
        case .logFormat:
            guard let format = LogFormat(rawValue: text) else { throw refuse(Self.oneOf(LogFormat.allCases)) }
            logFormat = format
        case .minFree: minFree = try Self.bytes(text, refuse)
        case .quota: quota = text == "none" ? nil : try Self.bytes(text, refuse)
        case .maxItems:
            maxItems = text == "none" ? nil : Int64(try Self.number(text, 1...1_000_000_000, refuse))
        case .versions:
            let thinning = VersionThinning(text: text)
            guard thinning != nil || text == "all" else {
                throw refuse("“all”, or three numbers of days such as 30, 90, 365: all, one a day, one a week")
            }
            versions = thinning
        case .feed:
            guard let isOn = ["on": true, "off": false, "true": true, "false": false][text] else {
                throw refuse("on or off")
            }
            feed = isOn
        case .feedFollow: feedFollow = text == "none" ? 0 : try Self.number(text, 0...1_000, refuse)
        case .feedFanOut: feedFanOut = try Self.number(text, 0...1_000_000, refuse)
        case .maxConnections: maxConnections = try Self.number(text, 1...100_000, refuse)
        case .idleTimeout: idleTimeout = try Self.number(text, 1...3_600, refuse)
        case .existing:
            guard let flag = ["true": true, "false": false, "1": true, "0": false][text] else {
                throw refuse("true or false")
            }
            existing = flag
        }
    }

    /// What only the whole can tell.
    package func checked() throws -> ServerConfig {
        if let tls, tls.certificate.isEmpty || tls.key.isEmpty {
            let missing = tls.certificate.isEmpty ? "tls.certificate" : "tls.key"
            throw ServerFault(.usage, "TLS needs a certificate and its key: “\(missing)” is not set.")
        }
        return self
    }

    /// The settings as YAML; a setting that has no value is left out. There is no secret among them.
    package var yaml: String {
        var lines: [String] = []
        for key in ConfigKey.allCases {
            guard let value = value(key) else { continue }
            lines.append("\(key.rawValue): \(value)")
        }
        return Self.nested(lines)
    }

    private func value(_ key: ConfigKey) -> String? {
        switch key {
        case .data: Self.quoted(data)
        case .listen: Self.quoted(listen.description)
        case .publicUrl: publicURL.map(Self.quoted)
        case .trustedProxies:
            trustedProxies.isEmpty
                ? nil : "[" + trustedProxies.map { Self.quoted($0.description) }.joined(separator: ", ") + "]"
        case .registration: registration.rawValue
        case .tlsCertificate: tls.map { Self.quoted($0.certificate) }
        case .tlsKey: tls.map { Self.quoted($0.key) }
        case .metricsListen: metricsListen.map { Self.quoted($0.description) }
        case .logLevel: logLevel.rawValue
        case .logFormat: logFormat.rawValue
        case .minFree: String(minFree)
        case .quota: quota.map { String($0) }
        case .maxItems: maxItems.map { String($0) } ?? "none"
        case .versions: versions.map { "[\($0)]" } ?? "all"
        // A file that has a section of this name turns nothing off.
        case .feed: feed ? nil : "off"
        case .feedFollow: feed ? feedFollow == 0 ? "none" : String(feedFollow) : nil
        case .feedFanOut: feed ? String(feedFanOut) : nil
        case .maxConnections: String(maxConnections)
        case .idleTimeout: String(idleTimeout)
        case .existing: String(existing)
        }
    }

    /// `tls.key: x` under a `tls:` of its own.
    private static func nested(_ lines: [String]) -> String {
        var section: Substring?
        var text = ""
        for line in lines {
            let name = line.prefix { $0 != ":" }
            guard let dot = name.firstIndex(of: ".") else {
                section = nil
                text += line + "\n"
                continue
            }
            if section != name[..<dot] { text += "\(name[..<dot]):\n" }
            section = name[..<dot]
            text += "  \(line[line.index(after: dot)...])\n"
        }
        return text
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }

    private static func oneOf<Choice: RawRepresentable<String>>(_ choices: [Choice]) -> String {
        "one of " + choices.map(\.rawValue).joined(separator: ", ")
    }

    private static func address(_ text: String, _ refuse: (String) -> ServerFault) throws -> ListenAddress {
        guard let address = ListenAddress(text: text) else {
            throw refuse("HOST:PORT, such as 127.0.0.1:8420 or [::]:8420")
        }
        return address
    }

    private static func bytes(_ text: String, _ refuse: (String) -> ServerFault) throws -> Int64 {
        guard let bytes = ByteCount.parse(text) else { throw refuse("a number of bytes, such as 10 GiB") }
        return bytes
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>, _ refuse: (String) -> ServerFault) throws
        -> Int
    {
        guard let number = Int(text), range.contains(number) else {
            throw refuse("a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func publicURL(_ text: String, _ refuse: (String) -> ServerFault) throws -> String {
        guard let url = URLComponents(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, url.user == nil, url.query == nil, url.fragment == nil,
            ["", "/"].contains(url.path)
        else { throw refuse("an address such as https://bothy.example.org, with nothing after the host") }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
