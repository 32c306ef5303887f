import Testing

/// Bounds of lines, functions and files, so that a reader sees each at once.
struct LengthTests {
    @Test func noLineIsLongerThanAHundredCharacters() throws {
        for file in Repository.swiftFiles + Repository.files(under: "Tests", endings: [".py"]) {
            for (number, line) in try Repository.lines(of: file).enumerated() {
                #expect(line.count <= 100, "\(file):\(number + 1) has \(line.count) characters")
            }
        }
    }

    @Test func noFileIsLongerThanFourHundredLines() throws {
        for file in Repository.swiftFiles {
            let count = try Repository.lines(of: file).count - 1
            #expect(count <= 400, "\(file) has \(count) lines")
        }
    }

    /// A page of the protocol is for one reader, who reads all of it.
    @Test func noPageOfTheProtocolIsLongerThanFourHundredLines() throws {
        let pages = Repository.files(under: "docs/protocol", endings: [".md"])
        for page in pages {
            let count = try Repository.lines(of: page).count - 1
            #expect(count <= 400, "\(page) has \(count) lines")
        }
        #expect(pages.contains("docs/protocol/README.md"))
    }

    @Test func noFunctionIsLongerThanSeventyLines() throws {
        for file in Repository.swiftFiles {
            for function in functions(in: try Repository.lines(of: file)) {
                #expect(
                    function.length <= 70,
                    "\(file):\(function.line) \(function.name) has \(function.length) lines")
            }
        }
    }

    @Test func theMeasureOfFunctionsSeesThem() {
        let lines: [Substring] = [
            "struct A {", "    func one() {", "        two()", "    }", "", "    init(",
            "        a: Int", "    ) {", "    }", "    func short() {}", "    func wanted()",
            "    func wide(", "        a: Int", "    ) -> Int", "}",
        ]
        let found = functions(in: lines)
        #expect(found.map(\.line) == [2, 6, 10])
        #expect(found.map(\.length) == [3, 4, 1])
    }

    struct Function {
        var name: String
        /// From 1.
        var line: Int
        var length: Int
    }

    /// From the line that declares a function to the brace of the same indentation that closes it:
    /// formatted sources need no parser.
    private func functions(in lines: [Substring]) -> [Function] {
        lines.indices.compactMap { start in
            let line = lines[start]
            let indentation = line.prefix { $0 == " " }
            let words = line.split(whereSeparator: { " (<?".contains($0) })
            guard let place = words.firstIndex(where: { $0 == "func" || $0 == "init" }),
                words[..<place].allSatisfy(isModifier)
            else { return nil }
            let name = place + 1 < words.count && words[place] == "func" ? words[place + 1] : "init"
            guard let opening = opening(of: start, indentation, in: lines) else { return nil }
            let isOnOneLine = lines[opening].hasSuffix("}")
            let end = lines[opening...].firstIndex { $0 == indentation + "}" } ?? opening
            let length = (isOnOneLine ? opening : end) - start + 1
            return Function(name: String(name), line: start + 1, length: length)
        }
    }

    /// The line on which the body opens; nil where there is none, as in a protocol.
    private func opening(
        of start: Int, _ indentation: Substring, in lines: [Substring]
    ) -> Int? {
        let isSpread = lines[start].hasSuffix("(")
        let last = isSpread ? lines[start...].firstIndex { $0.hasPrefix(indentation + ")") } : start
        guard let last else { return nil }
        let next = last + 1
        let isConstrained =
            next < lines.count && lines[next].hasPrefix(indentation + "where ")
        let line = isConstrained ? lines[next] : lines[last]
        return line.hasSuffix("{") || line.hasSuffix("}") ? (isConstrained ? next : last) : nil
    }

    private func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@")
            || [
                "package", "public", "private", "fileprivate", "internal", "static", "mutating",
                "borrowing", "consuming", "convenience", "nonisolated", "override", "final",
            ].contains(word)
    }
}
