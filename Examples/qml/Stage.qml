// A session in a window of any size: its viewport, and the touches on it.
import QtQuick

Rectangle {
    id: stage

    required property QtObject source
    property var scene: null
    property var shown: ({})
    property var rows: ({})
    readonly property var viewport: scene?.viewport ?? [320, 568]

    width: viewport[0]
    height: viewport[1]
    color: scene?.content?.background ?? "#101014"

    // A frame may have come before.
    Component.onCompleted: take()

    function take() {
        const frame = JSON.parse(source.take());
        // A new scene makes all items anew; states move them.
        if (JSON.stringify(frame?.scene) !== JSON.stringify(scene)) scene = frame?.scene ?? null;
        rows = frame?.rows ?? {};
        shown = frame?.states ?? {};
    }

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
            property var down: ({})

            anchors.fill: parent
            mouseEnabled: true
            onPressed: points => send(points, "began")
            onUpdated: points => send(points, "changed")
            onReleased: points => send(points, "ended")
            onCanceled: points => send(points, "cancelled")

            function send(points, phase) {
                for (const { pointId: pointer, x, y } of points) {
                    down[pointer] = { pointId: pointer, x, y };
                    if (phase === "ended" || phase === "cancelled") delete down[pointer];
                    stage.source.publish(
                        JSON.stringify({ gesture: "pointer", phase, pointer, x, y }));
                }
            }

            // The daemon cancels a contact that is silent for 3 s.
            Timer {
                running: true
                repeat: true
                interval: 900
                onTriggered: parent.send(Object.values(parent.down), "changed")
            }
        }

        WheelHandler {
            // Qt counts eighths of a degree, upward; a notch of 15 degrees is 48 points here.
            onWheel: ({ angleDelta, x, y }) => stage.source.publish(JSON.stringify(
                { gesture: "wheel", dx: -0.4 * angleDelta.x, dy: -0.4 * angleDelta.y, x, y }))
        }
    }
}
