/** Returns a JSON value as the code of a JavaScript literal, on several lines if it is long. */
export function toCode(value: unknown): string {
  const short = literal(value);
  return short.length <= 60 ? short : literal(value, "\n");
}

function literal(value: unknown, line = ""): string {
  if (Array.isArray(value))
    return wrap(
      "[",
      value.map((item) => literal(item, line && `${line}  `)),
      "]",
      line,
      "",
    );
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return wrap("{", fields, "}", line, " ");
}

function wrap(open: string, parts: readonly string[], close: string, line: string, padding: string): string {
  if (parts.length === 0) return open + close;
  if (line === "") return `${open}${padding}${parts.join(", ")}${padding}${close}`;
  return `${open}${parts.map((part) => `${line}  ${part},`).join("")}${line}${close}`;
}
