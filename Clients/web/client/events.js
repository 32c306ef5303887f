/** Dispatches an event whose listeners find `detail` in it. */
export function emit(target, type, detail) {
  target.dispatchEvent(new CustomEvent(type, { detail }));
}

/**
 * Dispatches an error as the event "error". If no listener reads it, it goes to the console, so
 * that it does not vanish.
 */
export function emitError(target, error, description) {
  let isRead = false;
  const event = new CustomEvent("error");
  Object.defineProperty(event, "detail", {
    get() {
      isRead = true;
      return error;
    },
  });
  target.dispatchEvent(event);
  if (!isRead) console.error(`${description}: ${error.code}: ${error.message}`);
}
