import ArgumentParser

/// What a person probably meant with words that no command takes.
enum UsageHint {
    /// Letters that may be wrong in a command's name for it to be guessed.
    private static let mostWrong = 2
    private static let takesFolders: Set = ["put", "get", "cp", "mv", "rm"]

    static var commands: [String] {
        Bothy.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// - Parameter arguments: what was typed after `bothy`.
    /// - Returns: a sentence that says it better than the parser does; nil where that one says it best.
    static func words(for arguments: [String], commands: [String] = commands) -> String? {
        guard let typed = arguments.first, !typed.hasPrefix("-"), typed != "help" else { return nil }
        guard commands.contains(typed) else {
            let near = commands.map { (name: $0, wrong: distance(typed, $0)) }.min { $0.wrong < $1.wrong }
            let isClose = near.map { $0.wrong <= mostWrong && $0.wrong < typed.count } ?? false
            let guess = isClose ? near.map { " Did you mean “\($0.name)”?" } ?? "" : ""
            return "There is no command “\(typed)”.\(guess)"
        }
        if typed == ServerCommand.configuration.commandName, let words = wordsForServer(arguments.dropFirst().first) {
            return words
        }
        let recursive = arguments.prefix { $0 != "--" }.first { ["-r", "-R", "--recursive"].contains($0) }
        guard let recursive, takesFolders.contains(typed) else { return nil }
        return "Folders always include their content: leave out “\(recursive)”."
    }

    /// A command for accounts that was typed without the word before it: `bothy server reset-password`.
    private static func wordsForServer(_ typed: String?) -> String? {
        guard let typed, !typed.hasPrefix("-"), typed != "help",
            !ServerCommand.configuration.subcommands.contains(where: { $0._commandName == typed })
        else { return nil }
        let isAccounts = UserCommand.configuration.subcommands.contains { $0._commandName == typed }
        return "There is no command “server \(typed)”." + (isAccounts ? " Did you mean “server user \(typed)”?" : "")
    }

    /// How many letters have to be added, left out or changed (Levenshtein 1966).
    static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (number, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for (column, target) in other.enumerated() {
                let change = diagonal + (letter == target ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
