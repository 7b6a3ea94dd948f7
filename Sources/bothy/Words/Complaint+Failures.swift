import ArgumentParser
import BothyClient
import BothyContract

extension Complaint {
    /// - Returns: nil for what ArgumentParser itself speaks about: help, wrong arguments, bare exit codes.
    init?(describing error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case let failure as ClientFailure: self.init(failure)
        case is CancellationError:
            self.init(.interrupted, "Stopped.", status: .interrupted)
        case is ExitCode, is CleanExit, is ValidationError: return nil
        default:
            guard Bothy.exitCode(for: error) == .failure else { return nil }
            self.init(
                .unexpected, "An unexpected error occurred: \(error).",
                remedy: "Try again; “bothy doctor” checks for common problems.")
        }
    }

    /// - Parameter subject: what it was about, when the failure's own words do not say.
    init(_ failure: ClientFailure, about subject: String? = nil) {
        let failure = subject.map(failure.of) ?? failure
        self.init(
            code: failure.code.rawValue, message: Self.message(failure), remedy: failure.remedy,
            status: ExitStatus(failure.code))
        serverCode = failure.problem?.code.rawValue
    }

    /// A moment that the server names is told as every other is.
    private static func message(_ failure: ClientFailure) -> String {
        guard failure.problem?.code == .momentForgotten, let earliest = failure.problem?.earliest else {
            return failure.words
        }
        return "The history of this account goes back to \(MomentText.text(earliest))."
    }
}

extension ExitStatus {
    init(_ code: FailureCode) {
        switch code {
        case .signInNeeded, .wrongCredentials: self = .signInNeeded
        case .notFound, .nameConflict, .revisionConflict, .changedMeanwhile, .parentGone, .notAFolder, .notAFile,
            .fileMissing, .destinationExists, .destinationIsAFolder, .destinationFolderMissing, .transferNotFound:
            self = .notThereOrInConflict
        case .invalidName: self = .wrongUsage
        default: self = .failed
        }
    }
}
