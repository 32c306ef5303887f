import Testing

/// The core decides; it touches nothing.
struct CoreTests {
    static let core = [
        "Geometry", "Notation", "Dynamics", "Motion", "Gestures", "Interactions", "Sessions",
        "Scenes", "Core", "Membership",
    ]

    @Test(arguments: core)
    func theCoreImportsNothingOfTheWorld(module: String) throws {
        let allowed = Set(Self.core)
        for file in Repository.files(under: "Sources/\(module)", endings: [".swift"]) {
            for (number, line) in try Repository.lines(of: file).enumerated() {
                let words = line.split(separator: " ")
                guard let place = words.firstIndex(of: "import"), !line.hasPrefix("//") else {
                    continue
                }
                let name = String(words[words.index(after: place)])
                #expect(allowed.contains(name), "\(file):\(number + 1) imports \(name)")
            }
        }
    }

    /// Clocks, chance, unsafety, locks, and functions of libm whose last bit may differ.
    @Test(arguments: core)
    func theCoreCallsNoClockNoChanceAndNoLibm(module: String) throws {
        let banned: [(what: String, pattern: Regex<Substring>)] = [
            ("a clock", /\b(?:ContinuousClock|SuspendingClock|Date\()|\.now\b|clock_gettime/),
            ("chance", /SystemRandomNumberGenerator|\.random\(|\.shuffled\(\)/),
            (
                "libm",
                /(?:^|[^\w.])(?:sin|cos|tan|asin|acos|atan2?|exp2?|pow|log(?:2|10)?|hypot)\(/
            ),
            ("unsafe code", /\bunsafe\b/),
            ("locks or threads", /\b(?:Mutex|Atomic|DispatchQueue|Thread|Task)\b[<({ ]/),
            ("hash order", /\.hashValue\b|\bHasher\(/),
        ]
        for file in Repository.files(under: "Sources/\(module)", endings: [".swift"]) {
            for (number, line) in try Repository.lines(of: file).enumerated() {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                for (what, pattern) in banned where code.contains(pattern) {
                    Issue.record("\(file):\(number + 1) uses \(what): \(line)")
                }
            }
        }
    }

    @Test func everyModuleOfTheCoreIsThere() {
        for module in Self.core {
            let files = Repository.files(under: "Sources/\(module)", endings: [".swift"])
            #expect(!files.isEmpty, "no sources of \(module)")
        }
    }

    @Test func uncheckedSendableTypesSayWhy() throws {
        for file in Repository.swiftFiles where !file.hasPrefix("Tests/TidyTests/") {
            let lines = try Repository.lines(of: file)
            for (number, line) in lines.enumerated() where line.contains("@unchecked Sendable") {
                let above = number > 0 ? lines[number - 1].drop { $0 == " " } : ""
                #expect(above.hasPrefix("//"), "\(file):\(number + 1) needs a comment above it")
            }
        }
    }
}
