// Types of gestured.js. Lengths are points, y points down. Angles are radians, clockwise.
// Times `t` are milliseconds since the Unix epoch on the session's own timeline.

/**
 * Connects to a gesture-web; by default to the folder of the page's address, where the one that
 * serves the page is. It tries for ever, with pauses of at most 1 s.
 */
export function connect(url?: string | URL): Client;

/**
 * Why a request was not done. `code` is one of docs/protocol/publish.md, or "unavailable" (no
 * daemon answers, or the connection was lost before the answer) or "closed" (the client is).
 */
export class GesturedError extends Error {
  readonly code: string;
}

/** A gesture-web's words of itself. */
export interface WebInfo {
  name: string;
  version: string;
  /** Nothing may be published through it: `publish` and `acknowledged` are refused. */
  read_only: boolean;
  /** Whether it hears the daemon. */
  daemon: boolean;
  limits: Record<string, number>;
}

export interface ClientEvents {
  /** The state changed, or the daemon is another one; sessions join again by themselves. */
  state: CustomEvent<Client["state"]>;
  /** `web` changed: the daemon went or came. */
  web: CustomEvent<WebInfo>;
  /**
   * The gesture-web refused a message, for example an event above a rate. The codes stand in
   * docs/web.md, "Messages". An error whose `detail` no listener reads goes to the console.
   */
  error: CustomEvent<GesturedError>;
}

/** One connection. It reconnects by itself, also after 5 s without a heartbeat. */
export class Client extends EventTarget {
  constructor(url?: string | URL);
  /** "waiting": the connection was lost, and the client reconnects by itself. */
  readonly state: "connecting" | "open" | "waiting" | "closed";
  /** The last that the gesture-web said of itself; null before. */
  readonly web: WebInfo | null;
  /**
   * Sends a request of the control socket, as soon as the connection is there, and gives its reply.
   * Rejects with a `GesturedError`. A `publish` whose body has an `id` is sent again instead of
   * being "unavailable".
   */
  request(op: string, fields?: object): Promise<any>;
  /** Publishes an event. Nobody answers; false: there is no connection, and nothing was sent. */
  publish(topic: string, body: object): boolean;
  /**
   * Publishes an event, and resolves when it is applied and durable. Notifications and commands get
   * an `id` (unless the body has one), and are sent again until they are answered, over lost
   * connections and restarts; they are applied once. A gesture is sent once, and only over an open
   * connection. Rejects with a `GesturedError`.
   */
  acknowledged(topic: string, body: object): Promise<{ duplicate?: boolean; hit?: Hit | null }>;
  /**
   * Gives every update of the topics that begin so, over reconnects. Where the gesture-web refuses
   * it for now, it is asked for again after 100 ms to 2 s, and then `sentAgain` is called: updates
   * may have been missed. Call the result to end.
   */
  subscribe(
    prefix: string, take: (topic: string, body: any) => void, sentAgain?: () => void,
  ): () => void;
  /**
   * Lets a session that you opened live as long as this client: gesture-web closes it 10 s after
   * the connection has ended, unless this client or another one binds it again or watches it.
   * Over reconnects. Call the result to let it stay.
   */
  bind(session: string): () => void;
  /** Joins a session, and follows it. */
  watch(session: string): Session;
  /** Ends it for good. Open requests are rejected with "closed". */
  close(): void;
  addEventListener<K extends keyof ClientEvents>(
    type: K, listener: (event: ClientEvents[K]) => void, options?: AddEventListenerOptions): void;
  addEventListener(type: string, listener: any, options?: any): void;
}

export interface Hit {
  component: string;
  view: string | null;
}

/** A view as states have it: a box around a center, in its component's coordinates. */
export interface View {
  x: number;
  y: number;
  w: number;
  h: number;
  rotation: number;
  scale: number;
  alpha: number;
  z: number;
  /** Grows when the view was placed anew, and not moved. Absent: 0. */
  cut?: number;
}

