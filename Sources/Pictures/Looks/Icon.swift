import Geometry
import Notation

/// Line drawings on a square of 24 by 24 points.
enum Icon: String, CaseIterable {
    case home, star, share, news, person, heart, speech, bell, at, mail, pin, note, photo, arrow
    case chevron, pencil, bag, dot

    /// Words in names that call for an icon.
    private static let words: [(word: String, icon: Icon)] = [
        ("thread", .speech), ("home", .home), ("dashboard", .home), ("popular", .star),
        ("favor", .star), ("share", .share), ("news", .news), ("read", .news), ("profile", .person),
        ("follow", .person), ("person", .person), ("like", .heart), ("comment", .speech),
        ("message", .speech), ("notif", .bell), ("ready", .bell),
        ("mention", .at), ("mail", .mail), ("map", .pin), ("music", .note), ("photo", .photo),
        ("picture", .photo), ("market", .bag), ("compose", .pencil), ("reply", .pencil),
    ]

    /// The icon that a name calls for; a dot for any other name.
    init(for name: String) {
        let name = name.lowercased()
        self = Self.words.first { name.holds($0.word) }?.icon ?? .dot
    }

    /// Draws it around a point, `size` points high.
    func draw(on canvas: Canvas, at center: Vector, size: Double, _ color: Color) {
        canvas.saved {
            canvas.translate(center.x - size / 2, center.y - size / 2)
            canvas.scale(size / 24)
            for line in lines { canvas.stroke(line, color, width: 1.9) }
            for shape in fills { canvas.fill(shape, color) }
        }
    }

    private var lines: [Shape] {
        switch self {
        case .home:
            [
                .lines([(3.5, 11), (12, 3.5), (20.5, 11)]),
                .lines([(5.5, 10), (5.5, 20.5), (18.5, 20.5), (18.5, 10)]),
                .lines([(10, 20), (10, 14.5), (14, 14.5), (14, 20)]),
            ]
        case .star: [Self.starShape]
        case .share:
            [
                .lines([(12, 15), (12, 3.5)]), .lines([(7.8, 7.5), (12, 3.3), (16.2, 7.5)]),
                .lines([(8, 11), (5, 11), (5, 21), (19, 21), (19, 11), (16, 11)]),
            ]
        case .news:
            [
                .box(3.5, 4, 17, 16.5, radius: 2), .lines([(7, 8.5), (17, 8.5)]),
                .lines([(7, 12.5), (17, 12.5)]), .lines([(7, 16.5), (13, 16.5)]),
            ]
        case .person:
            [
                .circle(12, 8, 4.2),
                Shape([
                    .move(Vector(4, 21)),
                    .curve(Vector(4.5, 12.5), Vector(19.5, 12.5), Vector(20, 21)),
                ]),
            ]
        case .bell:
            [
                Shape([
                    .move(Vector(4.5, 17.5)),
                    .curve(Vector(8.5, 13), Vector(4, 4), Vector(12, 4)),
                    .curve(Vector(20, 4), Vector(15.5, 13), Vector(19.5, 17.5)), .close,
                ]), .lines([(10.5, 20.5), (13.5, 20.5)]),
            ]
        case .at:
            [
                .circle(12, 12, 3.6),
                Shape([
                    .move(Vector(15.6, 8.5)), .line(Vector(15.6, 13)),
                    .curve(Vector(15.8, 17), Vector(20.8, 16), Vector(20.5, 11.5)),
                    .curve(Vector(20, 1), Vector(3.5, 1), Vector(3.5, 12)),
                    .curve(Vector(3.5, 20), Vector(11, 22.5), Vector(16.5, 19.4)),
                ]),
            ]
        case .mail:
            [.box(3, 5.5, 18, 13.5, radius: 2), .lines([(3.5, 7), (12, 13.5), (20.5, 7)])]
        case .photo:
            [
                .box(3, 4.5, 18, 15, radius: 2.5), .circle(8.5, 9.5, 1.6),
                .lines([(4, 17.5), (9.5, 12.5), (13, 16), (16, 13.5), (20, 17)]),
            ]
        case .arrow: [.lines([(12, 4), (12, 20)]), .lines([(6, 13.5), (12, 20), (18, 13.5)])]
        case .chevron: [.lines([(15, 5), (8, 12), (15, 19)])]
        case .pencil:
            [
                .polygon([(4.5, 19.5), (5.5, 15), (16, 4.5), (19.5, 8), (9, 18.5)]),
                .lines([(13.5, 7), (17, 10.5)]),
            ]
        case .bag:
            [
                .polygon([(5, 9), (19, 9), (20, 20.5), (4, 20.5)]),
                .lines([(8.5, 12), (8.5, 7.5), (10, 4.6), (14, 4.6), (15.5, 7.5), (15.5, 12)]),
            ]
        case .pin: [Self.pinShape, .circle(12, 9.5, 2.4)]
        case .note: [.lines([(9, 17), (9, 5.5), (19, 3.5), (19, 15)])]
        case .heart, .speech, .dot: []
        }
    }

    private var fills: [Shape] {
        switch self {
        case .heart:
            [
                Shape([
                    .move(Vector(12, 20.5)),
                    .curve(Vector(-3, 11), Vector(6, -0.5), Vector(12, 6.8)),
                    .curve(Vector(18, -0.5), Vector(27, 11), Vector(12, 20.5)), .close,
                ])
            ]
        case .speech:
            [.box(2.5, 3.5, 19, 13.5, radius: 5), .polygon([(6, 14), (6, 21.5), (12.5, 16)])]
        case .dot: [.circle(12, 12, 5)]
        case .note: [.circle(6.4, 17.4, 2.9), .circle(16.4, 15.4, 2.9)]
        case .home, .star, .share, .news, .person, .bell, .at, .mail, .pin, .photo, .arrow,
            .chevron, .pencil, .bag:
            []
        }
    }

    private static let starShape = Shape.polygon(
        (0..<10).map { point in
            let (sine, cosine) = Angle.sineCosine(Double(point) * .pi / 5)
            let radius = point % 2 == 0 ? 9.2 : 4.0
            return (12 + radius * sine, 12.6 - radius * cosine)
        })

    private static let pinShape = Shape([
        .move(Vector(12, 21.5)), .curve(Vector(8, 16), Vector(5, 13), Vector(5, 9.5)),
        .curve(Vector(5, 0.7), Vector(19, 0.7), Vector(19, 9.5)),
        .curve(Vector(19, 13), Vector(16, 16), Vector(12, 21.5)), .close,
    ])
}
