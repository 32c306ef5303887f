// All that stands in a slot, from back to front; without a holder, all that stands in the viewport.
import QtQuick

Item {
    id: slot

    property var stage
    // "component/view", or nothing.
    property string holder: ""

    anchors.fill: parent

    Repeater {
        model: (slot.stage.scene?.components ?? []).filter(
            one => (one.parent === null ? "" : one.parent + "/" + one.slot) === slot.holder)

        Item {
            id: part

            required property var modelData
            readonly property var now: slot.stage.shown[modelData.id] ?? { views: {}, model: {} }
            // A text changes with the names only: a list would be new in each frame.
            readonly property string names: Object.keys(now.views).join(" ")

            x: modelData.frame[0]
            y: modelData.frame[1]
            width: modelData.frame[2]
            height: modelData.frame[3]
            clip: modelData.clip

            Repeater {
                model: part.names === "" ? [] : part.names.split(" ")

                View {
                    required property string modelData

                    stage: slot.stage
                    component: part.modelData
                    now: part.now
                    name: modelData
                }
            }
        }
    }
}
