import Geometry
import Testing

@testable import Pictures

@Suite struct CellsTests {
    private func canvas() throws -> Canvas {
        let canvas = try Canvas(Size(32, 32), scale: 1)
        canvas.fill(.box(0, 0, 32, 32), Color(0x0000ff))
        canvas.fill(.box(0, 0, 32, 8), Color(0xff0000))
        return canvas
    }

    @Test func halfACellIsHalfABlock() throws {
        let cells = try #require(try canvas().cells(columns: 4, rows: 2, colors: .millions))
        let first = try #require(cells.row(0).first)
        #expect(["▀", "▄"].contains(first.letter))
        let (top, bottom) =
            first.letter == "▀" ? (first.front, first.back) : (first.back, first.front)
        #expect(top == 0xff0000 && bottom == 0x0000ff)
        let last = try #require(cells.row(1).last)
        #expect((last.letter == " " ? last.back : last.front) == 0x0000ff)
    }

    @Test func withoutColorsItIsDots() throws {
        let cells = try #require(try canvas().cells(columns: 4, rows: 2, colors: .none))
        #expect(
            cells.cells.allSatisfy {
                $0.letter == " " || (0x2800...0x28FF).contains($0.letter.value)
            })
    }

    @Test func pixelsBecomeACommand() throws {
        let kitty = try canvas().command(columns: 4, rows: 2, graphics: .kitty)
        #expect(kitty.starts(with: Array("\u{1B}_G".utf8)))
        let sixels = try canvas().command(columns: 4, rows: 2, graphics: .sixels)
        #expect(sixels.starts(with: Array("\u{1B}P".utf8)))
    }

    @Test(arguments: [
        (["TERM=xterm-kitty", "KITTY_PID=1"], TerminalKind.Graphics.kitty),
        (["TERM=mlterm"], .sixels), (["TERM=xterm-256color"], .symbols), (["TERM=linux"], .symbols),
        (["TERM=xterm-kitty", "TMUX=/x,1,0"], .symbols), ([], .symbols),
    ])
    func graphicsFollowTheTerminal(variables: [String], graphics: TerminalKind.Graphics) {
        #expect(TerminalKind(environment: variables).graphics == graphics)
    }

    @Test(arguments: [
        (["TERM=xterm-256color"], TerminalKind.Colors.palette),
        (["TERM=xterm-256color", "COLORTERM=truecolor"], .millions), (["TERM=linux"], .sixteen),
    ])
    func colorsFollowTheTerminal(variables: [String], colors: TerminalKind.Colors) {
        #expect(TerminalKind(environment: variables).colors == colors)
    }
}
