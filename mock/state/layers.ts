/**
 * A set of writes on top of the layers below it: first its dropped keys are removed, then its rows are set. A row that
 * already exists below keeps its position.
 */
export interface Layer<Value> {
  readonly rows: Map<string, Value>;
  readonly dropped: Set<string>;
}

/** Creates a layer with copies of the rows and dropped keys. */
export function layerOf<Value>(rows?: ReadonlyMap<string, Value>, dropped?: ReadonlySet<string>): Layer<Value> {
  return { rows: new Map(rows), dropped: new Set(dropped) };
}

/** Returns the value of a key in the lowest `height` layers; undefined if it is in none of them or was dropped. */
export function lookUp<Value>(layers: readonly Layer<Value>[], key: string, height = layers.length): Value | undefined {
  for (let i = height - 1; i >= 0; i--) {
    const { rows, dropped } = layers[i] as Layer<Value>;
    const value = rows.get(key);
    if (value !== undefined || (dropped.size > 0 && dropped.has(key))) return value;
  }
  return undefined;
}

/** A layer stays separate from the one above only if it is more than this many times larger. */
const GROWTH = 2;

/** The maximum weight of a merged layer: a copy of a million rows would keep other requests waiting for a second. */
const MAX_MERGED = 50_000;

/**
 * Returns the layers with another one on top. Layers of a similar size are merged, so that there are few of them and each
 * row is copied only a few times. The given layers do not change.
 *
 * @param size The number of rows of all layers together. If the layers contain twice as many, because rows were set more
 * than once or deleted, merged layers may have any size.
 */
export function pushLayer<Value>(
  layers: readonly Layer<Value>[],
  top: Layer<Value>,
  size: number,
): readonly Layer<Value>[] {
  const weight = layers.reduce((sum, layer) => sum + weightOf(layer), weightOf(top));
  const maxMerged = weight > 2 * size ? Number.POSITIVE_INFINITY : MAX_MERGED;
  let upper = top;
  let height = layers.length;
  while (height > 0 && isMergeable(layers[height - 1] as Layer<Value>, upper, maxMerged)) {
    height -= 1;
    upper = mergeLayers(layers[height] as Layer<Value>, upper);
  }
  // The lowest layer has nothing below it to drop.
  if (height === 0) upper.dropped.clear();
  return weightOf(upper) === 0 ? [] : [...layers.slice(0, height), upper];
}

function isMergeable(lower: Layer<unknown>, upper: Layer<unknown>, maxMerged: number): boolean {
  const [below, above] = [weightOf(lower), weightOf(upper)];
  return below <= GROWTH * above && below + above <= maxMerged;
}

/** Yields the rows of all layers, oldest first. */
export function* rowsOf<Value>(layers: readonly Layer<Value>[]): IterableIterator<[string, Value]> {
  for (const [level, { rows, dropped }] of layers.entries()) {
    for (const [key, value] of rows) {
      const isChange = level > 0 && !dropped.has(key) && lookUp(layers, key, level) !== undefined;
      const newest = isChange ? undefined : newestOf(layers, level, key, value);
      if (newest !== undefined) yield [key, newest];
    }
  }
}

/** Returns the newest value of a row, from the layers above it; undefined if one of them dropped it. */
function newestOf<Value>(layers: readonly Layer<Value>[], level: number, key: string, value: Value): Value | undefined {
  let newest = value;
  for (let above = level + 1; above < layers.length; above++) {
    const { rows, dropped } = layers[above] as Layer<Value>;
    if (dropped.size > 0 && dropped.has(key)) return undefined;
    newest = rows.get(key) ?? newest;
  }
  return newest;
}

function mergeLayers<Value>(lower: Layer<Value>, upper: Layer<Value>): Layer<Value> {
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
