import BothyContract

extension ClientFailure {
    /// A refusal of the server's, as this device tells it.
    package init(_ problem: Problem) {
        let code = problem.code.known.map { FailureCode($0) } ?? FailureCode(unknownRefusal: problem.status)
        self.init(code, problem.detail.isEmpty ? problem.title : problem.detail)
        self.problem = problem
        self.retryAfter = problem.retryAfter.map(Double.init)
        self.status = problem.status
        if let remedy = problem.code.known.flatMap(Self.remedy) { self.remedy = remedy }
    }

    /// An answer whose status says no, and whose body is no problem document: a proxy's, most likely.
    package init(status: Int) {
        switch status {
        // A Bothy server that asks who is there says so in a problem document.
        case 401, 407, 511:
            self.init(
                .serverBusy, "A proxy or network on the way to the server asks for a sign-in (\(status)).",
                remedy:
                    "Sign in to this network, or check the proxy in front of the server. Syncing then resumes on its own."
            )
        case 404: self.init(.notFound, "The server does not support this.")
        case 413: self.init(.proxyLimit, "A proxy in front of the server does not accept a body of this size.")
        case 408, 429, 502, 503, 504: self.init(.serverBusy, "The server cannot answer now (\(status)).")
        case 507: self.init(.serverFull, "The server has no space left.")
        case 300...399: self.init(.redirected, "The server answers with a redirect (\(status)), which is not followed.")
        case 500...599: self.init(.serverFailed, "The server failed (\(status)).")
        default: self.init(.refused, "The server refused this (\(status)).")
        }
        self.status = status
    }

    private static func remedy(for code: ProblemCode) -> String? {
        switch code {
        case .setupCodeRequired: "Give the setup code that the server printed when it started: --setup-code CODE."
        case .inviteRequired: "Ask for an invite (“bothy server user invite” makes one), and give it: --invite CODE."
        case .emailTaken: "Sign in instead, or use another address."
        case .handleTaken: "Choose another handle."
        case .weakPassword: "Choose a longer password."
        case .tooManyItems: "Create the folder, and copy its content folder by folder."
        case .tooManyUploads: "Let some uploads finish, or cancel some; inactive ones expire after a day."
        case .cursorExpired: "List everything again."
        case .momentForgotten: "Choose a later moment."
        case .notThereThen: "Choose another moment, or restore its parent folder."
        case .planChanged: "Run a dry run again, and check what it lists."
        case .storeFailed:
            "The server's administrator finds the cause in its log. Waiting changes are sent when the disk accepts writes again."
        case .restoreRunning: "Wait until it has finished."
        default: nil
        }
    }
}

extension FailureCode {
    /// What a refusal of a newer server's means, whose code is not known here: its status alone says so much.
    ///
    /// Never that something is gone, taken or newer: on each of those this device acts.
    package init(unknownRefusal status: Int) {
        switch status {
        case 401: self = .signInNeeded
        case 408, 429, 502, 503, 504: self = .serverBusy
        case 507: self = .serverFull
        case 500...599: self = .serverFailed
        default: self = .refused
        }
    }

    /// What a refusal of the server's means for this device.
    package init(_ code: ProblemCode) {
        switch code {
        case .signInRequired, .tokenExpired, .tokenInvalid, .deviceSignedOut, .refreshTokenInvalid:
            self = .signInNeeded
        case .wrongCredentials: self = .wrongCredentials
        case .accountDisabled, .registrationClosed, .setupCodeRequired, .inviteRequired:
            self = .accountRefused
        case .notFound, .notThereThen: self = .notFound
        case .nameConflict, .emailTaken, .handleTaken: self = .nameConflict
        case .parentGone: self = .parentGone
        case .notAFolder: self = .notAFolder
        case .notAFile: self = .notAFile
        case .invalidName: self = .invalidName
        case .subtreeChanged, .versionMismatch, .planChanged: self = .changedMeanwhile
        case .revisionConflict: self = .revisionConflict
        case .fileTooLarge: self = .fileTooLarge
        case .quotaExceeded: self = .quotaExceeded
        case .diskFull: self = .serverFull
        case .uploadExpired, .uploadCanceled: self = .sessionExpired
        case .contentCorrupt: self = .contentDamaged
        case .chunkCorrupt, .hashMismatch, .chunkHashConflict, .sizeMismatch:
            self = .integrityMismatch
        case .tooManyRequests, .tooManyUploads, .shuttingDown, .busy, .requestTimeout, .digestMismatch:
            self = .serverBusy
        case .storeFailed, .internalError: self = .serverFailed
        default: self = .refused
        }
    }
}
