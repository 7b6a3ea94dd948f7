/// A picture as netpbm writes it: a few words, and then three bytes a point.
package struct PortablePixmap: Equatable, Sendable {
    package var width: Int
    package var height: Int
    package var rgb: [UInt8]

    /// Reads `P6`, or `P5`, which is grey, with 255 as the brightest; nil for what is none, or is not whole.
    package init?(_ file: [UInt8]) {
        var (place, numbers) = (2, [Int]())
        let isGrey = file.starts(with: Array("P5".utf8))
        guard isGrey || file.starts(with: Array("P6".utf8)) else { return nil }
        while numbers.count < 3 {
            while place < file.count, [0x20, 0x0A, 0x0D, 0x09].contains(file[place]) { place += 1 }
            if place < file.count, file[place] == UInt8(ascii: "#") {
                while place < file.count, file[place] != 0x0A { place += 1 }
                continue
            }
            let digits = file[place...].prefix(7).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
            numbers.append(number)
            place += digits.count
        }
        place += 1
        let points = numbers[0] * numbers[1]
        let bytes = points * (isGrey ? 1 : 3)
        guard numbers[2] == 255, points > 0, place <= file.count, file.count - place >= bytes else { return nil }
        (width, height) = (numbers[0], numbers[1])
        let drawn = file[place..<place + bytes]
        rgb = isGrey ? drawn.flatMap { [$0, $0, $0] } : Array(drawn)
    }
}
