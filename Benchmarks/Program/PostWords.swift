/// Texts of posts, of made-up words: of some tens of words, of which a few are frequent.
struct PostWords: Sendable {
    private static let syllables = [
        "ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "wa", "ha", "den", "ler", "mun", "tal", "ver", "hut",
        "weg", "see", "alm",
    ]

    private let words: [String]

    init() {
        words = (0..<4_000).map { number in
            Self.syllables[number % 20] + Self.syllables[number / 20 % 20]
                + (number < 400 ? "" : Self.syllables[number / 400])
        }
    }

    /// As the server keeps it.
    func text(_ random: inout SeededRandom) -> String {
        let count = 5 + random.below(40)
        let chosen = (0..<count).map { _ in words[min(random.below(4_000), random.below(4_000))] }
        return "<p>" + chosen.joined(separator: " ") + "</p>"
    }
}
