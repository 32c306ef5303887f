// One clock for everything that moves on the page.

const tasks = new Set();
let running = false;

/** Calls `task(now)` at the display's rate until the returned function is called. */
export function each(task) {
  tasks.add(task);
  if (!running) {
    running = true;
    requestAnimationFrame(turn);
  }
  return () => tasks.delete(task);
}

function turn(now) {
  for (const task of tasks) task(now);
  running = tasks.size > 0;
  if (running) requestAnimationFrame(turn);
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
