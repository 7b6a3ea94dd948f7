import BothyContract
import Testing

@testable import BothyPresentation

@Suite struct FaceTests {
    @Test(arguments: [(nil, nil), (12, 12)] as [(Int64?, Int64?)])
    func aFaceHasThePictureThatItsPathNames(version: Int64?, expected: Int64?) {
        let author = AuthorPreview(
            id: 7, name: "Ann Lee", profileImageThumbnailUrl: Person.picture(of: 7, version: version))
        let face = Face(author)
        #expect(face.picture?.version == expected && face.picture?.person == expected.map { _ in 7 })
        #expect(face.text == "AL", "until it is there")
    }

    @Test(arguments: [nil, "", "/v1/users/7/picture?v=", "/v1/users/7/picture?v=<b>", "/v1/users/7/picture?w=1"])
    func aPathOfNoPictureIsOfInitials(path: String?) {
        #expect(Face(name: "Ann", id: 7, pictureAt: path).picture == nil)
    }
}
