import ArgumentParser
import BothyServer

/// `bothy server user`: the accounts of a server that runs.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "List, invite, disable and delete the people of a server that runs.",
        subcommands: [
            List.self, Invite.self, ResetPassword.self, Disable.self, Enable.self, Delete.self, Quota.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts and what they keep.")
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userList) }
    }

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Make an invite: a code that lets one person register.")
        @Option(help: "Whom it is for, for your own memory.") var note = ""
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userInvite(note: note)) }
    }

    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-password", abstract: "Give an account a new password, and sign its devices out.")
        @Argument(help: "The account.") var email: String
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userResetPassword(email: email)) }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Let nobody into an account; nothing of it is deleted.")
        @Argument(help: "The account.") var email: String
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userDisable(email: email)) }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Let a disabled account in again.")
        @Argument(help: "The account.") var email: String
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userEnable(email: email)) }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete an account with everything it keeps. There is no way back but a backup.")
        @Argument(help: "The account.") var email: String
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var server: DataOption

        func run() async throws {
            guard yes || Question.confirm("Delete \(email) with every file and every version?") else {
                return try await tellingFaults(json: server.json) {
                    throw ServerFault(.usage, "Nothing was deleted. Add --yes to do it without being asked.")
                }
            }
            try await server.ask(.userDelete(email: email))
        }
    }

    struct Quota: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "quota", abstract: "Set how much an account may keep.")
        @Argument(help: "The account.") var email: String
        @Argument(help: "Such as 100GiB, or none.") var size: String
        @OptionGroup var server: DataOption

        func run() async throws {
            try await server.ask(.userQuota(email: email, bytes: try bytes()))
        }

        private func bytes() throws -> Int64? {
            if size == "none" { return nil }
            guard let bytes = ByteCount.parse(size) else {
                throw ServerFault(.usage, "“\(size)” is no size: write it as 100GiB, 500MB or none.")
            }
            return bytes
        }
    }
}
