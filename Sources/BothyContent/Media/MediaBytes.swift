/// Bytes that strangers made, read with care: what lies past their end is nil, and nothing else ever happens.
///
/// It borrows what it stands on, and is not to be kept longer.
package struct MediaBytes {
    private let bytes: UnsafeRawBufferPointer

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var count: Int { bytes.count }

    /// A byte.
    func u8(_ place: Int) -> Int? {
        place >= 0 && place < bytes.count ? Int(bytes[place]) : nil
    }

    /// A number of 1 to 7 bytes, the greatest byte first.
    func big(_ place: Int, _ length: Int) -> Int? {
        guard holds(place, length), length < 8 else { return nil }
        return (0..<length).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }

    /// A number of 1 to 7 bytes, the smallest byte first.
    func little(_ place: Int, _ length: Int) -> Int? {
        guard holds(place, length), length < 8 else { return nil }
        return (0..<length).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }

    /// A number of eight bytes, the greatest first; nil where it is 2⁴⁸ or more, which lies in no file: sums of some never overflow.
    func big64(_ place: Int) -> Int? {
        guard let high = big(place, 4), let low = big(place + 4, 4), high < 1 << 16 else { return nil }
        return high << 32 | low
    }

    /// Whether these characters of ASCII stand there.
    func has(_ text: StaticString, at place: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard holds(place, length) else { return false }
        return (0..<length).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
    }

    func slice(_ range: Range<Int>) -> [UInt8]? {
        range.lowerBound >= 0 && range.upperBound <= bytes.count ? Array(bytes[range]) : nil
    }

    /// Where these characters stand first, from a place on.
    func place(of text: StaticString, from start: Int = 0) -> Int? {
        let length = text.utf8CodeUnitCount
        guard length > 0, start >= 0, bytes.count - length >= start else { return nil }
        let first = text.utf8Start[0]
        return (start...bytes.count - length).first { bytes[$0] == first && has(text, at: $0) }
    }

    private func holds(_ place: Int, _ length: Int) -> Bool {
        place >= 0 && length > 0 && length <= bytes.count && place <= bytes.count - length
    }
}
