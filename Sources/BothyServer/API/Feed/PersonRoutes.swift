import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/v1/users`: the people of this server.
package struct PersonRoutes: APIRoutes {
    private let people: People
    private let faces: Faces

    package init(people: People, faces: Faces) {
        self.people = people
        self.faces = faces
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/users", use: list)
        group.get("v1/users/me") { request, context in
            let caller = try context.requireCaller()
            return try Response.json(await people.find(caller.userId, for: caller))
        }
        group.patch("v1/users/me", use: update)
        group.get("v1/users/{userId}", use: get)
        group.get("v1/users/{userId}/picture", use: picture)
        group.put("v1/users/{userId}/follow") { _, context in
            let isDone = try await people.setFollowing(true, try Self.person(context), for: try context.requireCaller())
            return Response(status: isDone ? .noContent : .accepted)
        }
        group.delete("v1/users/{userId}/follow") { _, context in
            try await act(context) { try await people.setFollowing(false, $0, for: $1) }
        }
        group.put("v1/users/{userId}/request") { _, context in
            try await act(context) { try await people.answer(true, to: $0, for: $1) }
        }
        group.delete("v1/users/{userId}/request") { _, context in
            try await act(context) { try await people.answer(false, to: $0, for: $1) }
        }
        group.delete("v1/users/{userId}/follower") { _, context in
            try await act(context) { try await people.remove(follower: $0, for: $1) }
        }
        group.put("v1/users/{userId}/mute") { _, context in
            try await act(context) { try await people.setMuted(true, $0, for: $1) }
        }
        group.delete("v1/users/{userId}/mute") { _, context in
            try await act(context) { try await people.setMuted(false, $0, for: $1) }
        }
        group.put("v1/users/{userId}/block") { _, context in
            try await act(context) { try await people.setBlocked(true, $0, for: $1) }
        }
        group.delete("v1/users/{userId}/block") { _, context in
            try await act(context) { try await people.setBlocked(false, $0, for: $1) }
        }
    }

    // MARK: - Reading

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let (caller, limit) = (try context.requireCaller(), try request.pageLimit())
        if let handle = request.query(QueryNames.handle) {
            return try .json(await people.page(handle: handle, limit: limit, for: caller))
        }
        return try .json(
            await people.page(
                after: request.query(QueryNames.page), limit: limit, search: request.query(QueryNames.searchText),
                try relation(request), for: caller))
    }

    private func relation(_ request: Request) throws -> PersonRelation? {
        guard let asked = request.query(QueryNames.relation) else { return nil }
        guard let relation = PersonRelation(rawValue: asked) else {
            let known = PersonRelation.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "“\(QueryNames.relation)” should be one of \(known).")
        }
        return relation
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        try .json(await people.find(try context.snowflake("userId"), for: try context.requireCaller()))
    }

    /// Seconds for which a picture is shown without asking again.
    private static let pictureAge = 300

    @Sendable private func picture(_ request: Request, _ context: APIContext) async throws -> Response {
        let encoding = PictureEncoding(accept: request.headers[.accept])
        let face = try await faces.shown(
            of: try context.snowflake("userId"), encoding, for: try context.requireCaller())
        var headers: HTTPFields = [
            .eTag: face.tag, .cacheControl: face.isExact ? "private, max-age=\(Self.pictureAge)" : "no-store",
            .vary: "Accept",
        ]
        let strong = face.tag.hasPrefix("W/") ? String(face.tag.dropFirst(2)) : face.tag
        if face.isExact, ContentRoutes.names(request.headers[.ifNoneMatch], strong) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = face.mimeType
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: face.bytes))
    }

    // MARK: - Acting

    @Sendable private func update(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        try request.requireJSON()
        let bytes = try await request.collect(for: context, upTo: Self.largestProfile)
        let body = try WireCoding.decode(ProfileUpdate.self, from: Data(buffer: bytes))
        return try .json(await people.update(body, for: caller))
    }

    /// Bytes of JSON.
    private static let largestProfile = 16 << 10

    private static func person(_ context: APIContext) throws -> Int64 { try context.snowflake("userId") }

    private func act(
        _ context: APIContext, _ act: (Int64, Caller) async throws -> Void
    ) async throws -> Response {
        let caller = try context.requireCaller()
        try await act(try Self.person(context), caller)
        return Response(status: .noContent)
    }
}
