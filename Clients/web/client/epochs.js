/**
 * The order of a session's epochs, by docs/protocol/updates.md, "Epochs and gaps".
 *
 * An epoch is `RUN.LIFE`. `RUN` names a run of the daemon, or a cluster; `LIFE` grows when the
 * session opens again within it. Runs have no order, so the one that came first is the older one.
 */
export class EpochOrder {
  /** The newest epoch; null before the first one. */
  current = null;
  #run = null;
  #life = 0n;
  #formerRuns = new Set();

  /** Whether an epoch is older than the current one. */
  isOld(epoch) {
    const { run, life } = parseEpoch(epoch);
    return this.#formerRuns.has(run) || (run === this.#run && life < this.#life);
  }

  /** Makes an epoch the current one; it must not be old. */
  adopt(epoch) {
    const { run, life } = parseEpoch(epoch);
    if (this.#run !== null && run !== this.#run) this.#formerRuns.add(this.#run);
    this.#run = run;
    this.#life = life;
    this.current = epoch;
  }
}

function parseEpoch(epoch) {
  const [, run, life] = /^(.*)\.(\d+)$/s.exec(epoch) ?? [null, String(epoch), 0];
  // A cluster's numbers may have more digits than a double holds.
  return { run, life: BigInt(life) };
}