/** One component as it shows. docs/protocol/kinds.md says which phases and models exist. */
export interface State {
  component: string;
  phase: string;
  model: any;
  views: Record<string, View>;
  running?: Transition[];
  input?: number;
  /** The instant that it shows, on the session's timeline, and the frame that brought it. */
  t: number;
  seq: number;
  /** The state before it; the last 8 are kept. */
  former?: State | null;
}

export interface Component {
  id: string;
  kind: "tips" | "toss" | "navigation" | "profile" | "list" | "reader" | "tabs" | "dynamics"
    | "button" | "label" | "panel";
  parent: string | null;
  slot: string | null;
  /** `[x, y, w, h]` in what holds it. */
  frame: [number, number, number, number];
  clip: boolean;
  parameters: any;
  content: any;
}

export interface Scene {
  epoch: string;
  seq: number;
  t: number;
  scene: string | null;
  revision: number;
  viewport: [number, number];
  /** `[top, left, bottom, right]`. */
  insets: [number, number, number, number];
  frame_rate: 30 | 60 | 120;
  content: any;
  /** In the order of painting. */
  components: Component[];
}

export interface Badge {
  version: number;
  total: number;
  counts: Record<string, number>;
}

/** The values of a scene's variables, all of them. */
export interface Variables {
  version: number;
  values: Record<string, number | string | boolean>;
}

export interface Transition {
  component: string;
  name: string;
  event: "began" | "ended" | "cancelled";
  from?: any;
  to?: any;
  /** Seconds from its beginning to its end. */
  duration: number;
  /** A curve's name; or a spring's stiffness (1/s²), damping (1/s), velocity (ways per second). */
  curve: string | { spring: [number, number, number] } | null;
  /** Of `token` and `turn` of a dynamics: the token's symbol, and its angle in radians. */
  token?: number;
  angle?: number;
  [field: string]: any;
}

export interface Frame {
  epoch: string;
  seq: number;
  t: number;
  states: State[];
  transitions?: Transition[];
  badge?: Badge;
  variables?: Variables;
  /** The rows of lists that tell them, by component, where they changed. */
  rows?: Record<string, Rows>;
  /** All contacts that are down, where they changed. */
  touches?: Touch[];
}

/** A contact that is down: a finger, a pen or a mouse. */
export interface Touch {
  pointer: number;
  /** Its place in the viewport. */
  x: number;
  y: number;
  kind: "finger" | "pen" | "mouse";
  /** From 0 to 1; absent where its source does not say. */
  pressure?: number;
  /** The person's name; absent where its source does not say. */
  user?: string;
  /** One of ten, the same for all contacts of a person: `#3b82f6`. */
  color: string;
}

/** The rows of a list that show, and their neighbours. */
export interface Rows {
  /** Grows with each change of the rows. */
  version: number;
  /** How many rows there are. */
  count: number;
  /** The number of the first of `rows`. */
  from: number;
  rows: Row[];
}

export interface Row {
  /** Absent where the scene gives a number of rows. */
  id?: string;
  content: any;
  /** A menu of its own, in place of the list's. */
  menu?: { id: string; content?: any }[];
}

export interface Rejection {
  epoch: string;
  seq: number;
  t: number;
  code: string;
  message: string;
  topic: string;
  excerpt: string;
  reaction?: number;
}

export interface SessionEvents {
  /** The scene came or changed; null: the session is gone. */
  scene: CustomEvent<Scene | null>;
  /** States changed. The states in it have no `t`, `seq` and `former`. */
  frame: CustomEvent<Frame>;
  transition: CustomEvent<Transition>;
  /** The counts changed. */
  badge: CustomEvent<Badge>;
  /** A variable of the scene changed. */
  variables: CustomEvent<Variables>;
  /** Contacts landed, moved or lifted: all that are down now. */
  touches: CustomEvent<Touch[]>;
  /** `event` is opened, closed, expired, parked or restored. */
  session: CustomEvent<{ event: string; scene: string | null; t: number }>;
  rejected: CustomEvent<Rejection>;
  /** A snapshot shows: its epoch. Null: there is no such session yet, its opening will show. */
  joined: CustomEvent<string | null>;
  /** Updates were missed; one snapshot is on its way. */
  gap: CustomEvent<{ kind: string; missed: number }>;
}

