// Types of gestured.js. Lengths are points, y points down. Angles are radians, clockwise.
// Times `t` are milliseconds since the Unix epoch on the session's own timeline.

/** Connects to a gesture-web; by default to the one that serves the page. Tries for ever. */
export function connect(url?: string | URL, options?: {}): Client;

/**
 * A request that was refused, or got no answer. `code` is one of docs/protocol.md, "Refusals", or
 * "unavailable" (no daemon, or the connection was lost before the answer) or
 * "closed" (by `close`).
 */
export class GesturedError extends Error {
  readonly code: string;
}

/** What a gesture-web says of itself. */
export interface WebInfo {
  name: string;
  version: string;
  /** Nothing may be published through it: `publish` and `acknowledged` are refused. */
  read_only: boolean;
  /** Whether it hears the daemon. */
  daemon: boolean;
  limits: Record<string, number>;
}

/** The message with which a gesture-web refuses one that is no request. */
export interface Refusal {
  code: string;
  message: string;
}

export interface ClientEvents {
  /** The state changed. */
  state: CustomEvent<Client["state"]>;
  /** `web` changed: the daemon went or came. */
  web: CustomEvent<WebInfo>;
  /** The way to a daemon is there, or there again; sessions join by themselves. */
  live: CustomEvent<undefined>;
  /** A message was refused, for example an event by a read-only gesture-web. */
  refused: CustomEvent<Refusal>;
}

/** One connection. It heals by itself, with pauses of at most 2 s. */
export class Client extends EventTarget {
  constructor(url?: string | URL, options?: {});
  /** "waiting": the connection was lost and is tried again by itself. */
  readonly state: "connecting" | "open" | "waiting" | "closed";
  /** The last that the gesture-web said of itself; null before. */
  readonly web: WebInfo | null;
  /**
   * Sends a request of the control socket, at the latest when the connection is there, and gives
   * its reply. Rejects with a `GesturedError`.
   */
  request(op: string, fields?: object): Promise<any>;
  /** Publishes an event. Nobody answers; false while there is no connection, and nothing is sent. */
  publish(topic: string, body: object): boolean;
  /**
   * Publishes an event, and resolves when it is applied and durable. Notifications and commands get
   * an `id` (unless the body has one), and are repeated over lost connections until they are
   * answered: they are applied once. A gesture is sent once. Rejects with a `GesturedError`.
   */
  acknowledged(topic: string, body: object): Promise<{ duplicate?: boolean; hit?: Hit | null }>;
  /** Gives every update of the topics that begin so, also after a reconnect. Call the result to end. */
  subscribe(prefix: string, take: (topic: string, body: any) => void): () => void;
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

/** One component as it shows. docs/protocol.md, "The kinds", says which phases and models exist. */
export interface State {
  component: string;
  phase: string;
  model: any;
  views: Record<string, View>;
  running?: Transition[];
  input?: number;
}

export interface Component {
  id: string;
  kind: "tips" | "toss" | "navigation" | "profile" | "list" | "reader" | "tabs" | "dynamics";
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

export interface Transition {
  component: string;
  name: string;
  event: "began" | "ended" | "cancelled";
  from?: any;
  to?: any;
  /** Seconds from its beginning to its end. */
  duration: number;
  curve: string | null;
  [field: string]: any;
}

export interface Frame {
  epoch: string;
  seq: number;
  t: number;
  states: State[];
  transitions?: Transition[];
  badge?: Badge;
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
  /** States changed. */
  frame: CustomEvent<Frame>;
  transition: CustomEvent<Transition>;
  /** The counts changed. */
  badge: CustomEvent<Badge>;
  /** `event` is opened, closed, expired, parked or restored. */
  session: CustomEvent<{ event: string; scene: string | null; t: number }>;
  rejected: CustomEvent<Rejection>;
  /** A snapshot shows; null: there is no such session yet, its opening will show. */
  joined: CustomEvent<any>;
  /** Updates were missed; one snapshot is on its way. */
  gap: CustomEvent<{ kind: string; missed: number; gaps: number }>;
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
  readonly epoch: string | null;
  /** How often updates were missed. */
  readonly gaps: number;
  /** Whether a first snapshot was answered. */
  readonly joined: boolean;
  /**
   * The states to draw at an instant of `performance.now()`: about one frame behind the newest,
   * interpolated. A component that rests gives the very same object each time.
   */
  at(now?: number): Map<string, State>;
  /** Ends its subscriptions. */
  close(): void;
  addEventListener<K extends keyof SessionEvents>(
    type: K, listener: (event: SessionEvents[K]) => void, options?: AddEventListenerOptions): void;
  addEventListener(type: string, listener: any, options?: any): void;
}

/**
 * A view between two: `a` at `f` 0, `b` at 1. The rotation goes the short way. Where `cut` has grown
 * nothing lies between: it is `a` until `f` is 1.
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
  /** How it looks, by the conventions of docs/protocol.md: `background`, `color`, `corner_radius` … */
  content: any;
  /** The text that it shows, from content or model. */
  text?: string;
  /** From back to front. */
  children: Layer[];
}

/** What there is to paint, from back to front, nested. */
export function layers(scene: Scene | null, states: Map<string, State>): Layer[];

/**
 * Sends what happens on an element to a session: mouse, pen and touch as contacts, wheels as wheels.
 * `toPoint` gives a point of the viewport for an event; by default the element's layout box is the
 * viewport, whatever zoom or transform it is shown with. The result ends it and cancels contacts.
 */
export function capture(
  element: HTMLElement, client: Client, session: string,
  toPoint?: (event: MouseEvent) => [number, number]): () => void;
