// Draws and touches a session of gestured with Unity's UI.
//
// Put it and the folder Gestured into Assets, and this component on an empty RectTransform of a
// Canvas. Colors and texts come from the scene's content; put pictures of your own in Paint.
using System.Collections.Generic;
using Gestured;
using UnityEngine;
using UnityEngine.UI;

public sealed class GesturedStage : MonoBehaviour
{
    public string url = "ws://127.0.0.1:7480/";
    public string session = "alice";

    const int MousePointer = 100;
    // The bar of a screen, in points.
    const int BarHeight = 44, BarMargin = 8, TitleSize = 17, BackSize = 16;

    readonly Dictionary<string, RectTransform> boxes = new Dictionary<string, RectTransform>();
    readonly HashSet<string> shown = new HashSet<string>();
    Client client;
    Session watched;

    void Start()
    {
        client = new Client(url);
        watched = client.Watch(session);
    }

    void OnDestroy() { client.Dispose(); }

    void Update()
    {
        client.Update();
        if (watched.Scene == null) return;
        ReadInput();
        var stage = (RectTransform)transform;
        var viewport = watched.Scene.List("viewport");
        stage.pivot = new Vector2(0, 1);
        stage.sizeDelta = new Vector2((float)(double)viewport[0], (float)(double)viewport[1]);
        shown.Clear();
        Place(watched.Layers(), stage);
        foreach (var key in new List<string>(boxes.Keys))
        {
            if (shown.Contains(key)) continue;
            Destroy(boxes[key].gameObject);
            boxes.Remove(key);
        }
    }

    void Place(List<Layer> layers, RectTransform holder)
    {
        for (int index = 0; index < layers.Count; index++)
        {
            Layer layer = layers[index];
            RectTransform box;
            // A box goes with the holder that Unity destroys.
            if (!boxes.TryGetValue(layer.Key, out box) || box == null)
                boxes[layer.Key] = box = Make(layer);
            shown.Add(layer.Key);
            if (box.parent != holder) box.SetParent(holder, false);
            // A label stands behind what the view holds.
            box.SetSiblingIndex(holder == transform || layer.View != null ? index : index + 1);
            float w = (float)layer.W, h = (float)layer.H;
            // Unity's y points up, so places and turns change their sign.
            box.sizeDelta = new Vector2(w, h);
            float x = (float)layer.Left + w / 2, y = (float)layer.Top + h / 2;
            box.anchoredPosition = new Vector2(x, -y);
            box.localRotation = Quaternion.Euler(0, 0, -(float)layer.Rotation * Mathf.Rad2Deg);
            box.localScale = new Vector3((float)layer.Scale, (float)layer.Scale, 1);
            box.GetComponent<CanvasGroup>().alpha = (float)layer.Alpha;
            Paint(layer, box);
            Place(layer.Children, box);
        }
    }

    RectTransform Make(Layer layer)
    {
        var made = new GameObject(layer.Key, typeof(RectTransform), typeof(CanvasGroup));
        var box = made.GetComponent<RectTransform>();
        box.anchorMin = box.anchorMax = new Vector2(0, 1);
        box.pivot = new Vector2(0.5f, 0.5f);
        // It cuts at upright boxes; for turned ones take a Mask with an Image.
        if (layer.Clip) made.AddComponent<RectMask2D>();
        if (layer.View == null) return box;
        made.AddComponent<Image>().raycastTarget = false;
        var label = Words("label", box, TextAnchor.MiddleCenter);
        var back = Words("back", label.transform, TextAnchor.MiddleLeft);
        back.fontSize = BackSize;
        ((RectTransform)back.transform).sizeDelta = new Vector2(-2 * BarMargin, 0);
        return box;
    }

    static Text Words(string name, Transform holder, TextAnchor alignment)
    {
        var made = new GameObject(name, typeof(RectTransform), typeof(Text));
        var text = made.GetComponent<Text>();
        text.font = Resources.GetBuiltinResource<Font>("LegacyRuntime.ttf");
        text.alignment = alignment;
        text.raycastTarget = false;
        var place = made.GetComponent<RectTransform>();
        place.anchorMin = new Vector2(0, 0);
        place.anchorMax = new Vector2(1, 1);
        place.SetParent(holder, false);
        return text;
    }

    void Paint(Layer layer, RectTransform box)
    {
        if (layer.View == null) return;
        Color color;
        // A screen has its titles in a bar at its top, all else its text in the middle.
        bool hasBar = layer.Titles != null;
        string words = (hasBar ? layer.Titles.Find("title") : layer.Content.Find("text")) as string;
        string below = hasBar ? layer.Titles.Find("back_title") as string : null;
        string background = layer.Content.Find("background") as string
            ?? (words == null && !hasBar ? layer.Content.Find("color") as string : null);
        bool isColored = ColorUtility.TryParseHtmlString(background ?? "", out color);
        box.GetComponent<Image>().color = isColored ? color : Color.clear;
        var text = box.Find("label").GetComponent<Text>();
        text.text = words ?? "";
        text.fontSize = hasBar ? TitleSize : (int)layer.Content.Number("font_size", 12);
        text.color = ColorUtility.TryParseHtmlString(
            layer.Content.Find("color") as string ?? "", out color) ? color : Color.black;
        float height = hasBar ? BarHeight : 0;
        var place = (RectTransform)text.transform;
        place.anchorMin = new Vector2(0, hasBar ? 1 : 0);
        place.sizeDelta = new Vector2(0, height);
        place.anchoredPosition = new Vector2(0, -height / 2);
        // The button that leads back is the scene's; this is what it says.
        var back = text.transform.Find("back").GetComponent<Text>();
        back.text = below == null ? "" : "\u2039 " + below;
        back.color = text.color;
    }

    void ReadInput()
    {
        for (int index = 0; index < Input.touchCount; index++)
        {
            Touch touch = Input.GetTouch(index);
            string phase = touch.phase == TouchPhase.Began ? "began"
                : touch.phase == TouchPhase.Ended ? "ended"
                : touch.phase == TouchPhase.Canceled ? "cancelled"
                : touch.phase == TouchPhase.Moved ? "changed" : null;
            if (phase != null) Send(touch.fingerId, phase, touch.position);
        }
        if (Input.touchCount > 0) return;
        if (Input.GetMouseButtonDown(0)) Send(MousePointer, "began", Input.mousePosition);
        else if (Input.GetMouseButtonUp(0)) Send(MousePointer, "ended", Input.mousePosition);
        else if (Input.GetMouseButton(0)) Send(MousePointer, "changed", Input.mousePosition);
    }

    void Send(int pointer, string phase, Vector2 screen)
    {
        Vector2 point;
        var canvas = GetComponentInParent<Canvas>();
        RectTransformUtility.ScreenPointToLocalPointInRectangle(
            (RectTransform)transform, screen, canvas.worldCamera, out point);
        watched.Touch(pointer, phase, point.x, -point.y);
    }
}