/** One session as it is now. Get it by `client.watch`. */
export class Session extends EventTarget {
  constructor(client: Client, name: string);
  readonly name: string;
  /** Null before the first snapshot, and while there is no such session. */
  readonly scene: Scene | null;
  /** The newest states by component, not interpolated. */
  readonly states: Map<string, State>;
  readonly badge: Badge | null;
  /** The values of the scene's variables; null where it has none. */
  readonly variables: Variables | null;
  /** The rows that lists have told last, by component. */
  readonly rows: Map<string, Rows>;
  /** The contacts that are down; null before any was told. */
  readonly touches: Touch[] | null;
  readonly epoch: string | null;
  /** How often updates were missed. */
  readonly gaps: number;
  /** Whether a first snapshot was answered. */
  readonly joined: boolean;
  /**
   * The states to draw at an instant of `performance.now()`: the newest of what a hand holds, and
   * all else interpolated, 8 to 50 ms late, as late as its frames need. A component that rests
   * gives the very same object each time.
   */
  at(now?: number): Map<string, State>;
  /** Ends its subscriptions. */
  close(): void;
  addEventListener<K extends keyof SessionEvents>(
    type: K, listener: (event: SessionEvents[K]) => void, options?: AddEventListenerOptions): void;
  addEventListener(type: string, listener: any, options?: any): void;
}

/**
 * A view between two: `a` at `f` 0, `b` at 1. The rotation goes the short way, and may leave
 * (−π, π]. Where `cut` has grown nothing lies between: it is `a` until `f` is 1.
 */
export function interpolate(a: View, b: View, f: number): View;

/**
 * A box to paint. A component gives one with `view` null; in it are one for each of its views, and
 * in those the components that they hold.
 */
export interface Layer {
  /** Unique in the session: `component`, or `component/view`. */
  key: string;
  component: string;
  view: string | null;
  /** The top left corner of the untransformed box in the parent's untransformed box. */
  left: number;
  top: number;
  w: number;
  h: number;
  /** Rotation and scale are about the center. */
  rotation: number;
  scale: number;
  /** Applies to everything in it, too. */
  alpha: number;
  /** A circle around the center; the radius is half the width. */
  round: boolean;
  /** Cuts everything in it at its box. */
  clip: boolean;
  /**
   * How it looks, as docs/protocol/draw.md says: `background`, `color`, `corner_radius` …
   * Those of a component are its own, as the scene has them.
   */
  content: any;
  /**
   * `content.text`, also of a component; of the views of tips, pages and screens the model's title;
   * of labels the model's text. A label itself has its text, and a navigation the title of the
   * screen that is uppermost.
   */
  text?: string;
  /** From back to front. */
  children: Layer[];
}

/** All that there is to paint, from back to front, nested; in a slot only if one is given. */
export function layers(
  scene: Scene | null, states: Map<string, State>, component?: string, slot?: string): Layer[];

/** A row of a list, as the state of `session.at()` shows it; null: the list has not told it. */
export function rowOf(state: State, number: number): Row | null;

/**
 * The component and view that a touch would reach at a point of the viewport, in points; null
 * where there is nothing. The same as the request `hit` tells, of the states that show.
 */
export function hit(
  scene: Scene | null, states: Map<string, State>, x: number, y: number): Hit | null;

/**
 * Sends what happens on an element to a session: mouse, pen and touch as contacts, wheels as
 * wheels. Contacts that rest are repeated. Buttons and links on it are clicked all the same. A
 * wheel over nothing that scrolls stays with the page, if the client watches the session. `toPoint`
 * gives a point of the viewport for an event; by default the element's layout box is the viewport,
 * however it is scaled. The result ends it: contacts that are down are cancelled. Meanwhile the
 * element's `touch-action` and `user-select` are "none".
 */
export function capture(
  element: HTMLElement, client: Client, session: string,
  toPoint?: (event: MouseEvent) => [number, number],
  options?: { user?: string }): () => void;
