export { Client, connect } from "./client.js";
export { GesturedError } from "./errors.js";
export { Session } from "./session.js";
export { interpolate } from "./motion.js";
export { layers } from "./layers.js";
export { rowOf } from "./rows.js";
export { hit } from "./hit.js";
export { capture } from "./capture.js";
