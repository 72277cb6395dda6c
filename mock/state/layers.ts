/**
 * Some writes on top of the layers below: first the dropped keys disappear, then the rows are set. A row whose key is
 * below keeps its place there.
 */
export interface Layer<Value> {
  readonly rows: Map<string, Value>;
  readonly dropped: Set<string>;
}

/** Makes a layer, with copies of what is given. */
export function layerOf<Value>(rows?: ReadonlyMap<string, Value>, dropped?: ReadonlySet<string>): Layer<Value> {
  return { rows: new Map(rows), dropped: new Set(dropped) };
}

/** The value of a key in the topmost of so many layers; undefined when it is in none, or was dropped. */
export function lookUp<Value>(layers: readonly Layer<Value>[], key: string, height = layers.length): Value | undefined {
  for (let i = height - 1; i >= 0; i--) {
    const { rows, dropped } = layers[i] as Layer<Value>;
    const value = rows.get(key);
    if (value !== undefined || (dropped.size > 0 && dropped.has(key))) return value;
  }
  return undefined;
}

/** How many times larger than a layer the one below it must be to stay apart from it. */
const GROWTH = 2;

/**
 * Puts a layer on top. Layers of a similar size become one, so that there are few of them, and each row is copied only a
 * few times however many layers are put on top one after the other. The given layers stay as they are.
 */
export function pushed<Value>(layers: readonly Layer<Value>[], top: Layer<Value>): readonly Layer<Value>[] {
  let upper = top;
  let height = layers.length;
  while (height > 0 && weightOf(layers[height - 1] as Layer<Value>) <= GROWTH * weightOf(upper)) {
    height -= 1;
    upper = merged(layers[height] as Layer<Value>, upper);
  }
  // Below the lowest layer there is nothing to drop.
  if (height === 0) upper.dropped.clear();
  return weightOf(upper) === 0 ? [] : [...layers.slice(0, height), upper];
}

/** Every row of all layers, oldest first. */
export function* rowsOf<Value>(layers: readonly Layer<Value>[]): IterableIterator<[string, Value]> {
  for (const [place, { rows, dropped }] of layers.entries()) {
    for (const [key, value] of rows) {
      const isChange = place > 0 && !dropped.has(key) && lookUp(layers, key, place) !== undefined;
      const newest = isChange ? undefined : newestOf(layers, place, key, value);
      if (newest !== undefined) yield [key, newest];
    }
  }
}

/** What became of a row in the layers above it; undefined when one of them dropped it. */
function newestOf<Value>(layers: readonly Layer<Value>[], place: number, key: string, value: Value): Value | undefined {
  let newest = value;
  for (let above = place + 1; above < layers.length; above++) {
    const { rows, dropped } = layers[above] as Layer<Value>;
    if (dropped.size > 0 && dropped.has(key)) return undefined;
    newest = rows.get(key) ?? newest;
  }
  return newest;
}

function merged<Value>(lower: Layer<Value>, upper: Layer<Value>): Layer<Value> {
  const { rows, dropped } = layerOf(lower.rows, lower.dropped);
  for (const key of upper.dropped) {
    rows.delete(key);
    dropped.add(key);
  }
  for (const [key, value] of upper.rows) rows.set(key, value);
  return { rows, dropped };
}

function weightOf<Value>({ rows, dropped }: Layer<Value>): number {
  return rows.size + dropped.size;
}
