import BothyClient
import BothyPresentation
import HTTPTypes

extension ClientFailure {
    /// As the app answers it: by what the server said where it was asked, else by what it is.
    var answer: HTTPResponse.Status { code.answer(status) }
}

extension FailureCode {
    /// - Parameter status: what the server answered; nil where it was not asked.
    fileprivate func answer(_ status: Int?) -> HTTPResponse.Status {
        if let status { return HTTPResponse.Status(code: status) }
        return switch self {
        case .notFound: .notFound
        case .nameConflict, .revisionConflict, .changedMeanwhile, .parentGone: .conflict
        case .sessionExpired: .gone
        case .signInNeeded, .wrongCredentials: .unauthorized
        case .offline, .serverBusy: .serviceUnavailable
        case .fileTooLarge: .contentTooLarge
        case .diskFull, .quotaExceeded, .serverFull:
            HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        case .invalidName, .notAFile, .notAFolder, .refused, .integrityMismatch, .sourceDamaged: .unprocessableContent
        default: .internalServerError
        }
    }
}

extension Notice {
    /// As a script is answered that sends by itself, of what was not done: what passes by itself is sent again, what is refused is not.
    var refusal: HTTPResponse.Status {
        guard let status = code?.answer(status), status.kind == .serverError || status == .tooManyRequests else {
            return .unprocessableContent
        }
        return status
    }
}
