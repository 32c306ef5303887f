/** Text that no other client uses. `crypto.randomUUID` would need a secure context. */
export function uniqueId() {
  return String(Math.random());
}
