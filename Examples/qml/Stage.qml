// A session in a window of any size: its viewport, and the touches on it.
import QtQuick

Rectangle {
    id: stage

    required property QtObject source
    property var scene: null
    property var shown: ({})
    readonly property var viewport: scene?.viewport ?? [320, 568]

    width: viewport[0]
    height: viewport[1]
    color: scene?.content?.background ?? "#101014"

    function take() {
        const { scene, states } = JSON.parse(source.take());
        // A new scene makes all items anew; states move them.
        if (JSON.stringify(scene) !== JSON.stringify(stage.scene)) stage.scene = scene;
        stage.shown = states;
    }

    Component.onCompleted: take()

    Connections {
        target: stage.source
        function onCame() { stage.take(); }
    }

    Item {
        anchors.centerIn: parent
        width: stage.viewport[0]
        height: stage.viewport[1]
        scale: Math.min(stage.width / width, stage.height / height)
        clip: true

        Slot { stage: stage }

        // Fingers, and the mouse as another one, in points of the viewport.
        MultiPointTouchArea {
            anchors.fill: parent
            mouseEnabled: true

            function send(points, phase) {
                for (const one of points) stage.source.touch(one.pointId, phase, one.x, one.y);
            }

            onPressed: points => send(points, "began")
            onUpdated: points => send(points, "changed")
            onReleased: points => send(points, "ended")
            onCanceled: points => send(points, "cancelled")
        }

        WheelHandler {
            // Qt counts eighths of a degree, upward; a notch of 15 degrees is 48 points here.
            onWheel: event => stage.source.wheel(
                -event.angleDelta.x * 0.4, -event.angleDelta.y * 0.4, event.x, event.y)
        }
    }
}
