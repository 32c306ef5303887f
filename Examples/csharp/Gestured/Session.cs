// A session as it is followed, drawn and touched: updates.md, draw.md and touch.md of
// docs/protocol.
using System;
using System.Collections.Generic;
using System.Linq;
using Map = System.Collections.Generic.Dictionary<string, object>;

namespace Gestured
{
    /// A box to draw, as engines nest them. `Left` and `Top` are in points, from the top left
    /// corner of the parent's box before its transform; rotation (radians, clockwise on screen) and
    /// scale are about the box's own center; `Alpha` is for all that is in it. `View` is null for a
    /// component itself, whose children are its views. Lists begin with what is furthest back.
    public sealed class Layer
    {
        public string Component, View;
        public double Left, Top, W, H, Z, Rotation, Scale = 1, Alpha = 1;
        /// Whether all that is in it is cut at its box; whether it is a circle.
        public bool Clip, Round;
        /// How it looks, by the scene: `text`, `background`, `color`, `corner_radius` …
        public Map Content = new Map();
        /// For the bar at the top of a screen that the scene describes: `title` and `back_title`,
        /// each a text or null. Null for all other layers.
        public Map Titles;
        public List<Layer> Children = new List<Layer>();

        /// Unique in the session: keep one object of the engine for each.
        public string Key { get { return View == null ? Component : Component + "/" + View; } }
    }

    public sealed class Session
    {
        // Seconds: until another attempt to join; between repeats of a contact that rests.
        const double Pause = 0.1, RepeatSeconds = 0.9;
        // Contacts that are down at once: the daemon takes no more in a session.
        const int ContactsMax = 32;
        // Runs of the daemon whose late updates are known as late.
        const int RunsMax = 64;

        sealed class Contact { public double X, Y, Sent; }

        public readonly string Name;
        /// The body of `scene/`, or null while there is no such session.
        public Map Scene { get; private set; }
        /// The last state of each component.
        public readonly Map States = new Map();
        /// The rows that lists have told last, by component: `from`, `count`, `rows`, `version`.
        public readonly Map Rows = new Map();
        public Map Badge { get; private set; }
        public string Epoch { get; private set; }
        public bool Joined { get; private set; }
        /// Tells of each update: its kind (`frame`, `transition`, `badge` …) and its body.
        public event Action<string, Map> Heard;

        readonly Client client;
        readonly List<Action> ends = new List<Action>();
        readonly Dictionary<int, Contact> contacts = new Dictionary<int, Contact>();
        readonly int firstPointer = new Random().Next();
        // By the run of the daemon, the newest life that is known; by the kind of update, its seq.
        readonly Dictionary<string, double> lives = new Dictionary<string, double>();
        readonly Dictionary<string, double> seqs = new Dictionary<string, double>();
        Action sync;
        // After lost updates the snapshot is told as a whole.
        bool isSceneNew, isHealing;

        internal Session(Client client, string name)
        {
            this.client = client;
            Name = name;
            foreach (var kind in new[] { "scene/", "frame/", "session/", "rejected/" })
                ends.Add(client.Subscribe(kind + name, Take));
        }

        /// Ends the subscriptions; the session itself stays.
        public void Close()
        {
            foreach (var end in ends) end();
            if (sync != null) sync();
            sync = null;
            client.Forget(this);
        }

        /// The boxes to draw now, in the viewport or in a view.
        public List<Layer> Layers(string parent = null, string slot = null)
        {
            var layers = new List<Layer>();
            foreach (Map one in (Scene ?? new Map()).List("components"))
            {
                var id = (string)one["id"];
                var state = States.Find(id) as Map;
                bool isHere = (string)one["parent"] == parent && (string)one["slot"] == slot;
                if (state == null || !isHere) continue;
                var frame = one.List("frame");
                var layer = new Layer {
                    Component = id, Left = (double)frame[0], Top = (double)frame[1],
                    W = (double)frame[2], H = (double)frame[3],
                    Clip = Equals(one.Find("clip"), true), Content = one.Object("content") };
                foreach (var entry in state.Object("views"))
                    layer.Children.Add(ViewLayer(one, state, entry.Key, (Map)entry.Value));
                // The order is kept where `z` is the same.
                layer.Children = layer.Children.OrderBy(it => it.Z).ToList();
                layers.Add(layer);
            }
            return layers;
        }

        /// A contact at a point of the viewport; `phase` is began, changed, ended or cancelled.
        public void Touch(int pointer, string phase, double x, double y)
        {
            if (phase == "began" ? contacts.Count >= ContactsMax : !contacts.ContainsKey(pointer))
                return;
            if (phase == "began" || phase == "changed")
                contacts[pointer] = new Contact { X = x, Y = y, Sent = client.Now };
            else contacts.Remove(pointer);
            client.Publish("gesture/" + Name, new Map {
                { "gesture", "pointer" }, { "phase", phase }, { "x", x }, { "y", y },
                { "pointer", (double)firstPointer + pointer }, { "t", Milliseconds() } });
        }

