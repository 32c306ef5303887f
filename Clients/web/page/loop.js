// One clock for everything that moves on the page.

const tasks = new Set();
let running = false;

/**
 * Calls `task(now)` at the display's rate until the returned function is called. While all tasks
 * answer false there is nothing to draw: then none is called before a call of `wake`. A task
 * that fails goes on with its next picture, and tells the console of its first failure only.
 */
export function each(task) {
  tasks.add(task);
  wake();
  return () => tasks.delete(task);
}

/** Goes on drawing: there is something new. */
export function wake() {
  if (running) return;
  running = true;
  requestAnimationFrame(turn);
}

const failed = new WeakSet();

function turn(now) {
  running = false;
  for (const task of tasks) {
    try {
      if (task(now) !== false) wake();
    } catch (error) {
      if (!failed.has(task)) console.error(error);
      failed.add(task);
      wake();
    }
  }
}

/** The same call, once nothing asked for it for some milliseconds. */
export function debounced(milliseconds, task) {
  let timer = 0;
  const later = (...rest) => {
    clearTimeout(timer);
    timer = setTimeout(() => task(...rest), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}
