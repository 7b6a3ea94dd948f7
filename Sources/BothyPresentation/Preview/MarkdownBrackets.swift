/// The square brackets of a block, in pairs, found in one walk: looking for each one's end by itself would take a text of
/// nothing but brackets for ever.
struct MarkdownBrackets {
    /// By the place of an opening bracket, that of the one that closes it.
    private var ends = [Int: Int]()
    /// Places of opening brackets that begin a link and no picture, ascending.
    private var links = [Int]()

    init(_ signs: [Character]) {
        guard signs.contains("[") else { return }
        var open = [Int]()
        var place = 0
        while place < signs.count {
            switch signs[place] {
            case "\\": place += 1
            case "[": open.append(place)
            case "]":
                if let start = open.popLast() {
                    ends[start] = place
                    let isPicture = start > 0 && signs[start - 1] == "!"
                    if !isPicture, place + 1 < signs.count, signs[place + 1] == "(" { links.append(start) }
                }
            default: break
            }
            place += 1
        }
        links.sort()
    }

    /// The place of the bracket that closes the one there; nil where none does.
    func end(of start: Int) -> Int? { ends[start] }

    /// Whether a link begins between two places.
    func holdsLink(from start: Int, to end: Int) -> Bool {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle] < start { low = middle + 1 } else { high = middle }
        }
        return low < links.count && links[low] < end
    }
}
