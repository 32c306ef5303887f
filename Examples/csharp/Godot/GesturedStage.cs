// Draws and touches a session of gestured with Godot's controls (Godot 4, .NET).
//
// Put it and the folder Gestured into the project, and attach it to a Control that receives the
// input. Colors and texts come from the scene's content; put pictures of your own in Paint.
using System.Collections.Generic;
using System.Linq;
using Gestured;
using Godot;

public partial class GesturedStage : Control
{
    [Export] public string Url = "ws://127.0.0.1:7480/";
    [Export] public string SessionName = "alice";

    const int MousePointer = 100;
    // The bar of a screen, in points.
    const int BarHeight = 44, BarMargin = 8, TitleSize = 17, BackSize = 16;

    readonly Dictionary<string, Panel> boxes = new Dictionary<string, Panel>();
    readonly HashSet<string> shown = new HashSet<string>();
    Client client;
    Session watched;

    public override void _Ready()
    {
        client = new Client(Url);
        watched = client.Watch(SessionName);
    }

    public override void _ExitTree() { client.Dispose(); }

    public override void _Process(double delta)
    {
        client.Update();
        if (watched.Scene == null) return;
        var viewport = watched.Scene.List("viewport");
        Size = new Vector2((float)(double)viewport[0], (float)(double)viewport[1]);
        shown.Clear();
        Place(watched.Layers(), this);
        // The ones furthest inside first: a node frees what it holds.
        foreach (var key in boxes.Keys.Where(it => !shown.Contains(it)).ToArray())
        {
            if (IsInstanceValid(boxes[key])) boxes[key].QueueFree();
            boxes.Remove(key);
        }
    }

    // Session.Touch passes over moves of what is not down.
    public override void _GuiInput(InputEvent told)
    {
        // Godot may tell a finger as a mouse, too, or a mouse as a finger.
        if (told.Device == InputEvent.DeviceIdEmulation) return;
        if (told is InputEventScreenTouch touch)
            Send(touch.Index, touch.Canceled ? "cancelled" : touch.Pressed ? "began" : "ended",
                touch.Position);
        else if (told is InputEventScreenDrag drag)
            Send(drag.Index, "changed", drag.Position);
        else if (told is InputEventMouseButton button && button.ButtonIndex == MouseButton.Left)
            Send(MousePointer, button.Pressed ? "began" : "ended", button.Position);
        else if (told is InputEventMouseMotion motion)
            Send(MousePointer, "changed", motion.Position);
    }

    void Send(int pointer, string phase, Vector2 point)
    {
        watched.Touch(pointer, phase, point.X, point.Y);
        AcceptEvent();
    }

    void Place(List<Layer> layers, Control holder)
    {
        for (int index = 0; index < layers.Count; index++)
        {
            Layer layer = layers[index];
            Panel box;
            if (!boxes.TryGetValue(layer.Key, out box) || !IsInstanceValid(box))
                boxes[layer.Key] = box = Make(layer);
            shown.Add(layer.Key);
            if (box.GetParent() == null) holder.AddChild(box);
            else if (box.GetParent() != holder) box.Reparent(holder, false);
            // A view's label stands before what the view holds.
            holder.MoveChild(box, holder == this || layer.View != null ? index : index + 1);
            box.Size = new Vector2((float)layer.W, (float)layer.H);
            box.Position = new Vector2((float)layer.Left, (float)layer.Top);
            box.PivotOffset = box.Size / 2;
            box.Rotation = (float)layer.Rotation;
            box.Scale = new Vector2((float)layer.Scale, (float)layer.Scale);
            box.Modulate = new Color(1, 1, 1, (float)layer.Alpha);
            box.ClipContents = layer.Clip;
            Paint(layer, box);
            Place(layer.Children, box);
        }
    }

    Panel Make(Layer layer)
    {
        var box = new Panel { MouseFilter = MouseFilterEnum.Ignore };
        box.AddThemeStyleboxOverride("panel", new StyleBoxFlat());
        if (layer.View == null) return box;
        var label = Words(HorizontalAlignment.Center);
        box.AddChild(label);
        label.SetAnchorsPreset(LayoutPreset.FullRect);
        var back = Words(HorizontalAlignment.Left);
        back.AddThemeFontSizeOverride("font_size", BackSize);
        label.AddChild(back);
        return box;
    }

    static Label Words(HorizontalAlignment alignment)
    {
        return new Label {
            MouseFilter = MouseFilterEnum.Ignore,
            HorizontalAlignment = alignment,
            VerticalAlignment = VerticalAlignment.Center };
    }

    void Paint(Layer layer, Panel box)
    {
        var clear = new Color(0, 0, 0, 0);
        var style = (StyleBoxFlat)box.GetThemeStylebox("panel");
        style.BgColor = clear;
        if (layer.View == null) return;
        // A screen has its titles in a bar at its top, all else its text in the middle.
        bool hasBar = layer.Titles != null;
        string words = (hasBar ? layer.Titles.Find("title") : layer.Content.Find("text")) as string;
        string below = hasBar ? layer.Titles.Find("back_title") as string : null;
        string background = layer.Content.Find("background") as string
            ?? (words == null && !hasBar ? layer.Content.Find("color") as string : null);
        style.BgColor = Color.FromString(background ?? "", clear);
        style.SetCornerRadiusAll(
            (int)(layer.Round ? layer.W / 2 : layer.Content.Number("corner_radius")));
        var ink = Color.FromString(
            layer.Content.Find("color") as string ?? "", new Color(0, 0, 0, 1));
        var label = (Label)box.GetChild(0);
        label.Text = words ?? "";
        label.Size = new Vector2((float)layer.W, hasBar ? BarHeight : (float)layer.H);
        label.AddThemeFontSizeOverride(
            "font_size", hasBar ? TitleSize : (int)layer.Content.Number("font_size", 12));
        label.AddThemeColorOverride("font_color", ink);
        // The button that leads back is the scene's; this is what it says.
        var back = (Label)label.GetChild(0);
        back.Text = below == null ? "" : "\u2039 " + below;
        back.Position = new Vector2(BarMargin, 0);
        back.Size = new Vector2(0, BarHeight);
        back.AddThemeColorOverride("font_color", ink);
    }
}
