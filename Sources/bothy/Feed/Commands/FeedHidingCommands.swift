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
        commandName: "mute", abstract: "Mute people: hide their posts from your feed. They are not notified.")

    @Flag(help: "Unmute them.")
    var remove = false

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        let isMuted = !remove
        try await acting.act {
            try await $0.setMuted(isMuted, $1)
        } words: {
            isMuted ? "\($0) is muted. Their posts no longer appear in your feed." : "\($0) is no longer muted."
        }
    }
}

/// `bothy feed block`
struct FeedBlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block people: you and they no longer see each other anywhere.",
        discussion:
            "You also stop following each other. “bothy feed people --only blocked” lists the people you have blocked.")

    @Flag(help: "Unblock them.")
    var remove = false

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        let isBlocked = !remove
        try await acting.act(among: remove ? .blocked : nil) {
            try await $0.setBlocked(isBlocked, $1)
        } words: {
            isBlocked ? "\($0) is blocked. You no longer see each other." : "\($0) is no longer blocked."
        }
    }
}

/// `bothy feed accept`
struct FeedAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept or deny follow requests.",
        discussion: "“bothy feed people --only requests” lists the requests.")

    @Flag(help: "Deny the request; they are not notified.")
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
        commandName: "remove-follower", abstract: "Remove followers; they are not notified.")

    @OptionGroup var acting: PeopleActing

    func run() async throws {
        try await acting.act {
            try await $0.remove(follower: $1)
        } words: {
            "\($0) no longer follows you."
        }
    }
}

/// `bothy feed report`
struct FeedReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Report a post to the server's administrator; its author is not notified.")

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
            try output.tell("The server's administrator will look at it.", Reported(post: id))
        }
    }
}
