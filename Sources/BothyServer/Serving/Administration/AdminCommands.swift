import BothyContract
import Foundation

/// What the operator can have done while the server runs.
package struct AdminCommands: Sendable {
    package typealias Say = @Sendable (AdminLine) async throws -> Void

    let services: ServerServices

    package init(_ services: ServerServices) { self.services = services }

    /// - Parameter say: takes what there is to tell, as it comes.
    /// - Throws: ``ServerFault`` in words; anything else is a fault of the server's.
    package func run(_ request: AdminRequest, say: @escaping Say) async throws {
        switch request {
        case .userList: try await listUsers(say)
        case .userInvite(let note): try await invite(note, say)
        case .userResetPassword(let email): try await resetPassword(email, say)
        case .userDisable(let email): try await setDisabled(email, true, say)
        case .userEnable(let email): try await setDisabled(email, false, say)
        case .userDelete(let email): try await delete(email, say)
        case .userQuota(let email, let bytes): try await setQuota(email, bytes, say)
        case .reportList: try await listReports(say)
        case .reportDismiss(let post): try await dismissReports(of: post, say)
        case .postRemove(let post): try await removePost(post, say)
        case .stats: try await stats(say)
        case .gc: try await collectGarbage(say)
        case .verify: try await verify(say)
        case .backup(let folder): try await backup(folder, say)
        case .export(let folder, let email): try await export(folder, email, say)
        case .importFiles(let folder, let email, let into): try await importFiles(folder, email, into, say)
        }
    }

    /// «1 file», «2 files».
    static func counted(_ count: some BinaryInteger, _ one: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(one)s"
    }

    /// A name in a line of its own: the lines of what is said are told apart by the command that shows them.
    static func oneLine(_ name: String) -> String {
        name.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\u{A}")
    }

    /// Runs `body`, and tells what the store refused in words.
    package static func inWords<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let fault as ServerFault {
            throw fault
        } catch {
            throw ServerFault(.failed, words(error))
        }
    }

    /// An error of the store, for the person who runs it.
    package static func words(_ error: any Error) -> String {
        switch error {
        case let problem as Problem where problem.code == .quotaExceeded:
            "\(problem.detail) “bothy server user quota” raises it."
        case let problem as Problem: problem.detail
        case DatabaseError.diskFull, PackError.diskFull: "The disk is full. Free space, and run the command again."
        case let error as DatabaseError: "The database failed: \(error)."
        case let error as PackError: "The packs failed: \(error)."
        default: "\(error)"
        }
    }
}
