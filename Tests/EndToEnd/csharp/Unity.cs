// The few declarations of Unity that Examples/csharp/Unity names, so that it can be compiled
// without Unity. They do nothing: they check spelling and types against Unity's documentation.
using System;

namespace UnityEngine
{
    public class Object
    {
        public static void Destroy(Object one) { }
    }

    public class Component : Object
    {
        public Transform transform { get { return null; } }
        public GameObject gameObject { get { return null; } }
        public T GetComponent<T>() { return default(T); }
        public T GetComponentInParent<T>() { return default(T); }
    }

    public class Behaviour : Component { }
    public class MonoBehaviour : Behaviour { }
    public class Camera : Behaviour { }
    public class Canvas : Behaviour { public Camera worldCamera { get; set; } }
    public class CanvasGroup : Behaviour { public float alpha { get; set; } }
    public class Font : Object { }

    public class GameObject : Object
    {
        public GameObject(string name, params Type[] components) { }
        public T GetComponent<T>() { return default(T); }
        public T AddComponent<T>() where T : Component { return default(T); }
    }

    public class Transform : Component
    {
        public Transform parent { get; set; }
        public Quaternion localRotation { get; set; }
        public Vector3 localScale { get; set; }
        public void SetParent(Transform parent, bool keepsWorldPosition) { }
        public void SetSiblingIndex(int index) { }
        public Transform Find(string name) { return null; }
    }

    public sealed class RectTransform : Transform
    {
        public Vector2 anchorMin { get; set; }
        public Vector2 anchorMax { get; set; }
        public Vector2 anchoredPosition { get; set; }
        public Vector2 sizeDelta { get; set; }
        public Vector2 pivot { get; set; }
    }

    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static implicit operator Vector2(Vector3 one) { return new Vector2(one.x, one.y); }
    }

    public struct Quaternion
    {
        public static Quaternion Euler(float x, float y, float z) { return new Quaternion(); }
    }

    public struct Color
    {
        public static Color clear { get { return new Color(); } }
        public static Color black { get { return new Color(); } }
    }

    public static class ColorUtility
    {
        public static bool TryParseHtmlString(string text, out Color color)
        {
            color = new Color();
            return false;
        }
    }

    public static class Mathf { public const float Rad2Deg = 57.29578f; }
    public enum TextAnchor { UpperLeft, MiddleLeft = 3, MiddleCenter }
    public enum TouchPhase { Began, Moved, Stationary, Ended, Canceled }

    public struct Touch
    {
        public int fingerId { get { return 0; } }
        public Vector2 position { get { return new Vector2(); } }
        public TouchPhase phase { get { return TouchPhase.Began; } }
    }

    public static class Input
    {
        public static int touchCount { get { return 0; } }
        public static Vector3 mousePosition { get { return new Vector3(); } }
        public static Touch GetTouch(int index) { return new Touch(); }
        public static bool GetMouseButton(int button) { return false; }
        public static bool GetMouseButtonDown(int button) { return false; }
        public static bool GetMouseButtonUp(int button) { return false; }
    }

    public static class Resources
    {
        public static T GetBuiltinResource<T>(string path) where T : Object { return null; }
    }

    public static class RectTransformUtility
    {
        public static bool ScreenPointToLocalPointInRectangle(
            RectTransform box, Vector2 screen, Camera camera, out Vector2 point)
        {
            point = new Vector2();
            return true;
        }
    }
}

namespace UnityEngine.UI
{
    public class Graphic : Behaviour
    {
        public Color color { get; set; }
        public bool raycastTarget { get; set; }
    }

    public class Image : Graphic { }
    public class RectMask2D : Behaviour { }

    public class Text : Graphic
    {
        public string text { get; set; }
        public Font font { get; set; }
        public int fontSize { get; set; }
        public TextAnchor alignment { get; set; }
    }
}
