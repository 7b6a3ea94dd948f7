/// Every way in which the server says no, by a name that never changes.
///
/// The raw value is the `code` of an RFC 9457 problem document; a client acts on it, never on `title`.
public enum ProblemCode: String, Codable, CaseIterable, Sendable {
    // What was asked cannot be read.
    case malformedRequest = "malformed_request"
    case invalidName = "invalid_name"
    case invalidParameter = "invalid_parameter"
    case bodyTooLarge = "body_too_large"
    case headersTooLarge = "headers_too_large"
    case lengthMismatch = "length_mismatch"
    case digestMismatch = "digest_mismatch"
    case requestTimeout = "request_timeout"
    case unsupportedMediaType = "unsupported_media_type"

    // Who is asking.
    case signInRequired = "sign_in_required"
    case tokenExpired = "token_expired"
    case tokenInvalid = "token_invalid"
    case deviceSignedOut = "device_signed_out"
    case accountDisabled = "account_disabled"
    case wrongCredentials = "wrong_credentials"
    case refreshTokenInvalid = "refresh_token_invalid"
    case registrationClosed = "registration_closed"
    case setupCodeRequired = "setup_code_required"
    case inviteRequired = "invite_required"
    case emailTaken = "email_taken"
    case handleTaken = "handle_taken"
    case weakPassword = "weak_password"
    case tooManyRequests = "too_many_requests"

    // What it was asked of.
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case nameConflict = "name_conflict"
    case parentGone = "parent_gone"
    case notAFolder = "not_a_folder"
    case notAFile = "not_a_file"
    case cycle = "cycle"
    case tooManyItems = "too_many_items"
    case rootImmutable = "root_immutable"
    case subtreeChanged = "subtree_changed"
    case versionMismatch = "version_mismatch"
    case revisionConflict = "revision_conflict"
    case idempotencyMismatch = "idempotency_mismatch"
    case cursorExpired = "cursor_expired"
    case pageInvalid = "page_invalid"
    case urlExpired = "url_expired"
    case urlInvalid = "url_invalid"
    case feedOff = "feed_off"
    case notYours = "not_yours"
    case noPreview = "no_preview"
    case notCleaned = "not_cleaned"
    case rangeNotSatisfiable = "range_not_satisfiable"
    case momentForgotten = "moment_forgotten"
    case notThereThen = "not_there_then"
    case planChanged = "plan_changed"
    case restoreRunning = "restore_running"
    case draftPosted = "draft_posted"
    case postChanged = "post_changed"
    case tooManyDrafts = "too_many_drafts"

    // Uploads.
    case uploadExpired = "upload_expired"
    case uploadCanceled = "upload_canceled"
    case uploadFinished = "upload_finished"
    case chunkCorrupt = "chunk_corrupt"
    case chunkHashConflict = "chunk_hash_conflict"
    case rangeOffPlan = "range_off_plan"
    case planInvalid = "plan_invalid"
    case planConflict = "plan_conflict"
    case planNotOpen = "plan_not_open"
    case parametersUnknown = "parameters_unknown"
    case parametersDiffer = "parameters_differ"
    case patchInvalid = "patch_invalid"
    case missingChunks = "missing_chunks"
    case hashMismatch = "hash_mismatch"
    case sizeMismatch = "size_mismatch"
    case fileTooLarge = "file_too_large"
    case tooManyUploads = "too_many_uploads"
    case quotaExceeded = "quota_exceeded"

    // The server itself.
    case diskFull = "disk_full"
    case storeFailed = "store_failed"
    case contentCorrupt = "content_corrupt"
    case shuttingDown = "shutting_down"
    case busy = "busy"
    case internalError = "internal_error"
}

extension ProblemCode {
    /// The HTTP status that goes with the code, always.
    public var status: Int {
        switch self {
        case .malformedRequest, .invalidName, .invalidParameter, .lengthMismatch, .digestMismatch, .pageInvalid: 400
        case .signInRequired, .tokenExpired, .tokenInvalid, .deviceSignedOut, .wrongCredentials, .refreshTokenInvalid:
            401
        case .accountDisabled, .registrationClosed, .setupCodeRequired, .inviteRequired, .urlExpired,
            .urlInvalid, .feedOff, .notYours:
            403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .emailTaken, .handleTaken, .nameConflict, .parentGone, .subtreeChanged, .revisionConflict, .uploadFinished,
            .chunkHashConflict, .planConflict, .planNotOpen, .parametersDiffer, .missingChunks, .planChanged,
            .restoreRunning, .draftPosted, .postChanged:
            409
        case .cursorExpired, .uploadExpired, .uploadCanceled, .momentForgotten: 410
        case .versionMismatch: 412
        case .bodyTooLarge, .fileTooLarge: 413
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable, .rangeOffPlan: 416
        case .notAFolder, .notAFile, .cycle, .tooManyItems, .rootImmutable, .idempotencyMismatch, .chunkCorrupt,
            .planInvalid, .parametersUnknown, .patchInvalid, .hashMismatch, .sizeMismatch, .weakPassword, .notThereThen,
            .noPreview, .notCleaned, .tooManyDrafts:
            422
        case .tooManyRequests, .tooManyUploads: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .storeFailed, .contentCorrupt, .shuttingDown, .busy: 503
        case .quotaExceeded, .diskFull: 507
        }
    }

