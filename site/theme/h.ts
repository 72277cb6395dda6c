import { JSX } from "typedoc";

/** Creates an element of TypeDoc's templates. */
export const h: typeof JSX.createElement = JSX.createElement;

/** Inserts HTML that is already escaped. */
export function raw(html: string): JSX.Element {
  return JSX.createElement(JSX.Raw, { html });
}
