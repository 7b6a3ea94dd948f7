import BothyContract
import Foundation
import Testing

/// Every code has its place in `openapi.yaml` and on the page that tells people what to do.
@Suite struct ProblemsAreDocumentedTests {
    @Test func documentListsExactlyTheCodesThereAre() throws {
        let listed = try #require(try OpenAPIDocument().schema("ProblemCode")["enum"] as? [String])
        #expect(listed == ProblemCode.allCases.map(\.rawValue))
    }

    @Test(arguments: ProblemCode.allCases)
    func exampleSaysWhatTheServerWouldSay(code: ProblemCode) throws {
        let example = try OpenAPIDocument().example(code.rawValue)
        #expect(example["code"] as? String == code.rawValue)
        #expect(example["status"] as? Int == code.status)
        #expect(example["title"] as? String == code.title)
        #expect(example["type"] as? String == code.type)
    }

    @Test func operationsNameCodesUnderTheirOwnStatus() throws {
        let document = try OpenAPIDocument()
        for operation in try document.operations() {
            for (status, codes) in try document.problemCodes(of: operation) {
                for code in codes {
                    #expect(ProblemCode(rawValue: code)?.status == status, "\(operation.route): \(code)")
                }
            }
        }
    }

    @Test func everyCodeCanBeAnsweredSomewhere() throws {
        let document = try OpenAPIDocument()
        let answered = Set(
            try document.operations().flatMap { try document.problemCodes(of: $0).values.joined() })
        // The document's introduction tells of the first; a fault of ours is none of its promises.
        let anywhere: Set = ["method_not_allowed", "internal_error"]
        #expect(Set(ProblemCode.allCases.map(\.rawValue)).subtracting(answered) == anywhere)
    }

    @Test(arguments: ProblemCode.allCases)
    func pageTellsWhatToDo(code: ProblemCode) throws {
        let file = OpenAPIDocument.repository.appending(path: "docs/problems.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page.contains("| `\(code.rawValue)` | \(code.status) |"))
    }
}
