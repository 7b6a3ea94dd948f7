import Testing

@testable import BothyServer

@Suite struct FilmPartsTests {
    @Test(arguments: [0, 1, 128 << 20, (128 << 20) + 1, 10 << 30] as [Int64])
    func aFilmIsReadAtItsEnds(_ size: Int64) {
        let parts = MediaVariants.parts(of: size, .film)
        #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == size)
        #expect(parts.reduce(0) { $0 + $1.count } <= 128 << 20)
        for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.upperBound <= next.lowerBound) }
    }

    @Test func aPictureIsReadWhole() {
        #expect(MediaVariants.parts(of: 200 << 20, .picture) == [0..<(200 << 20)])
    }
}
