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
                .serverBusy, "Something on the way to the server wants to know who is asking (\(status)).",
                remedy:
                    "Sign in to the network that this device is in, or look after the proxy before the server; it goes on by itself then."
            )
        case 404: self.init(.notFound, "The server does not know this.")
        case 413: self.init(.proxyLimit, "A proxy before the server takes no body of this size.")
        case 408, 429, 502, 503, 504: self.init(.serverBusy, "The server cannot answer now (\(status)).")
        case 507: self.init(.serverFull, "The server has no room left.")
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
        case .tooManyItems: "Make the folder, and copy what lies in it, folder by folder."
        case .tooManyUploads: "Let some uploads finish, or cancel some; those that are left alone end after a day."
        case .cursorExpired: "Start again from everything there is."
        case .momentForgotten: "Choose a later moment."
        case .notThereThen: "Choose another moment, or restore a folder above it."
        case .planChanged: "Make a dry run again, and look at what it lists."
        case .storeFailed:
            "Whoever runs the server finds the cause in its log. What waits here goes on by itself once the disk takes writes again."
        case .restoreRunning: "Wait until it has finished; it goes on by itself."
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
