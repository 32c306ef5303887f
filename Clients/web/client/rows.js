// The key of a state's own field: the rows that its list had told when the state came. So a state
// that is shown late still has the rows of its own instant. The key is a symbol, so that the field
// is not in the JSON.
const ROWS = Symbol("rows");

/** The state with the rows that its component has told; unchanged if it has told none. */
export function withRows(state, rows) {
  return rows ? { ...state, [ROWS]: rows } : state;
}

/** Gives a state other rows than those it came with. */
export function replaceRows(state, rows) {
  state[ROWS] = rows;
}

/**
 * A row of a list that tells its rows: its `content`, and its `id` and `menu` if it has them.
 *
 * @param {object} state of the list, as `session.at()` gives it
 * @param {number} number the row's, from 0
 * @returns {object | null} null if the list has not told this row
 */
export function rowOf(state, number) {
  const told = state[ROWS];
  return told?.rows[number - told.from] ?? null;
}
