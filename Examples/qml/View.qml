// One view: its box, its text, and the components that stand in it.
import QtQuick

Item {
    id: view

    property var stage
    property var component
    property var now
    property string name
    // A view goes before its item does.
    readonly property var at: now.views[name] ?? { x: 0, y: 0, w: 0, h: 0, alpha: 0 }
    readonly property var look: content(component, now.model)
    // A screen that the scene describes has a bar with its titles, and no other text.
    readonly property var titles: component.kind !== "navigation" ? undefined
        : now.model.screens?.find(screen => screen.name === name)
    readonly property color ink: color(look.color ?? "black")
    // Views that look as their component.
    readonly property var mains: new RegExp("^(navigation|tipstip|tossitem|profilecontent|" +
        "listrow|reader(page|incoming)|tabsbar|buttonbutton|panelpanel|label(label|former))")

    x: at.x - at.w / 2
    y: at.y - at.h / 2
    z: at.z ?? 0
    width: at.w
    height: at.h
    rotation: (at.rotation ?? 0) * 180 / Math.PI
    scale: at.scale ?? 1
    opacity: at.alpha

    // By the conventions of docs/protocol/draw.md.
    function content({ kind, content, parameters: { items, tips } }, model) {
        const item = items?.find(({ id }) => (kind === "tabs" ? "item-" : "") + id === name);
        const round = kind === "dynamics" && item?.shape === "circle";
        if (item) return Object.assign({ round }, item.content);
        const [word, row] = name.split("-");
        const told = kind === "list" && word === "row" ? stage.rows[component.id] : undefined;
        const { title, previous_title: header, next_title: footer } = model;
        const incoming = model.incoming < model.index ? header : footer;
        const texts = { tip: title, page: title, header, footer, incoming };
        return Object.assign(
            { text: word === "row" ? (told ? "" : "Row " + row) : texts[word] },
            mains.test(kind + word) && content,
            kind === "navigation" ? content.screens?.[name]
                : content[kind === "profile" && word === "label" ? "name" : word],
            told?.rows[row - told.from]?.content,
            word === "tip" && (model.content ?? tips?.[model.index]?.content),
            kind === "label" && { text: word === "former" ? model.former_text : model.text });
    }

    // CSS writes alpha last, Qt first.
    function color(css) {
        if (/^#[0-9a-f]{8}$/i.test(css)) return "#" + css.slice(7) + css.slice(1, 7);
        return /^(#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+)$/i.test(css) ? css : "transparent";
    }

    Rectangle {
        anchors.centerIn: parent
        width: view.width
        height: view.look.round ? width : view.height
        color: view.color(view.look.background ?? (view.look.text ? "" : view.look.color) ?? "")
        radius: view.look.round ? width / 2 : view.look.corner_radius ?? 0
    }

    Text {
        anchors.centerIn: parent
        text: view.titles ? "" : view.look.text ?? ""
        textFormat: Text.PlainText
        color: view.ink
        font.pixelSize: view.look.font_size ?? 12
    }

    Text {
        anchors.horizontalCenter: parent.horizontalCenter
        y: 12
        text: view.titles?.title ?? ""
        textFormat: Text.PlainText
        color: view.ink
        font.pixelSize: 17
    }

    // The title of the screen below. The button that leads there is the scene's.
    Text {
        x: 8
        y: 12
        text: view.titles?.back_title ? "‹ " + view.titles.back_title : ""
        textFormat: Text.PlainText
        color: view.ink
        font.pixelSize: 16
    }

    // A type of QML cannot name itself, so that a slot in a slot is loaded.
    Loader {
        readonly property string holder: view.component.id + "/" + view.name

        anchors.fill: parent
        Component.onCompleted: if (view.stage.scene.components.some(
            one => one.parent + "/" + one.slot === holder))
            setSource("Slot.qml", { stage: view.stage, holder });
    }
}
