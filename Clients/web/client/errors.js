/**
 * The error of a request or a message. After "unavailable" the request may still have been carried
 * out. `code` is one of docs/protocol/publish.md, "Refusals", or "unavailable" (no daemon, or it
 * left before the answer) or "closed" (the client is closed).
 */
export class GesturedError extends Error {}

/** Makes an error with all fields of a refusal: `code`, `message`, and what else it says. */
export function errorFrom(refusal) {
  return Object.assign(new GesturedError(refusal.message), refusal);
}
