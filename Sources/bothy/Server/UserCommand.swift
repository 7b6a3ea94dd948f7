import ArgumentParser
import BothyServer

/// `bothy server user`: the accounts of a server that runs.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the accounts of a running server.",
        subcommands: [
            List.self, Invite.self, ResetPassword.self, Disable.self, Enable.self, Delete.self, Quota.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts and the storage they use.")
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userList) }
    }

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Create an invite: a code that lets one person register.")
        @Option(help: "A note on whom it is for.") var note = ""
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
            abstract: "Disable sign-in to an account. Nothing is deleted.")
        @Argument(help: "The account.") var email: String
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userDisable(email: email)) }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a disabled account.")
        @Argument(help: "The account.") var email: String
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.userEnable(email: email)) }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete an account with all its files. Only a backup can bring it back.")
        @Argument(help: "The account.") var email: String
        @Flag(help: "Do not ask for confirmation.") var yes = false
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
            commandName: "quota", abstract: "Set an account's quota.")
        @Argument(help: "The account.") var email: String
        @Argument(help: "A size such as 100GiB, or none.") var size: String
        @OptionGroup var server: DataOption

        func run() async throws {
            try await server.ask(.userQuota(email: email, bytes: try bytes()))
        }

        private func bytes() throws -> Int64? {
            if size == "none" { return nil }
            guard let bytes = ByteCount.parse(size) else {
                throw ServerFault(.usage, "“\(size)” is not a size: write it as 100GiB, 500MB or none.")
            }
            return bytes
        }
    }
}
