/// Prometheus' text exposition format, version 0.0.4.
package struct PrometheusText: Sendable {
    package struct Gauge: Sendable {
        package var name: String
        package var help: String
        package var value: Double

        package init(_ name: String, _ help: String, _ value: Double) {
            self.name = name
            self.help = help
            self.value = value
        }
    }

    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func describe(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func add(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        let number = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        text += list.isEmpty ? "\(name) \(number)\n" : "\(name){\(list)} \(number)\n"
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for character in value {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}
