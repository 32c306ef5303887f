import Foundation
import Testing

/// Comments and documents are plain English: a sentence begins with its subject.
struct LanguageTests {
    /// One paragraph of prose and the line on which it begins, from 1.
    struct Paragraph: Equatable {
        var line: Int
        var text: String
    }

    @Test func noSentenceBeginsWithAWordThatHidesItsSubject() throws {
        var found: [String] = []
        for file in Repository.texts where Repository.exists(file) {
            for paragraph in Self.paragraphs(of: file, in: try Repository.lines(of: file)) {
                found += Self.hiddenSubjects(in: paragraph.text)
                    .map { "\(file):\(paragraph.line) says \"\($0.prefix(60))\"" }
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// The sentences that begin with "Of", "That", "What" or "Whoever"; questions may.
    static func hiddenSubjects(in text: String) -> [Substring] {
        let start = #/(?:^|[.!?][)"*_`]* +)["*(_]*(?:Of|That|What|Whoever) /#
        return text.matches(of: start).compactMap { match in
            let words = match.output.firstIndex { $0.isUppercase } ?? match.startIndex
            let end = text[words...].firstRange(of: /[.!?](?: |$)/)
            if let end, text[end].hasPrefix("?") { return nil }
            return text[words..<(end?.lowerBound ?? text.endIndex)]
        }
    }

    /// The contract and the pages about the code's structure are read by strangers: each sentence
    /// says who acts, in the common word.
    @Test func noPageOfTheContractHidesWhoActs() throws {
        let pages =
            Repository.files(under: "docs/protocol", endings: [".md"])
            + ["docs/queues.md", "docs/architecture.md"]
        var found: [String] = []
        for page in pages {
            for paragraph in Self.paragraphs(of: page, in: try Repository.lines(of: page)) {
                let hidden = /\b(?:anew|nobody|somebody|whoever|told|meanwhile)\b/.ignoresCase()
                for match in paragraph.text.matches(of: hidden) {
                    found.append("\(page):\(paragraph.line) says \"\(match.0)\"")
                }
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        #expect(pages.count > 10)
    }

    // MARK: Prose

    static func paragraphs(of file: String, in lines: [Substring]) -> [Paragraph] {
        if file.hasSuffix(".md") { return proseOfDocument(lines) }
        let isC = [".swift", ".c", ".h", ".cpp", ".hpp", ".modulemap"].contains {
            file.hasSuffix($0)
        }
        return proseOfComments(lines, mark: isC ? "//" : "#")
    }

    /// Paragraphs, items of lists, headings and cells of tables; code is left out.
    private static func proseOfDocument(_ lines: [Substring]) -> [Paragraph] {
        var collector = Collector()
        var isCode = false
        for (number, line) in lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") { isCode.toggle() }
            if isCode || text.hasPrefix("```") || text.isEmpty {
                collector.end()
            } else if text.hasPrefix("|") {
                collector.end()
                for cell in text.split(separator: "|") {
                    collector.addAlone(cell.trimmingCharacters(in: .whitespaces), on: number)
                }
            } else {
                collector.add(text, on: number)
            }
        }
        return collector.finished()
    }

    /// Comments on lines of their own, joined to paragraphs; comments behind code; the first lines
    /// of block comments and docstrings.
    private static func proseOfComments(_ lines: [Substring], mark: String) -> [Paragraph] {
        var collector = Collector()
        for (number, line) in lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix(mark) {
                let words = text.drop { "/#! ".contains($0) }
                if words.isEmpty { collector.end() } else { collector.add(words, on: number) }
                continue
            }
            collector.end()
            if let behind = text.firstRange(of: "  \(mark) ") {
                collector.addAlone(text[behind.upperBound...], on: number)
            } else if let opening = ["\"\"\"", "/*"].first(where: { text.hasPrefix($0) }) {
                let words = text.dropFirst(opening.count).drop { $0 == "*" || $0 == " " }
                collector.addAlone(words, on: number)
            }
        }
        return collector.finished()
    }

    private struct Collector {
        private var paragraphs: [Paragraph] = []
        private var open: Paragraph?

        /// Continues the paragraph, unless a heading or an item of a list begins another.
        mutating func add(_ text: some StringProtocol, on number: Int) {
            let text = String(text)
            if let mark = text.prefixMatch(of: /(?:[-*]|#+|[0-9]+\.) +/) {
                end()
                open = Paragraph(line: number + 1, text: String(text[mark.range.upperBound...]))
                if text.hasPrefix("#") { end() }
            } else if open == nil {
                open = Paragraph(line: number + 1, text: text)
            } else {
                open?.text += " " + text
            }
        }

        mutating func addAlone(_ text: some StringProtocol, on number: Int) {
            end()
            if !text.isEmpty { paragraphs.append(Paragraph(line: number + 1, text: String(text))) }
        }

        mutating func end() {
            if let open { paragraphs.append(open) }
            open = nil
        }

        mutating func finished() -> [Paragraph] {
            end()
            return paragraphs
        }
    }

    // MARK: The measure itself

    @Test func theMeasureSeesEachPlaceWhereASentenceBegins() {
        let hidden = [
            "What" + " a lane owns.", "It rests. Of" + " those two.", "(That" + " it is so.)",
            "It \"rests.\" Whoever" + " asks.",
        ]
        for text in hidden { #expect(Self.hiddenSubjects(in: text).count == 1, "\(text)") }
        let plain = [
            "It says what it owns.", "What" + " does it own?", "Ofen and Whatever rest.",
            "A key of `What` is kept, v. 2 of it.",
        ]
        for text in plain { #expect(Self.hiddenSubjects(in: text).isEmpty, "\(text)") }
    }

    @Test func theMeasureFindsProseAndLeavesCodeOut() {
        let swift: [Substring] = [
            "/// A lane", "/// rests.", "///", "/// - It ends.", "let a = 1  // Behind code",
            "let text = \"What // is no comment\"", "#if os(Linux)",
        ]
        #expect(
            Self.paragraphs(of: "a.swift", in: swift).map(\.text)
                == ["A lane rests.", "It ends.", "Behind code"])
        let page: [Substring] = [
            "# A title", "Prose on", "two lines.", "```", "What code says", "```", "| a | b |",
        ]
        #expect(
            Self.paragraphs(of: "a.md", in: page).map(\.text)
                == ["A title", "Prose on two lines.", "a", "b"])
        let python: [Substring] = ["\"\"\"A client.", "\"\"\"", "    # A word", "x = 1  # Behind"]
        #expect(
            Self.paragraphs(of: "a.py", in: python).map(\.text) == [
                "A client.", "A word", "Behind",
            ])
    }
}
