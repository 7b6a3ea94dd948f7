import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed people`
struct FeedPeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List the people on this server, and whom you follow.")

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

/// What `bothy feed follow` and `bothy feed unfollow` share.
struct PeopleOptions: ParsableArguments {
    @Argument(help: "People, by name or number as “bothy feed people” shows them.")
    var people: [String]

    @OptionGroup var output: OutputOptions

    func setFollowing(_ isFollowing: Bool) async throws {
        try await Home.using { home in
            for argument in people {
                var person = try await PersonArgument.find(argument, in: home)
                try await home.people.setFollowing(isFollowing, person.id)
                person.following = isFollowing
                try output.tell(
                    isFollowing ? "You follow \(person.name) now." : "You no longer follow \(person.name).", person)
            }
        }
    }
}

/// `bothy feed follow`
struct FeedFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow people: what they post is in your feed.")

    @OptionGroup var options: PeopleOptions

    func run() async throws { try await options.setFollowing(true) }
}

/// `bothy feed unfollow`
struct FeedUnfollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfollow", abstract: "Stop following people: what they post leaves your feed.")

    @OptionGroup var options: PeopleOptions

    func run() async throws { try await options.setFollowing(false) }
}
