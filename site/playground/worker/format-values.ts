/** Returns the text of a call of `console.log`: strings as they are, other values as indented JSON. */
export function formatValues(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? value : formatValue(value))).join(" ");
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return formatError(value);
  const above: unknown[] = [];
  const text = JSON.stringify(
    value,
    function (this: unknown, _name, inner: unknown) {
      // The objects between the value and this one; one that contains itself is not JSON.
      while (above.length > 0 && above.at(-1) !== this) above.pop();
      if (above.includes(inner)) return "[Circular]";
      const shown = toJson(inner);
      if (typeof shown === "object" && shown !== null) above.push(shown);
      return shown;
    },
    2,
  );
  return text ?? String(value);
}

/** Returns something that JSON can express. */
function toJson(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Headers) return Object.fromEntries(value);
  if (value instanceof Error) return formatError(value);
  if (value instanceof Response) return `Response ${value.status}`;
  if (value instanceof Request) return `Request ${value.method} ${value.url}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength} bytes)`;
  return ["bigint", "function", "symbol"].includes(typeof value) ? String(value) : value;
}

function formatError({ name, message, cause }: Error): string {
  return `${name}: ${message}${cause instanceof Error ? `\n  cause: ${formatError(cause)}` : ""}`;
}
