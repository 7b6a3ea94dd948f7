import Foundation

extension Encodable {
    /// As whoever runs this program reads what came out.
    func printAsJSON() throws {
        let coder = JSONEncoder()
        coder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try coder.encode(self), as: UTF8.self))
    }
}
