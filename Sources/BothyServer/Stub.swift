import GRDB
import Hummingbird
enum Stub { static var n: Int { PackageResources.openapi_yaml.count } }
