/** Maximum number of an integer's digits in a message. */
const MAX_DIGITS = 40;

/**
 * Returns the first integer in a JSON text that JavaScript cannot represent exactly (RFC 8259, section 6). Skips
 * numbers with a fraction or an exponent, which every program reads as floating-point numbers.
 */
export function inexactIn(text: string): string | undefined {
  let found: string | undefined;
  JSON.parse(text, (_key, value: unknown, context?: { readonly source: string }) => {
    const source = context?.source ?? "";
    const isInteger = typeof value === "number" && /^-?\d+$/.test(source);
    const isExact = isInteger && Number.isFinite(value) && BigInt(value) === BigInt(source);
    if (isInteger && !isExact) found ??= source.length > MAX_DIGITS ? `${source.slice(0, MAX_DIGITS)}…` : source;
    return value;
  });
  return found;
}
