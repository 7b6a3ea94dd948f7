import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed profile`
struct FeedProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show somebody's profile, or change your own.",
        discussion: """
            Without PERSON it is yours. Everybody on this server can see your profile; nobody can see your email address.
            """)

    @Argument(help: "A person, as @handle, by name, or by number.")
    var person: String?

    @Option(help: "Your name, as others see it.")
    var name: String?

    @Option(help: "Your unique handle: 2 to 30 characters of a to z, digits and “_”.")
    var handle: String?

    @Option(help: "About you, up to 500 characters; empty for nothing.")
    var bio: String?

    @Option(help: "Whether you are asked before somebody follows you: yes or no.")
    var asks: Answer?

    @Option(
        help: "A profile picture, from the server; everybody sees a small square of it. “none” shows your initials.",
        completion: RemoteNames.completion)
    var picture: String?

    enum Answer: String, ExpressibleByArgument, CaseIterable { case yes, no }

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if person != nil, name != nil || handle != nil || bio != nil || asks != nil || picture != nil {
            throw ValidationError("Only your own profile can be changed: leave PERSON out.")
        }
    }

    func run() async throws {
        let typed = ProfileUpdate(
            name: name, handle: handle, bio: bio, approvesFollowers: asks.map { $0 == .yes }, picture: picture)
        if typed != ProfileUpdate() {
            try await Home.using { home in
                var update = typed
                update.picture = try await address(home)
                let you = try await home.people.update(update)
                try output.tell("You are “\(you.name)” now, @\(you.handle).", you)
            }
            return
        }
        try await Home.looking { home in
            let shown =
                if let person { try await home.people.person(PersonArgument.find(person, in: home).id) } else {
                    try await home.people.you()
                }
            try output.list(Self.lines(shown.value), shown.value)
            output.note(unreached: shown.unreached)
        }
    }

    /// What the server knows the picture by; nil where it stays.
    private func address(_ home: DeviceHome) async throws -> String? {
        guard let picture else { return nil }
        if picture == "none" { return "" }
        let file = try AttachableFile(try await home.files.file(at: RemoteArgument(picture).path))
        guard file.attachment.type == .image else {
            throw Complaint.usage("“\(picture)” is not a picture.", remedy: "Give a picture on the server, or “none”.")
        }
        return file.attachment.contentUrl
    }

    private static func lines(_ person: Person) -> [String] {
        var head = "\(person.name) · @\(person.handle)"
        if person.isYou { head += " · you" }
        if person.following { head += " · you follow" }
        if person.followsYou { head += " · follows you" }
        var lines = [head]
        if let bio = person.bio {
            lines += bio.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        }
        if let counts = person.counts {
            let counted = [
                PostWords.counted(counts.posts, "post"), PostWords.counted(counts.followers, "follower"),
                "\(counts.following) followed",
            ]
            lines.append("  " + counted.joined(separator: " · "))
        }
        return lines
    }
}
