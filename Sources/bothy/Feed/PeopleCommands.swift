import ArgumentParser
import BothyClient
import BothyContract

/// `bothy people`
struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List who has an account on the server, and whom you follow.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            var table = Table([.init("NAME"), .init("YOU FOLLOW"), .init("FOLLOWS YOU"), .init("NUMBER")])
            for person in try await PersonArgument.all(in: home) {
                if output.json {
                    try output.print(person)
                    continue
                }
                table.add([
                    person.name + (person.isYou ? " (you)" : ""), person.following ? "yes" : "",
                    person.followsYou ? "yes" : "", String(person.id),
                ])
            }
            output.print(table)
        }
    }
}

/// `bothy follow`
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Have what people post in your feed, or no more.")

    @Argument(help: "People, by name or number as “bothy people” shows them.")
    var people: [String]

    @Flag(help: "Follow them no more.")
    var remove = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            for argument in people {
                var person = try await PersonArgument.find(argument, in: home)
                try await home.people.setFollowing(!remove, person.id)
                person.following = !remove
                try output.tell(
                    remove
                        ? "What \(person.name) posts does not come into your feed any more."
                        : "What \(person.name) posts comes into your feed from now on.", person)
            }
        }
    }
}
