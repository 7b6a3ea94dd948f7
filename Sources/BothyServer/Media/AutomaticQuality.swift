import BothyContract
import HTTPTypes

/// What a browser tells of its connection (`Save-Data`, and `ECT` and `Downlink` of the Network Information API), and the picture that is right for it.
struct AutomaticQuality: Sendable {
    /// Fields that the answer depends on.
    static let fields = ["Save-Data", "ECT", "Downlink"]

    var quality: MediaQuality
    var film: FilmQuality

    init(_ headers: HTTPFields) {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
        let megabits = value("Downlink").flatMap(Double.init)
        let kind = value("ECT")?.lowercased()
        if value("Save-Data")?.lowercased() == "on" || kind == "slow-2g" || kind == "2g"
            || megabits.map({ $0 < 0.5 }) == true
        {
            (quality, film) = (.low, .p360)
        } else if kind == "3g" || megabits.map({ $0 < 2 }) == true {
            (quality, film) = (.medium, .p360)
        } else {
            (quality, film) = (.high, .p720)
        }
    }
}
