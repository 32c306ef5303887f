// swift-tools-version: 6.2
import PackageDescription

// A package of your own names the repository and a version instead of this path:
// .package(url: "https://…/gestured.git", from: "0.1.0"), and "gestured" as the product's package.
let package = Package(
    name: "examples",
    dependencies: [.package(name: "gestured", path: "../..")],
    targets: [
        .executableTarget(
            name: "subscriber",
            dependencies: [.product(name: "GesturedClient", package: "gestured")]),
        .executableTarget(
            name: "embedded",
            dependencies: [.product(name: "GesturedCore", package: "gestured")]),
    ],
    swiftLanguageModes: [.v6]
)
