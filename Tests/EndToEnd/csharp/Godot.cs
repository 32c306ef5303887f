// The few declarations of Godot that Examples/csharp/Godot names, so that it can be compiled
// without Godot. They do nothing: they check spelling and types against Godot 4's documentation.
using System;

namespace Godot
{
    public sealed class ExportAttribute : Attribute { }

    public struct Vector2
    {
        public float X, Y;
        public Vector2(float x, float y) { X = x; Y = y; }
        public static Vector2 operator /(Vector2 one, float by) { return one; }
    }

    public struct Color
    {
        public Color(float r, float g, float b, float a = 1) { }
        public static Color FromString(string text, Color otherwise) { return otherwise; }
    }

    public enum MouseButton : long { None, Left }
    public enum HorizontalAlignment : long { Left, Center }
    public enum VerticalAlignment : long { Top, Center }

    public class GodotObject
    {
        public static bool IsInstanceValid(GodotObject one) { return one != null; }
    }

    public class Resource : GodotObject { }
    public class StyleBox : Resource { }

    public class StyleBoxFlat : StyleBox
    {
        public Color BgColor { get; set; }
        public void SetCornerRadiusAll(int radius) { }
    }

    public class InputEvent : Resource
    {
        public const long DeviceIdEmulation = -1;
        public int Device { get; set; }
    }

    public class InputEventScreenTouch : InputEvent
    {
        public int Index { get; set; }
        public bool Pressed { get; set; }
        public bool Canceled { get; set; }
        public Vector2 Position { get; set; }
    }

    public class InputEventScreenDrag : InputEvent
    {
        public int Index { get; set; }
        public Vector2 Position { get; set; }
    }

    public class InputEventMouse : InputEvent { public Vector2 Position { get; set; } }

    public class InputEventMouseButton : InputEventMouse
    {
        public MouseButton ButtonIndex { get; set; }
        public bool Pressed { get; set; }
    }

    public class InputEventMouseMotion : InputEventMouse { }

    public class Node : GodotObject
    {
        public virtual void _Ready() { }
        public virtual void _Process(double delta) { }
        public virtual void _ExitTree() { }
        public Node GetParent() { return null; }
        public Node GetChild(int index, bool includesInternal = false) { return null; }
        public void AddChild(Node child) { }
        public void MoveChild(Node child, int index) { }
        public void Reparent(Node parent, bool keepsGlobalTransform = true) { }
        public void QueueFree() { }
    }

    public class CanvasItem : Node { public Color Modulate { get; set; } }

    public class Control : CanvasItem
    {
        public enum MouseFilterEnum : long { Stop, Pass, Ignore }
        public enum LayoutPreset : long { TopLeft, FullRect = 15 }
        public Vector2 Size { get; set; }
        public Vector2 Position { get; set; }
        public Vector2 PivotOffset { get; set; }
        public Vector2 Scale { get; set; }
        public float Rotation { get; set; }
        public bool ClipContents { get; set; }
        public MouseFilterEnum MouseFilter { get; set; }
        public virtual void _GuiInput(InputEvent told) { }
        public void AcceptEvent() { }
        public void SetAnchorsPreset(LayoutPreset preset) { }
        public void AddThemeStyleboxOverride(string name, StyleBox style) { }
        public StyleBox GetThemeStylebox(string name) { return null; }
        public void AddThemeFontSizeOverride(string name, int size) { }
        public void AddThemeColorOverride(string name, Color color) { }
    }

    public class Panel : Control { }

    public class Label : Control
    {
        public string Text { get; set; }
        public HorizontalAlignment HorizontalAlignment { get; set; }
        public VerticalAlignment VerticalAlignment { get; set; }
    }
}
