/** The maximum number of unfinished walks that can be continued. */
const MAX_STOPS = 16;

/** Rows by key, in a stable order. */
interface Rows<Value> {
  get(key: string): Value | undefined;
  entries(): Iterator<[string, Value]>;
}

/** An unfinished walk: the key of the next row, and the rows after it. */
interface Stop<Value> {
  readonly next: string;
  readonly rest: Iterator<[string, Value]>;
}

/**
 * Iterates over rows from any key. Continues an earlier walk that stopped at that key, so that reading all pages of a long
 * list costs a single walk. Any other key is searched from the first row.
 */
export class RowWalks<Value> {
  readonly #rows: Rows<Value>;
  readonly #stops = new Map<string, Stop<Value>>();

  constructor(rows: Rows<Value>) {
    this.#rows = rows;
  }

  /** Forgets the unfinished walks. Must be called after every change except setting a row. */
  clear(): void {
    if (this.#stops.size > 0) this.#stops.clear();
  }

  /** Yields the rows after a key, or all rows without a key. */
  *after(key: string | undefined): Generator<[string, Value], void> {
    const stop = key === undefined ? undefined : this.#takeStop(key);
    const rest = stop ? stop.rest : this.#search(key);
    let previous = key;
    let row = stop ? this.#row(stop.next) : nextOf(rest);
    try {
      while (row) {
        yield row;
        previous = row[0];
        row = nextOf(rest);
      }
    } finally {
      if (row && previous !== undefined) this.#keep(previous, { next: row[0], rest });
    }
  }

  #search(key: string | undefined): Iterator<[string, Value]> {
    const rows = this.#rows.entries();
    for (let row = key === undefined ? undefined : nextOf(rows); row && row[0] !== key; ) row = nextOf(rows);
    return rows;
  }

  #row(key: string): [string, Value] {
    return [key, this.#rows.get(key) as Value];
  }

  #takeStop(key: string): Stop<Value> | undefined {
    const stop = this.#stops.get(key);
    this.#stops.delete(key);
    return stop;
  }

  #keep(key: string, stop: Stop<Value>): void {
    this.#stops.delete(key);
    this.#stops.set(key, stop);
    if (this.#stops.size > MAX_STOPS) this.#stops.delete(this.#stops.keys().next().value as string);
  }
}

function nextOf<Row>(rows: Iterator<Row>): Row | undefined {
  const { done, value } = rows.next();
  return done ? undefined : value;
}
