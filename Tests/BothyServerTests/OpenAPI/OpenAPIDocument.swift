import Foundation
import Testing
import Yams

/// `openapi.yaml` as the server serves it, read by its structure.
struct OpenAPIDocument {
    typealias Node = [String: Any]

    static let methods = ["get", "put", "post", "patch", "delete", "head"]

    let root: Node

    init() throws {
        let text = try String(contentsOf: Self.repository.appending(path: Self.path), encoding: .utf8)
        root = try #require(try Yams.load(yaml: text) as? Node)
    }

    /// The folder that holds `Package.swift`.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let path = "Sources/BothyServer/Resources/openapi.yaml"

    struct Operation {
        /// `GET /v1/files/{}`: names of parameters do not tell routes apart.
        var route: String
        var responses: Node
        /// Its own, and those of its path.
        var parameters: [Node]
        var requestBody: Node?
    }

    func operations() throws -> [Operation] {
        try node("paths").flatMap { path, item in
            let item = try #require(item as? Node)
            let shared = try parameters(of: item)
            return try item.filter { Self.methods.contains($0.key) }.map { method, operation in
                let operation = try #require(operation as? Node)
                return Operation(
                    route: Self.route(method: method, path: path),
                    responses: try #require(operation["responses"] as? Node),
                    parameters: try shared + parameters(of: operation),
                    requestBody: try (operation["requestBody"] as? Node).map(resolved))
            }
        }
    }

    private func parameters(of node: Node) throws -> [Node] {
        try (node["parameters"] as? [Node] ?? []).map(resolved)
    }

    /// The JSON bodies of an operation, `request` and by status, each as its media type's node.
    func jsonBodies(of operation: Operation) throws -> [String: Node] {
        var bodies = try operation.responses.mapValues { try resolved(#require($0 as? Node)) }
        bodies["request"] = operation.requestBody
        return bodies.compactMapValues { ($0["content"] as? Node)?["application/json"] as? Node }
    }

    static func route(method: String, path: String) -> String {
        let parts = path.split(separator: "/").map { $0.hasPrefix("{") || $0.hasPrefix(":") ? "{}" : String($0) }
        return "\(method.uppercased()) /\(parts.joined(separator: "/"))"
    }

    /// The codes that an operation may answer, by their status.
    func problemCodes(of operation: Operation) throws -> [Int: [String]] {
        var codes = [Int: [String]]()
        for (status, answer) in operation.responses {
            let answer = try resolved(#require(answer as? Node))
            let content = answer["content"] as? Node
            guard let problem = content?["application/problem+json"] as? Node else { continue }
            let examples = try #require(problem["examples"] as? Node, "\(operation.route) \(status) has no examples")
            codes[try #require(Int(status))] = Array(examples.keys)
        }
        return codes
    }

    func schema(_ name: String) throws -> Node {
        try resolved(try #require(node("components", "schemas")[name] as? Node))
    }

    func example(_ name: String) throws -> Node {
        let example = try #require(node("components", "examples")[name] as? Node, "no example of \(name)")
        return try #require(example["value"] as? Node)
    }

    private func node(_ path: String...) throws -> Node {
        try path.reduce(root) { try #require($0[$1] as? Node, "no \($1)") }
    }

    func resolved(_ node: Node) throws -> Node {
        guard let reference = node["$ref"] as? String else { return node }
        let parts = reference.split(separator: "/").dropFirst()
        return try parts.reduce(root) { try #require($0[String($1)] as? Node, "\(reference) leads nowhere") }
    }
}
