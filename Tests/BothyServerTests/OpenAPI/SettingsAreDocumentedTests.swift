import BothyServer
import Foundation
import Testing

/// `docs/running.md` has a row for every setting, with the name of its variable.
@Suite struct SettingsAreDocumentedTests {
    @Test(arguments: ConfigKey.allCases)
    func pageHasARowForTheSetting(key: ConfigKey) throws {
        let file = OpenAPIDocument.repository.appending(path: "docs/running.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page.contains("| `\(key.rawValue)` | `\(key.variable)` |"))
    }
}
