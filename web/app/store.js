/**
 * A value that can be watched. The whole state of the app is in a few of these.
 * @template {object} T
 */
export class Store {
  /** @type {Set<(value: T, before: T) => void>} */
  #watchers = new Set();

  /** @param {T} value */
  constructor(value) {
    /** @readonly */
    this.value = value;
  }

  /** @param {Partial<T>} change */
  set(change) {
    const before = this.value;
    /** @type {any} */ (this).value = { ...before, ...change };
    for (const watcher of this.#watchers) watcher(this.value, before);
  }

  /**
   * Calls back after every change. The returned function stops that.
   * @param {(value: T, before: T) => void} watcher
   */
  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}
