import Foundation

/// A placeholder of some 25 bytes for a picture, which a browser paints before the picture is there: the lowest frequencies of its light and its colours.
///
/// The algorithm is ThumbHash by Evan Wallace, <https://evanw.github.io/thumbhash/>, for pictures without transparency.
package enum ThumbHash {
    /// Points on a side, at most.
    package static let mostSide = 100

    /// - Parameter rgb: three bytes a point, row by row.
    /// - Returns: nil where the sides are not 1 to ``mostSide``, or the bytes are not as many as they say.
    package static func of(width: Int, height: Int, rgb: [UInt8]) -> [UInt8]? {
        guard (1...mostSide).contains(width), (1...mostSide).contains(height), rgb.count == 3 * width * height else {
            return nil
        }
        var (light, yellow, red) = ([Double](), [Double](), [Double]())
        for point in 0..<width * height {
            let (r, g, b) = (
                Double(rgb[3 * point]) / 255, Double(rgb[3 * point + 1]) / 255, Double(rgb[3 * point + 2]) / 255
            )
            light.append((r + g + b) / 3)
            yellow.append((r + g) / 2 - b)
            red.append(r - g)
        }
        let longer = Double(max(width, height))
        func limit(_ side: Int) -> Int { max(1, Int((7 * Double(side) / longer).rounded(.toNearestOrAwayFromZero))) }
        let (across, down) = (limit(width), limit(height))
        let l = channel(light, width, height, max(3, across), max(3, down))
        let (p, q) = (channel(yellow, width, height, 3, 3), channel(red, width, height, 3, 3))
        let isLandscape = width > height
        let head =
            Int((63 * l.mean).rounded()) | Int((31.5 + 31.5 * p.mean).rounded()) << 6 | Int(
                (31.5 + 31.5 * q.mean).rounded()) << 12
            | Int((31 * l.scale).rounded()) << 18
        let next =
            (isLandscape ? down : across) | Int((63 * p.scale).rounded()) << 3 | Int((63 * q.scale).rounded()) << 9
            | (isLandscape ? 1 << 15 : 0)
        var hash = [head, head >> 8, head >> 16, next, next >> 8].map { UInt8(truncatingIfNeeded: $0) }
        var isSecond = false
        for value in l.waves + p.waves + q.waves {
            let nibble = UInt8(min(15, max(0, (15 * value).rounded())))
            if isSecond { hash[hash.count - 1] |= nibble << 4 } else { hash.append(nibble) }
            isSecond.toggle()
        }
        return hash
    }

    private struct Channel {
        var mean: Double
        var scale: Double
        /// 0 to 1.
        var waves: [Double]
    }

    /// The discrete cosine transform, a triangle of it.
    private static func channel(_ values: [Double], _ width: Int, _ height: Int, _ across: Int, _ down: Int) -> Channel
    {
        func cosines(_ side: Int, _ count: Int) -> [[Double]] {
            (0..<count).map { wave in
                (0..<side).map { cos(Double.pi / Double(side) * Double(wave) * (Double($0) + 0.5)) }
            }
        }
        let (columns, rows) = (cosines(width, across), cosines(height, down))
        var found = Channel(mean: 0, scale: 0, waves: [])
        for y in 0..<down {
            var x = 0
            while x * down < across * (down - y) {
                var sum = 0.0
                for row in 0..<height {
                    for column in 0..<width { sum += values[column + row * width] * columns[x][column] * rows[y][row] }
                }
                sum /= Double(width * height)
                if x > 0 || y > 0 {
                    found.waves.append(sum)
                    found.scale = max(found.scale, abs(sum))
                } else {
                    found.mean = sum
                }
                x += 1
            }
        }
        if found.scale > 0 { found.waves = found.waves.map { 0.5 + 0.5 / found.scale * $0 } }
        return found
    }
}
