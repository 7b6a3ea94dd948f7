import ArgumentParser
import BothyClient
import BothyContract

/// What the commands share that do something to people and say so.
struct PeopleActing: ParsableArguments {
    @Argument(help: "People, as @handle, by name or by number, as “bothy feed people” shows them.")
    var people: [String]

    @OptionGroup var output: OutputOptions

    /// - Parameters:
    ///   - relation: among whom they are looked for; nil for everybody.
    ///   - words: what is said, from the name.
    func act(
        among relation: PersonRelation? = nil, _ act: (any PeopleRepository, Int64) async throws -> Void,
        words: (String) -> String
    ) async throws {
        try await Home.using { home in
            for argument in people {
                let person = try await PersonArgument.find(argument, among: relation, in: home)
                try await act(home.people, person.id)
                try output.tell(words(person.name), PersonDone(id: person.id, handle: person.handle))
            }
        }
    }

    private struct PersonDone: Encodable {
        var id: Int64
        var handle: String
    }
}

/// `bothy feed mute`
struct FeedMuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Keep what people post out of your feed; they are not told.")

    @Flag(help: "Mute them no more.")
    var remove = false

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        let isMuted = !remove
        try await acting.act {
            try await $0.setMuted(isMuted, $1)
        } words: {
            isMuted ? "What \($0) posts stays out of your feed." : "\($0) is not muted any more."
        }
    }
}

/// `bothy feed block`
struct FeedBlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Hide yourself and somebody from each other, everywhere.",
        discussion:
            "What you follow of each other ends. “bothy feed people --only blocked” lists whom you have blocked.")

    @Flag(help: "Block them no more.")
    var remove = false

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        let isBlocked = !remove
        try await acting.act(among: remove ? .blocked : nil) {
            try await $0.setBlocked(isBlocked, $1)
        } words: {
            isBlocked ? "You and \($0) do not see each other any more." : "\($0) is not blocked any more."
        }
    }
}

/// `bothy feed accept`
struct FeedAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Let people follow you who have asked to.",
        discussion: "“bothy feed people --only requests” lists who has asked.")

    @Flag(help: "Deny it; they are not told.")
    var deny = false

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        let isAccepted = !deny
        try await acting.act(among: .requests) {
            try await $0.answer(isAccepted, to: $1)
        } words: {
            isAccepted ? "\($0) follows you now." : "\($0) does not follow you."
        }
    }
}

/// `bothy feed remove-follower`
struct FeedRemoveFollowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-follower", abstract: "Have people follow you no more; they are not told.")

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        try await acting.act {
            try await $0.remove(follower: $1)
        } words: {
            "\($0) does not follow you any more."
        }
    }
}

/// `bothy feed report`
struct FeedReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Tell whoever runs the server of a post; its author is not told.")

    @Argument(help: "A post, by its digits as “bothy feed” shows them.")
    var post: String

    @Argument(help: "What is wrong with it, up to 500 characters.")
    var reason: String

    @OptionGroup var output: OutputOptions

    private struct Reported: Encodable {
        var post: Int64
        var reported = true
    }

    func run() async throws {
        try await Home.using { home in
            let id = try await PostArgument.find(post, in: home)
            try await home.people.report(id, because: reason)
            try output.tell("Whoever runs the server will look at it.", Reported(post: id))
        }
    }
}
