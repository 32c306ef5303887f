// One clock for everything that moves on the page.

const tasks = new Set();
let running = false;

/**
 * Calls `task(now)` at the display's rate until the returned function is called. A task that
 * fails goes on with its next picture, and tells the console of its first failure only.
 */
export function each(task) {
  tasks.add(task);
  if (!running) {
    running = true;
    requestAnimationFrame(turn);
  }
  return () => tasks.delete(task);
}

const failed = new WeakSet();

function turn(now) {
  running = tasks.size > 0;
  if (running) requestAnimationFrame(turn);
  for (const task of tasks) {
    try {
      task(now);
    } catch (error) {
      if (!failed.has(task)) console.error(error);
      failed.add(task);
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
