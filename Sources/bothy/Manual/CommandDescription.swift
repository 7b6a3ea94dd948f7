/// A command as ArgumentParser describes it (`--experimental-dump-help`), as far as the manual needs it.
struct CommandDescription: Decodable {
    struct Tool: Decodable {
        var command: CommandDescription
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        var kind: String
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var defaultValue: String?

        /// `-y, --yes`, `--to <to>`, `<paths> ...`
        var synopsis: String {
            let value = "<\(valueName ?? "value")>"
            guard let names, !names.isEmpty else { return value + (isRepeating ? " ..." : "") }
            let shortFirst = names.filter { $0.kind == "short" } + names.filter { $0.kind != "short" }
            return shortFirst.map(\.text).joined(separator: ", ") + (kind == "option" ? " " + value : "")
        }
    }

    var commandName: String
    var shouldDisplay: Bool
    var abstract: String?
    var discussion: String?
    var superCommands: [String]?
    var subcommands: [CommandDescription]?
    var arguments: [Argument]?

    /// `bothy transfers pause`
    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// Itself and every command below it that is shown, in order.
    var all: [CommandDescription] {
        [self] + (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap(\.all)
    }
}
