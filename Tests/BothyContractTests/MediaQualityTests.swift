import BothyContract
import Testing

@Suite struct MediaQualityTests {
    @Test(arguments: [
        (MediaQuality.high, 4_000, 3_000, 960, 720), (.high, 3_000, 4_000, 540, 720), (.medium, 1_920, 1_080, 720, 405),
        (.low, 60, 40, 60, 40), (.high, 100_000, 1, 1_080, 1), (.thumbnail, 4_000, 3_000, 256, 256),
    ])
    func aPictureFitsIntoItsBoxAndIsMadeNoLarger(
        _ quality: MediaQuality, _ width: Int, _ height: Int, _ shownWidth: Int, _ shownHeight: Int
    ) {
        let size = quality.size(of: width, by: height)
        #expect(size.width == shownWidth && size.height == shownHeight)
    }
}