    /// A short name for a person, the same for every occurrence.
    public var title: String {
        switch self {
        case .malformedRequest: "The request cannot be read"
        case .invalidName: "This name cannot be used"
        case .invalidParameter: "A parameter is out of its range"
        case .bodyTooLarge: "The body is too large"
        case .headersTooLarge: "The headers are too large"
        case .lengthMismatch: "The body is not as long as it said"
        case .digestMismatch: "The body is not as it was sent"
        case .requestTimeout: "The request took too long to arrive"
        case .unsupportedMediaType: "This media type is not supported"
        case .signInRequired: "Sign in first"
        case .tokenExpired: "The access token has expired"
        case .tokenInvalid: "The access token is not valid"
        case .deviceSignedOut: "This device was signed out"
        case .accountDisabled: "This account is disabled"
        case .wrongCredentials: "Wrong email or password"
        case .refreshTokenInvalid: "The refresh token is no longer valid"
        case .registrationClosed: "Registration is closed"
        case .setupCodeRequired: "The first account needs the setup code"
        case .inviteRequired: "An invite is needed"
        case .emailTaken: "There is already an account with this email"
        case .handleTaken: "Somebody else has this handle"
        case .weakPassword: "The password is too short or too long"
        case .tooManyRequests: "Too many requests"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "This method is not for this address"
        case .nameConflict: "The name is taken"
        case .parentGone: "The folder is gone"
        case .notAFolder: "This is not a folder"
        case .notAFile: "This is not a file"
        case .cycle: "A folder cannot be moved into itself"
        case .tooManyItems: "This is too much for one request"
        case .rootImmutable: "The root cannot be changed"
        case .subtreeChanged: "Something in the folder changed since"
        case .versionMismatch: "The file has changed"
        case .revisionConflict: "There is a newer revision"
        case .idempotencyMismatch: "This request id was used for something else"
        case .cursorExpired: "The cursor is no longer valid"
        case .pageInvalid: "This page cursor is not valid"
        case .urlExpired: "The address has expired"
        case .urlInvalid: "The address is not signed by this server"
        case .feedOff: "This server has no feed"
        case .notYours: "This is somebody else's"
        case .noPreview: "There is no thumbnail of it"
        case .notCleaned: "It says more than its readers are to know"
        case .rangeNotSatisfiable: "The range lies outside the content"
        case .momentForgotten: "The history does not go back that far"
        case .notThereThen: "It was not there at that moment"
        case .planChanged: "Something changed since the plan was made"
        case .restoreRunning: "A restore is running"
        case .draftPosted: "The draft is a post already"
        case .postChanged: "The post was edited meanwhile"
        case .tooManyDrafts: "There are too many drafts"
        case .uploadExpired: "The upload has expired"
        case .uploadCanceled: "The upload was canceled"
        case .uploadFinished: "The upload is finished already"
        case .chunkCorrupt: "The chunk does not match its hash"
        case .chunkHashConflict: "The chunk is there with another hash"
        case .rangeOffPlan: "The range does not fit the plan"
        case .planInvalid: "The plan does not hold"
        case .planConflict: "The plan says something else there"
        case .planNotOpen: "The plan is not open"
        case .parametersUnknown: "This way of cutting is not known here"
        case .parametersDiffer: "The drive's files are cut in another way"
        case .patchInvalid: "The patch does not make what it should"
        case .missingChunks: "Chunks are missing"
        case .hashMismatch: "The content does not match its hash"
        case .sizeMismatch: "The content is not as long as said"
        case .fileTooLarge: "The file is too large"
        case .tooManyUploads: "Too many uploads are open"
        case .quotaExceeded: "The quota is used up"
        case .diskFull: "The server's disk is full"
        case .storeFailed: "The store has failed"
        case .contentCorrupt: "The stored content is damaged"
        case .shuttingDown: "The server is shutting down"
        case .busy: "The server is busy"
        case .internalError: "The server failed"
        }
    }

    /// The `type` of the problem document: a relative reference, explained in `docs/problems.md`.
    public var type: String { "/problems/\(rawValue)" }
}
