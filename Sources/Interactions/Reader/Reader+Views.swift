package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension Reader {
    package var phase: String {
        switch state {
        case .resting: "resting"
        case .dragging: "dragging"
        case .returning: "returning"
        case .paging: "paging"
        }
    }

    package func model(into sink: inout some StateSink) {
        let (previous, next) = (hasNeighbour(.previous), hasNeighbour(.next))
        sink.field("index", index)
        sink.field("page", index)
        if case .paging(let paging) = state {
            sink.field("incoming", neighbour(paging.way))
        } else {
            sink.null("incoming")
        }
        sink.field("count", parameters.pages.count)
        sink.field("title", text: parameters.pages.title(index))
        sink.field("previous_title", text: previous ? parameters.pages.title(index - 1) : nil)
        sink.field("next_title", text: next ? parameters.pages.title(index + 1) : nil)
        sink.field("offset", points: offset)
        sink.field("header", previous ? header.state : "hidden")
        sink.field("footer", next ? footer.state : "hidden")
        // The neighbours, without allocating an array.
        sink.field(
            "preload",
            stride(
                from: previous ? index - 1 : index + 1, through: next ? index + 1 : index - 1, by: 2
            ))
    }

    package func views(into sink: inout some StateSink) {
        let tops = self.tops
        func view(_ name: StaticString, _ top: Double, height: Double, z: Int) {
            let size = Size(parameters.size.width, height)
            let center = Vector(size.width / 2, top - offset + height / 2)
            sink.view(
                name, ViewState(center: center, size: size, z: z, cut: cuts[name.description]))
        }
        func arrow(_ name: StaticString, in bar: PullBar, _ top: Double) {
            sink.view(
                name,
                ViewState(
                    center: parameters.arrow.center + Vector(0, top - offset),
                    size: parameters.arrow.size, rotation: bar.angle(at: shownStep), z: 3,
                    cut: cuts[name.description]))
        }
        let (hasHeader, hasFooter) = (hasNeighbour(.previous), hasNeighbour(.next))
        view("page", tops.page, height: height, z: 0)
        if hasHeader { view("header", tops.header, height: parameters.headerHeight, z: 1) }
        if hasFooter { view("footer", tops.footer, height: parameters.footerHeight, z: 1) }
        if let top = tops.incoming { view("incoming", top, height: height, z: 2) }
        if hasHeader { arrow("header_arrow", in: header, tops.header) }
        if hasFooter { arrow("footer_arrow", in: footer, tops.footer) }
    }

    /// The neighbour is the page now, and the bar that went with the former one is back at its end.
    mutating func placeAnew(by way: Paging.Way) {
        cuts.grow("page")
        cuts.grow("incoming")
        switch way {
        case .previous:
            cuts.grow("header")
            cuts.grow("header_arrow")
        case .next:
            cuts.grow("footer")
            cuts.grow("footer_arrow")
        }
    }

    /// The views' top edges in the content's coordinates, in points.
    private var tops: (page: Double, header: Double, footer: Double, incoming: Double?) {
        let header = -parameters.headerHeight
        guard case .paging(let paging) = state else { return (0, header, height, nil) }
        func way(_ from: Double, _ to: Double) -> Double {
            paging.between(from, to, at: shownStep)
        }
        let out = height + parameters.headerHeight
        switch paging.way {
        case .next:
            let footer = way(height, -parameters.footerHeight)
            return (way(0, -out), header, footer, way(height + paging.offset, 0))
        case .previous:
            return (way(0, out), way(header, height), height, way(-height + paging.offset, 0))
        }
    }
}

extension Reader {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        let fresh = Reader(parameters, viewport: viewport, tracker: tracker)
        guard index >= 0, index < parameters.pages.count, header.isSound(like: fresh.header),
            footer.isSound(like: fresh.footer), !header.isLoaded || hasNeighbour(.previous),
            !footer.isLoaded || hasNeighbour(.next), stroke?.isSound != false
        else { return false }
        switch state {
        case .resting: return true
        case .dragging(.client(let client)): return client.isSound
        case .dragging(.contact(let scroller)), .returning(let scroller):
            // A wheel's series would have no timer here, and never end.
            return scroller.isSound(like: springing(from: 0, 0)) && scroller.wheelSeries == nil
        case .dragging(.wheel(let scroller)):
            return scroller.isSound(like: springing(from: 0, 0)) && scroller.wheelSeries != nil
        case .paging(let paging): return paging.isSound && hasNeighbour(paging.way)
        }
    }
}
