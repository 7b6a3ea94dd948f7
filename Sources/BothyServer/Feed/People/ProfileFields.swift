import BothyContract
import Foundation

/// A change of what somebody says of herself, read and found to be in order.
struct ProfileFields: Sendable {
    let name: String?
    let handle: Handle?
    let bio: String?
    let approves: Bool?
    let picture: Picture?

    /// What becomes of the picture.
    enum Picture: Sendable {
        case none
        /// Of a file of one's own.
        case revision(String)
    }

    /// - Throws: `invalid_parameter`, with what is wrong.
    init(_ update: ProfileUpdate) throws {
        name = try update.name.map(AccountFields.displayName)
        handle = try update.handle.map(Self.checked)
        approves = update.approvesFollowers
        picture = try update.picture.map(Self.checked(picture:))
        bio = try update.bio.map { try Self.checked(bio: $0) }
    }

    private static func checked(_ typed: String) throws -> Handle {
        guard let handle = Handle(typed) else {
            let bounds = Handle.length
            throw Problem(
                .invalidParameter,
                "A handle has \(bounds.lowerBound) to \(bounds.upperBound) of the letters a to z, digits and “_”.")
        }
        guard !handle.isReserved else {
            throw Problem(.invalidParameter, "“\(handle.text)” is reserved. Choose another handle.")
        }
        return handle
    }

    private static func checked(picture: String) throws -> Picture {
        if picture.isEmpty { return .none }
        guard let revision = NewPost.revision(at: picture) else { throw Self.unknownPicture }
        return .revision(revision)
    }

    static var unknownPicture: Problem {
        Problem(.invalidParameter, "“picture” should be the “downloadUrl” of a picture of your own, or empty for none.")
    }

    private static func checked(bio: String) throws -> String {
        let plain = String(
            String.UnicodeScalarView(bio.replacing("\r\n", with: "\n").unicodeScalars.filter { !$0.acts || $0 == "\n" })
        )
        let text = plain.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.unicodeScalars.count <= PersonLimits.bioLength else {
            throw Problem(.invalidParameter, "“bio” has at most \(PersonLimits.bioLength) characters.")
        }
        return text
    }
}
