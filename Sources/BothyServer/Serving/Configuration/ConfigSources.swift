import Foundation
import Yams

/// Reads the configuration: one YAML file, then `BOTHY_…` variables, then flags, each stronger than the one before.
package struct ConfigSources: Sendable {
    /// Variables with our prefix that are not the server's.
    private static let otherVariables: Set<String> = [
        Self.fileVariable, "BOTHY_HOME", "BOTHY_AGENT", "BOTHY_PASSWORD", "BOTHY_SERVER", "BOTHY_LIMIT_RATE",
        "BOTHY_BIN", "BOTHY_CA_FILE",
    ]
    /// Prefixes that belong to the project's own tests and scripts.
    private static let otherPrefixes = ["BOTHY_TEST_", "BOTHY_BENCH_", "BOTHY_CI_", "BOTHY_DEMO_"]
    package static let fileVariable = "BOTHY_CONFIG"
    /// A configuration is some lines; this is room for many more.
    private static let largestFile = 1 << 20

    private let file: String?
    private let environment: [String: String]
    private let flags: [(key: ConfigKey, value: String)]

    /// - Parameter file: the YAML file; `BOTHY_CONFIG` where nil, and none at all where that is not set.
    package init(file: String?, environment: [String: String], flags: [(key: ConfigKey, value: String)]) {
        self.file = file ?? environment[Self.fileVariable]
        self.environment = environment
        self.flags = flags
    }

    /// - Throws: ``ServerFault`` that names an unknown key, and the known one that is nearest to it.
    package func read() throws -> ServerConfig {
        var config = ServerConfig()
        if let file { try Self.apply(try Self.contents(file), named: file, to: &config) }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where isOurs(name) {
            guard let key = ConfigKey.allCases.first(where: { $0.variable == name }) else {
                throw Self.unknown(name, in: "the environment", among: ConfigKey.allCases.map(\.variable))
            }
            try config.set(key, value, source: name)
        }
        for flag in flags { try config.set(flag.key, flag.value, source: "given on the command line") }
        return try config.checked()
    }

    private func isOurs(_ name: String) -> Bool {
        name.hasPrefix("BOTHY_") && !Self.otherVariables.contains(name)
            && !Self.otherPrefixes.contains { name.hasPrefix($0) }
    }

    private static func contents(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServerFault(.usage, "The configuration \(path) does not exist, or cannot be read.")
        }
        guard data.count <= largestFile, let text = String(data: data, encoding: .utf8) else {
            throw ServerFault(.usage, "The configuration \(path) is not YAML in UTF-8, or is larger than 1 MiB.")
        }
        return text
    }

    static func apply(_ text: String, named file: String, to config: inout ServerConfig) throws {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw ServerFault(.usage, "The configuration \(file) is not YAML: \(error)")
        }
        guard let root, root.null == nil || root.mapping != nil else { return }
        guard let mapping = root.mapping else {
            throw ServerFault(
                .usage, "The configuration \(file) is not a list of settings, such as “listen: 127.0.0.1:8420”.")
        }
        try apply(mapping, prefix: "", file, to: &config)
    }

    private static func apply(_ mapping: Node.Mapping, prefix: String, _ file: String, to config: inout ServerConfig)
        throws
    {
        for (keyNode, value) in mapping {
            let name = prefix + (keyNode.string ?? "")
            let place = file + (keyNode.mark.map { ", line \($0.line)" } ?? "")
            if let section = value.mapping,
                ConfigKey.allCases.contains(where: { $0.rawValue.hasPrefix(name + ".") })
            {
                try apply(section, prefix: name + ".", file, to: &config)
            } else if let key = ConfigKey(rawValue: name) {
                guard let text = scalar(value) else {
                    throw ServerFault(.usage, "“\(name)” is one value or a list of them (\(place)).")
                }
                try config.set(key, text, source: place)
            } else {
                throw unknown(name, in: place, among: ConfigKey.allCases.map(\.rawValue))
            }
        }
    }

    private static func scalar(_ node: Node) -> String? {
        if let sequence = node.sequence {
            let values = sequence.compactMap(\.scalar?.string)
            return values.count == sequence.count ? values.joined(separator: ",") : nil
        }
        return node.scalar?.string
    }

    private static func unknown(_ name: String, in place: String, among names: [String]) -> ServerFault {
        let hint = ConfigKey.nearest(to: name, among: names).map { " Did you mean “\($0)”?" } ?? ""
        return ServerFault(.usage, "“\(name)” is not a setting of Bothy (\(place)).\(hint)")
    }
}