        static double Milliseconds()
        {
            return (DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalMilliseconds;
        }

        internal void RepeatContacts()
        {
            foreach (var one in contacts.ToArray())
                if (client.Now - one.Value.Sent > RepeatSeconds)
                    Touch(one.Key, "changed", one.Value.X, one.Value.Y);
        }

        Layer ViewLayer(Map one, Map state, string view, Map at)
        {
            var id = (string)one["id"];
            var item = Item(one, view);
            bool isWorld = (string)one["kind"] == "dynamics";
            return new Layer {
                Component = id, View = view, W = at.Number("w"), H = at.Number("h"),
                Left = at.Number("x") - at.Number("w") / 2,
                Top = at.Number("y") - at.Number("h") / 2,
                Z = at.Number("z"), Rotation = at.Number("rotation"), Scale = at.Number("scale", 1),
                Alpha = at.Number("alpha", 1),
                Round = isWorld && Equals(item?.Find("shape"), "circle"),
                Content = Look(one, state, view, item, Row(id, view)),
                Titles = Titles(one, state, view),
                Children = Layers(id, view) };
        }

        static Map Titles(Map one, Map state, string view)
        {
            if ((string)one["kind"] != "navigation") return null;
            return state.Object("model").List("screens").OfType<Map>()
                .FirstOrDefault(it => Equals(it.Find("name"), view));
        }

        static Map Item(Map one, string view)
        {
            string prefix = (string)one["kind"] == "tabs" ? "item-" : "";
            return one.Object("parameters").List("items").OfType<Map>()
                .FirstOrDefault(it => prefix + it.Find("id") == view);
        }

        /// The row of a list that a view shows; null: its list has not told it.
        Map Row(string id, string view)
        {
            int number;
            var told = Rows.Object(id);
            if (!view.StartsWith("row-") || !int.TryParse(view.Substring(4), out number))
                return null;
            int place = number - (int)told.Number("from");
            var list = told.List("rows");
            return place >= 0 && place < list.Count ? list[place] as Map : null;
        }

        /// A view's content, by the conventions of "Draw a session".
        static Map Look(Map one, Map state, string view, Map item, Map row)
        {
            if (item != null) return item.Object("content");
            Map content = one.Object("content"), look = new Map(), model = state.Object("model");
            string kind = (string)one["kind"], name = view.Split('-')[0];
            var mains = new[] { "tips tip", "toss item", "profile content", "list row", "tabs bar",
                "reader page", "reader incoming", "button button", "panel panel",
                "label label", "label former" };
            string title = TitleOf(kind, name, model);
            if (title != null) look["text"] = model.Find(title);
            if (kind == "navigation" || mains.Contains(kind + " " + name)) Add(content, look);
            Add(kind == "navigation" ? content.Object("screens").Object(view)
                : content.Object(kind == "profile" && name == "label" ? "name" : name), look);
            if (row != null) Add(row.Object("content"), look);
            if (name == "tip")
            {
                int index = (int)model.Number("index");
                var tips = one.Object("parameters").List("tips");
                var tip = index < tips.Count ? tips[index] as Map : null;
                Add(model.Find("content") as Map ?? (tip ?? new Map()).Object("content"), look);
            }
            if (kind == "label")
            {
                string former = name == "former" ? "former_" : "";
                foreach (var key in new[] { "text", "image" }) look[key] = model.Find(former + key);
            }
            return look;
        }

        /// Where a view of tips or pages has its text in the model, or null.
        static string TitleOf(string kind, string name, Map model)
        {
            if (kind == "tips" && name == "tip") return "title";
            if (kind != "reader") return null;
            bool isBefore = model.Number("incoming") < model.Number("index");
            return name == "page" ? "title" : name == "header" ? "previous_title"
                : name == "footer" ? "next_title" : name != "incoming" ? null
                : isBefore ? "previous_title" : "next_title";
        }

        static void Add(Map from, Map to)
        {
            foreach (var entry in from) to[entry.Key] = entry.Value;
        }

        internal void Join()
        {
            if (sync != null) sync();
            Action end = null;
            end = sync = client.Subscribe("sync/" + Guid.NewGuid().ToString("N"), (_, __) =>
            {
                end();
                client.Ask("snapshot", new Map { { "session", Name } }, reply =>
                {
                    if (sync == end) TakeSnapshot(reply);
                });
            });
        }

        void TakeSnapshot(Map reply)
        {
            string code = reply.Object("error").Find("code") as string;
            string epoch = reply.Find("epoch") as string ?? Epoch;
            bool isGone = code == "unknown-session";
            if (code != null && !isGone || IsOld(epoch)) { client.After(Pause, Join); return; }
            sync = null;
            if (isGone) Clear();
            else Adopt(epoch);
            foreach (Map update in reply.List("updates"))
            {
                string kind = ((string)update["topic"]).Split('/')[0];
                if (kind == "state" || kind == "badge" || kind == "rows") continue;
                var body = (Map)update["body"];
                double last, seq = body.Number("seq");
                // An update may have told the same before. A frame may show a later instant.
                bool isKnown = seqs.TryGetValue(kind, out last) && seq <= last && !isHealing
                    && (kind != "frame" || Shows(body));
                if (!isKnown) Show(kind, body);
                seqs[kind] = Math.Max(last, seq);
            }
            Joined = true;
            isHealing = false;
            Tell("joined", new Map { { "epoch", isGone ? null : Epoch } });
        }

        void Take(string topic, Map body)
        {
            string[] words = topic.Split('/');
            string kind = words[0], epoch = body.Find("epoch") as string;
            if (words[1] != Name || IsOld(epoch)) return;
            if (epoch != Epoch && sync == null) Join();
            Adopt(epoch);
            double seq = body.Number("seq"), since = body.Number("since", seq), last;
            bool isFirst = !seqs.TryGetValue(kind, out last);
            if (!isFirst && seq <= last) return;
            seqs[kind] = seq;
            Show(kind, body);
            if (isFirst || !(since > last + 1)) return;
            isHealing = true;
            Join();
        }

        /// Whether all states and counts of a frame show already.
        bool Shows(Map frame)
        {
            var badge = frame.Find("badge") as Map ?? new Map();
            if (badge.Number("version") > (Badge ?? new Map()).Number("version")) return false;
            var rows = frame.Object("rows");
            if (rows.Any(one => Json.Write(Rows.Object(one.Key)) != Json.Write(one.Value)))
                return false;
            return frame.List("states").Cast<Map>().All(state =>
            {
                var shown = States.Find((string)state["component"]) as Map;
                if (shown == null) return false;
                shown = new Map(shown);
                shown.Remove("seq");
                return Json.Write(shown) == Json.Write(state);
            });
        }

        /// The run of the daemon, and the session's life in it.
        static Tuple<string, double> Split(string epoch)
        {
            int dot = (epoch ?? "").LastIndexOf('.');
            double life;
            return dot >= 0 && double.TryParse(epoch.Substring(dot + 1), out life)
                ? Tuple.Create(epoch.Substring(0, dot), life) : Tuple.Create(epoch ?? "", -1.0);
        }

        bool IsOld(string epoch)
        {
            var parts = Split(epoch);
            double life;
            return lives.TryGetValue(parts.Item1, out life) && parts.Item2 < life;
        }

        void Adopt(string epoch)
        {
            if (epoch == Epoch) return;
            if (lives.Count >= RunsMax) lives.Clear();
            // Nothing of a former run of the daemon is new.
            if (Epoch != null) lives[Split(Epoch).Item1] = double.PositiveInfinity;
            lives[Split(epoch).Item1] = Split(epoch).Item2;
            Epoch = epoch;
            seqs.Clear();
        }

        void Clear()
        {
            Scene = Badge = null;
            States.Clear();
            Rows.Clear();
        }

        void Show(string kind, Map body)
        {
            if (kind == "session" && (body.Find("event") as string == "closed"
                    || body.Find("event") as string == "expired")) Clear();
            if (kind == "scene") ShowScene(body);
            if (kind == "frame")
            {
                // The first frame of a scene has all states.
                if (isSceneNew) { States.Clear(); Rows.Clear(); }
                isSceneNew = false;
                Add(body.Object("rows"), Rows);
                foreach (Map state in body.List("states"))
                {
                    var last = States.Find((string)state["component"]) as Map;
                    if (last != null && last.Number("seq") > body.Number("seq")) continue;
                    state["seq"] = body["seq"];
                    States[(string)state["component"]] = state;
                }
                foreach (Map one in body.List("transitions")) Tell("transition", one);
                var badge = body.Find("badge") as Map;
                double version = (Badge ?? new Map()).Number("version");
                if (badge != null && badge.Number("version") > version) Badge = badge;
            }
            Tell(kind, body);
        }

        void ShowScene(Map body)
        {
            bool isSameLife = body.Find("epoch") as string == Scene?.Find("epoch") as string;
            double revision = body.Number("revision");
            if (isSameLife && revision < Scene.Number("revision")) return;
            bool isSame = isSameLife && revision == Scene.Number("revision");
            // The same scene comes again where its texts name values that have changed.
            if (isSame && body.Number("seq") <= Scene.Number("seq")) return;
            Scene = body;
            if (!isSame) isSceneNew = true;
        }

        void Tell(string kind, Map body) { if (Heard != null) Heard(kind, body); }
    }
}
