import Geometry
import Testing

@testable import Pictures

@Suite struct FilmTests {
    @Test func aFilmBeginsWithItsScene() throws {
        let film = try film("tour")
        #expect(film.sessions == ["alice"])
        #expect(film.caption(at: 12_000)?.hasPrefix("2 A list") == true)
        #expect(film.caption(at: 0) == nil && film.end > 50_000)
        let times = film.messages.map(\.time)
        #expect(times.first == 0 && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func theSessionOfTheLastEventIsPlayed() throws {
        let film = try film("dock")
        #expect(film.sessions == ["alice", "desk"])
        #expect(film.session(at: 0) == "alice" && film.session(at: 3_000) == "desk")
    }

    /// A projector that jumps shows what one that steps shows.
    @Test func picturesDoNotDependOnTheWayToThem() throws {
        let film = try film("toss")
        var steps = Projector(film)
        for time in stride(from: 0.0, through: 700, by: 7) { steps.advance(to: time) }
        var jump = Projector(film)
        jump.advance(to: 700)
        #expect(steps.picture(of: "alice") == jump.picture(of: "alice"))
        #expect(jump.picture(of: "alice")?.states["toss"]?.phase == "returning")
    }

    @Test func framesAreCountedBeforeAnythingIsDrawn() throws {
        #expect(try Screening.frames(from: 0, to: 2_000, rate: 30, speed: 1) == 61)
        #expect(try Screening.frames(from: 0, to: 2_000, rate: 30, speed: 2) == 31)
        #expect(throws: PictureError.self) {
            try Screening.frames(from: 0, to: 1e9, rate: 60, speed: 1)
        }
    }

    @Test func anUnknownSessionIsNamedWithTheKnownOnes() throws {
        let film = try film("toss")
        let error = #expect(throws: PictureError.self) {
            try Screening(film, session: "bob", scale: 1, theme: .light, hasCaptions: false)
        }
        #expect(error?.message.contains("alice") == true)
    }

    @Test(arguments: [(1, 1, 1), (8, 8, 1), (9, 5, 2), (12, 6, 2), (64, 8, 8)])
    func aStripGoesOnBelow(panels: Int, columns: Int, rows: Int) throws {
        let screening = try Screening(
            try film("toss"), session: nil, scale: 0.1, theme: .light, hasCaptions: true)
        let times = Screening.times(from: 0, to: 2_000, count: panels)
        let canvas = try screening.strip(at: times, ghosts: 0, isVector: false)
        #expect(canvas.size.width == 334 * Double(columns) + 14)
        #expect(canvas.size.height == (568 + 14 + 24 + 44) * Double(rows) + 14)
    }
}
