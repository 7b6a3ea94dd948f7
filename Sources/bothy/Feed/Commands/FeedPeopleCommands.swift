import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed people`
struct FeedPeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List the people on this server, and show whom you follow.")

    @Argument(help: "The beginning of a name or handle. Default: everybody.")
    var query: String?

    @Option(help: "Only one group: \(PersonRelation.allCases.map(\.rawValue).joined(separator: ", ")).")
    var only: PersonRelation?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            var table = Table([
                .init("NAME"), .init("HANDLE"), .init("YOU FOLLOW"), .init("FOLLOWS YOU"), .init("NUMBER"),
            ])
            for person in try await PersonArgument.all(matching: query, only, in: home) {
                if output.json {
                    try output.print(person)
                    continue
                }
                table.add([
                    person.name + (person.isYou ? " (you)" : ""), "@" + person.handle,
                    person.following ? "yes" : person.requested == true ? "asked" : "",
                    person.followsYou ? "yes" : "", String(person.id),
                ])
            }
            output.print(table)
        }
    }
}

/// What `bothy feed follow` and `bothy feed unfollow` share.
struct PeopleOptions: ParsableArguments {
    @Argument(help: "People, as @handle, by name or by number, as “bothy feed people” shows them.")
    var people: [String]

    @OptionGroup var output: OutputOptions

    func setFollowing(_ isFollowing: Bool) async throws {
        try await Home.using { home in
            let ending = try await FeedEnding(output: output, after: home)
            for argument in people {
                var person = try await PersonArgument.find(argument, in: home)
                let isDone = try await home.people.setFollowing(isFollowing, person.id)
                person.following = isFollowing && isDone
                person.requested = isDone ? nil : true
                try output.tell(
                    !isFollowing
                        ? "You no longer follow \(person.name)."
                        : isDone
                            ? "You follow \(person.name) now."
                            : "You have asked to follow \(person.name). You follow once they accept.", person)
            }
            if try await ending.tellWhatWaits(home) { throw Finished(status: .queued) }
        }
    }
}

/// `bothy feed follow`
struct FeedFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow people: their posts appear in your feed.")

    @OptionGroup var options: PeopleOptions

    func run() async throws { try await options.setFollowing(true) }
}

/// `bothy feed unfollow`
struct FeedUnfollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfollow", abstract: "Unfollow people: their posts leave your feed.")

    @OptionGroup var options: PeopleOptions

    func run() async throws { try await options.setFollowing(false) }
}

extension PersonRelation: ExpressibleByArgument {}
