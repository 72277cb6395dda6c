/** Copies the own properties of an object, so that a property of `Object.prototype` never counts as an option. */
export function own<Value extends object>(value: Value): Value {
  return { __proto__: null, ...value } as Value;
}

/** Returns a method of an object or of its class, but never one of `Object.prototype` (of any realm). */
export function methodOf(value: object, name: string): unknown {
  for (let at = value; ; ) {
    if (Object.hasOwn(at, name)) return (value as Record<string, unknown>)[name];
    at = Object.getPrototypeOf(at) as object;
    if (at === null || Object.getPrototypeOf(at) === null) return undefined;
  }
}

/** Binds the named methods of an object or of its class. A missing method is undefined. */
export function methodsOf<Value extends object>(value: Value, names: readonly string[]): Value {
  const bound = names.map((name) => {
    const method = methodOf(value, name);
    return [name, typeof method === "function" ? method.bind(value) : undefined];
  });
  return Object.fromEntries(bound) as Value;
}
