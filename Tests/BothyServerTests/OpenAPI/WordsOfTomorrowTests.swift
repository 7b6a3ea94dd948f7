import BothyContract
import Foundation
import Testing

/// Wherever the contract lists the words that may stand in an answer, a device reads one that a newer server says.
@Suite struct WordsOfTomorrowTests {
    private static let word = "of_tomorrow"
    /// What stands in requests alone: there a word that is not known is refused.
    private static let asked: Set<String> = [
        "NewAttachment", "NewPostAudience", "ChunkPlan", "InteractionWithPost",
    ]

    private static let answers = WireSample.all.filter { !$0.schema.hasSuffix("Request") && !asked.contains($0.schema) }

    @Test(arguments: answers)
    func anAnswerWithAWordThatNobodyKnowsIsRead(sample: WireSample) throws {
        let json = try JSONSerialization.jsonObject(with: WireCoding.encode(sample.full))
        let document = try OpenAPIDocument()
        let type = try #require(Swift.type(of: sample.full) as? any Decodable.Type)
        for changed in try document.replacingWords(of: json, by: document.schema(sample.schema), with: Self.word) {
            let bytes = try JSONSerialization.data(withJSONObject: changed, options: [.sortedKeys])
            #expect(String(decoding: bytes, as: UTF8.self).contains(Self.word))
            #expect(throws: Never.self) { try WireCoding.decode(type, from: bytes) }
        }
    }

    /// Without them the test above would say nothing.
    @Test func theWordsOfAnswersAreFound() throws {
        let document = try OpenAPIDocument()
        var found = [String: Int]()
        for sample in Self.answers {
            let json = try JSONSerialization.jsonObject(with: WireCoding.encode(sample.full))
            found[sample.schema] = try document.replacingWords(
                of: json, by: document.schema(sample.schema), with: Self.word
            ).count
        }
        for schema in [
            "Change", "Problem", "Media", "File", "DriveRestore", "RestoreChange", "SearchResult", "Attachment",
            "AttachmentPreview",
        ] {
            #expect(found[schema, default: 0] > 0, "\(schema)")
        }
    }
}

extension OpenAPIDocument {
    /// - Returns: the JSON with one word of a list replaced, for each word of a list in it.
    fileprivate func replacingWords(of json: Any, by node: Node, with word: String) throws -> [Any] {
        let node = try resolved(node)
        if let text = json as? String {
            let words = node["enum"] as? [Any]
            return words?.contains { $0 as? String == text } == true ? [word] : []
        }
        if let list = json as? [Any], let items = node["items"] as? Node {
            return try list.enumerated().flatMap { place, item in
                try replacingWords(of: item, by: items, with: word).map { changed in
                    var list = list
                    list[place] = changed
                    return list as Any
                }
            }
        }
        guard let object = json as? Node, let properties = node["properties"] as? Node else { return [] }
        return try object.sorted { $0.key < $1.key }.flatMap { name, value in
            guard let property = properties[name] as? Node else { return [Any]() }
            return try replacingWords(of: value, by: property, with: word).map { changed in
                var object = object
                object[name] = changed
                return object as Any
            }
        }
    }
}
