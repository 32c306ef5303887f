// JSON as Map (Dictionary<string, object>), List<object>, string, double, bool and null.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Map = System.Collections.Generic.Dictionary<string, object>;

namespace Gestured
{
    public static class Json
    {
        // Levels of lists and objects: a message of gestured has fewer, and each costs stack.
        const int DepthMax = 64;

        /// A member, or null.
        public static object Find(this Map map, string key)
        {
            object found;
            return map.TryGetValue(key, out found) ? found : null;
        }

        /// A member that is a number, or another value.
        public static double Number(this Map map, string key, double otherwise = 0)
        {
            return map.Find(key) is double found ? found : otherwise;
        }

        /// A member that is an object, or an empty one.
        public static Map Object(this Map map, string key)
        {
            return map.Find(key) as Map ?? new Map();
        }

        /// A member that is a list, or an empty one.
        public static List<object> List(this Map map, string key)
        {
            return map.Find(key) as List<object> ?? new List<object>();
        }

        /// Throws FormatException, with the place.
        public static object Read(string text)
        {
            int place = 0;
            object value = Value(text, ref place, 0);
            Skip(text, ref place);
            return place == text.Length ? value : throw Wrong(place);
        }

        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(value, text);
            return text.ToString();
        }

        static FormatException Wrong(int place)
        {
            return new FormatException($"not JSON at character {place}");
        }

        static void Skip(string text, ref int place)
        {
            while (place < text.Length && " \t\r\n".IndexOf(text[place]) >= 0) place++;
        }

        static bool Take(string text, ref int place, string token)
        {
            Skip(text, ref place);
            bool isThere = string.CompareOrdinal(text, place, token, 0, token.Length) == 0;
            if (isThere) place += token.Length;
            return isThere;
        }

        static object Value(string text, ref int place, int depth)
        {
            if (depth > DepthMax) throw Wrong(place);
            if (Take(text, ref place, "{")) return Members(text, ref place, depth);
            if (Take(text, ref place, "["))
            {
                var list = new List<object>();
                if (Take(text, ref place, "]")) return list;
                do list.Add(Value(text, ref place, depth + 1)); while (Take(text, ref place, ","));
                return Take(text, ref place, "]") ? list : throw Wrong(place);
            }
            if (Take(text, ref place, "\"")) return Characters(text, ref place);
            if (Take(text, ref place, "true")) return true;
            if (Take(text, ref place, "false")) return false;
            if (Take(text, ref place, "null")) return null;
            int start = place;
            while (place < text.Length && "+-.0123456789eE".IndexOf(text[place]) >= 0) place++;
            double number;
            return double.TryParse(text.Substring(start, place - start), NumberStyles.Float,
                CultureInfo.InvariantCulture, out number) ? number : throw Wrong(start);
        }

        static Map Members(string text, ref int place, int depth)
        {
            var map = new Map();
            if (Take(text, ref place, "}")) return map;
            do
            {
                if (!Take(text, ref place, "\"")) throw Wrong(place);
                string name = Characters(text, ref place);
                if (!Take(text, ref place, ":")) throw Wrong(place);
                map[name] = Value(text, ref place, depth + 1);
            } while (Take(text, ref place, ","));
            return Take(text, ref place, "}") ? map : throw Wrong(place);
        }

        static string Characters(string text, ref int place)
        {
            var read = new StringBuilder();
            for (; place < text.Length && text[place] != '"'; place++)
            {
                if (text[place] != '\\') { read.Append(text[place]); continue; }
                if (++place == text.Length) break;
                int plain = "\"\\/bfnrt".IndexOf(text[place]);
                if (plain >= 0) { read.Append("\"\\/\b\f\n\r\t"[plain]); continue; }
                ushort unit;
                if (text[place] != 'u' || place + 4 >= text.Length || !ushort.TryParse(
                        text.Substring(place + 1, 4), NumberStyles.AllowHexSpecifier,
                        CultureInfo.InvariantCulture, out unit))
                    throw Wrong(place);
                read.Append((char)unit);
                place += 4;
            }
            if (place >= text.Length) throw Wrong(place);
            place++;
            return read.ToString();
        }

        static void Write(object value, StringBuilder text)
        {
            if (value == null) text.Append("null");
            else if (value is string) Quote((string)value, text);
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is IDictionary map)
            {
                string before = "{";
                foreach (DictionaryEntry one in map)
                {
                    Quote((string)one.Key, text.Append(before));
                    Write(one.Value, text.Append(':'));
                    before = ",";
                }
                text.Append(map.Count == 0 ? "{}" : "}");
            }
            else if (value is IEnumerable list)
            {
                int start = text.Length;
                foreach (object one in list) Write(one, text.Append(','));
                if (text.Length > start) text[start] = '['; else text.Append('[');
                text.Append(']');
            }
            else text.Append(Convert.ToDouble(value).ToString("R", CultureInfo.InvariantCulture));
        }

        static void Quote(string value, StringBuilder text)
        {
            text.Append('"');
            foreach (char one in value)
            {
                if (one == '"' || one == '\\') text.Append('\\').Append(one);
                else if (one < ' ') text.Append("\\u").Append(((int)one).ToString("x4"));
                else text.Append(one);
            }
            text.Append('"');
        }
    }
}
