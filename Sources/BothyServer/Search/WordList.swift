/// The words of a text and where each first stands, as they are kept: in the order of their bytes, each as how many bytes it shares
/// with the one before, how many follow, these, and its place.
struct WordList {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter words: of at most ``NameWords/longestInText`` bytes, each with its place.
    init(_ words: [String: Int]) {
        var (bytes, last) = ([UInt8](), [UInt8]())
        for (word, place) in words.map({ (Array($0.utf8), $1) }).sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
            let shared = zip(last, word).prefix { $0 == $1 }.count
            Varint.append(UInt64(shared), to: &bytes)
            Varint.append(UInt64(word.count - shared), to: &bytes)
            bytes += word[shared...]
            Varint.append(UInt64(place), to: &bytes)
            last = word
        }
        self.bytes = bytes
    }

    var words: [String] {
        var words = [String]()
        read { word, _ in
            words.append(String(decoding: word, as: UTF8.self))
            return true
        }
        return words
    }

    /// Where the first of the words that begin so stands; nil where none does.
    func place(ofBeginning term: String) -> Int? {
        let wanted = Array(term.utf8)
        var found: Int?
        read { word, place in
            if word.starts(with: wanted) { found = place }
            return found == nil && word.lexicographicallyPrecedes(wanted)
        }
        return found
    }

    /// Hands over each word in order, as long as `body` wants more. What is damaged ends it.
    private func read(_ body: ([UInt8], Int) -> Bool) {
        var (next, word) = (0, [UInt8]())
        while next < bytes.count {
            guard let shared = Varint.read(from: bytes, at: &next), shared <= word.count,
                let more = Varint.read(from: bytes, at: &next), more <= bytes.count - next
            else { return }
            word.removeSubrange(Int(shared)...)
            word += bytes[next..<next + Int(more)]
            next += Int(more)
            guard let place = Varint.read(from: bytes, at: &next), body(word, Int(clamping: place)) else { return }
        }
    }
}
