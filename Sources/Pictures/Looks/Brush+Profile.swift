import Geometry
import Notation

extension Brush {
    /// Posts of a page, which may be as long as a scene likes; no screen shows more.
    private static let postsMax = 64

    /// A person's page: a banner, a portrait, a name, and what the person wrote.
    func drawProfile(_ view: Picture.View, _ style: BrushStyle) {
        switch view.name {
        case "content": drawPosts(view, style)
        case "header":
            let background = style.background ?? Color(0x4099ff)
            canvas.fill(.box(0, 0, view.width, view.height), background)
            if let image = style.image {
                let place = Rect(0, 0, view.width, view.height)
                return drawScenery(place, radius: 0, of: image, number: 0)
            }
            canvas.saved {
                canvas.clip(.box(0, 0, view.width, view.height))
                for (x, y, radius) in [(0.16, 1.1, 0.7), (0.55, -0.1, 0.8), (0.93, 1.0, 0.9)] {
                    canvas.fill(
                        .circle(view.width * x, view.height * y, view.height * radius),
                        Color.white.opacity(0.12))
                }
            }
        case "blur":
            canvas.fill(
                .box(0, 0, view.width, view.height), style.background ?? Color(0x2a6db8))
        case "avatar": drawAvatar(view, style)
        case "label":
            drawCentered(
                style.text ?? "", size: style.fontSize ?? 17, weight: 700, style.color ?? .white,
                in: view)
        default: drawPlain(view, style)
        }
    }

    private func drawAvatar(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color(0xffcc00)
        let (w, h) = (view.width, view.height)
        let rim = 4.0
        canvas.fill(
            .box(-rim, -rim, w + 2 * rim, h + 2 * rim, radius: style.cornerRadius + rim), .white)
        canvas.fill(.box(0, 0, w, h, radius: style.cornerRadius), background)
        if let image = style.image, canvas.photos?.named(image) != nil {
            return drawScenery(
                Rect(0, 0, w, h), radius: style.cornerRadius, of: image, number: 0)
        }
        canvas.saved {
            canvas.clip(.box(0, 0, w, h, radius: style.cornerRadius))
            let color = background.darker(0.42)
            canvas.fill(.circle(w / 2, h * 0.4, h * 0.2), color)
            canvas.fill(.circle(w / 2, h * 1.06, h * 0.4), color)
        }
    }

    private func drawPosts(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? .white
        let ink = style.color ?? background.ink
        canvas.fill(.box(0, 0, view.width, view.height), background)
        // The portrait and its banner lie over the first part of the page.
        let avatar = component.parameters["avatar"]?.numbers ?? []
        let top = avatar.count == 4 ? avatar[1] + avatar[3] : 142
        let name = component.content["name"]?["text"]?.string ?? ""
        canvas.draw(
            Text(name, size: 22, weight: 700, width: view.width - 32), at: Vector(16, top + 10),
            ink)
        if let posts = component.content["posts"]?.array {
            return drawWritten(posts, top: top + 44, view, ink)
        }
        drawBar(16, top + 46, 96, 8, ink.opacity(0.28))
        drawParagraph(
            x: 16, y: top + 68, width: view.width - 48, lines: 2, seed: 1, ink.opacity(0.42))
        for (index, width) in [54.0, 70, 62].enumerated() {
            drawBar(16 + 96 * Double(index), top + 110, width, 9, ink.opacity(0.7))
        }
        var (post, y) = (0, top + 138)
        while y < view.height - 60, post < Self.postsMax {
            drawPost(post, y: y, width: view.width, ink)
            y += 118
            post += 1
        }
    }

    /// Words that the scene gives: about the person, and posts.
    private func drawWritten(_ posts: [Node], top: Double, _ view: Picture.View, _ ink: Color) {
        let width = max(view.width - 32, 1)
        let about = Text(
            component.content["about"]?.string ?? "", size: 15, width: width, lines: 3,
            spacing: 1.25)
        canvas.draw(about, at: Vector(16, top), ink.opacity(0.8))
        var y = top + canvas.size(of: about).height + 16
        for post in posts.prefix(Self.postsMax) where y < view.height {
            canvas.fill(.box(16, y, width, 1), ink.opacity(0.14))
            let text = Text(post.string ?? "", size: 15, width: width, lines: 3, spacing: 1.25)
            canvas.draw(text, at: Vector(16, y + (92 - canvas.size(of: text).height) / 2), ink)
            y += 92
        }
    }

    private func drawPost(_ post: Int, y: Double, width: Double, _ ink: Color) {
        canvas.fill(.box(0, y, width, 1), ink.opacity(0.12))
        let color = Color.palette[around: post * 4]
        canvas.fill(.circle(36, y + 34, 20), color)
        Icon.person.draw(on: canvas, at: Vector(36, y + 34), size: 20, .white)
        drawBar(68, y + 18, 96 + 40 * Self.varied(post), 9, ink.opacity(0.75))
        drawParagraph(
            x: 68, y: y + 40, width: width - 92, lines: 3, seed: post * 11, height: 7, leading: 16,
            ink.opacity(0.3))
        for (index, icon) in [Icon.speech, .heart, .share].enumerated() {
            icon.draw(
                on: canvas, at: Vector(76 + 70 * Double(index), y + 99), size: 14,
                ink.opacity(0.3))
        }
    }
}
