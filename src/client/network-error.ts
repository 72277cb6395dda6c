import { isBillingError, NetworkError } from "../errors/index.ts";
import { isError, ownField } from "../values/describe.ts";
import { sanitizeError } from "./redact.ts";
import type { CallContext } from "./settings.ts";

/**
 * Returns the error for a request or a response that was lost, for every runtime. An error of the package stays as it is.
 *
 * @param isRequest Whether no response has arrived.
 */
export function networkErrorOf(context: CallContext, raw: unknown, isRequest = false): unknown {
  const { call, request, settings, tokens } = context;
  if (isBillingError(raw) || call.signal?.aborted) return raw;
  const { operation } = request;
  const cause = sanitizeError(raw, tokens);
  const inner = innermost(cause);
  const code = ownField(inner, "code");
  const { hostname } = new URL(request.url);
  const isPlaceholder =
    isRequest &&
    !settings.isOwnFetch &&
    hostname.endsWith(".example") &&
    isHostUnknown(innermost(isError(raw) ? raw : cause));
  return new NetworkError(
    `${operation}: the connection failed${typeof code === "string" ? ` (${code})` : ""}` +
      (isPlaceholder ? `; ${hostname} is a placeholder: set \`baseUrl\`, or \`fetch: mock.fetch\` for tests` : ""),
    { operation, cause, isPlaceholder },
  );
}

/** Whether the host name may be unknown. Browsers do not tell: their error has neither a code nor a cause. */
function isHostUnknown({ code, cause }: Error & { readonly code?: unknown }): boolean {
  return code === undefined ? cause === undefined : code === "ENOTFOUND" || code === "EAI_AGAIN";
}

/** Returns the innermost error: Node's outer one is always `fetch failed`. */
function innermost(lost: Error): Error {
  let error = lost;
  for (let depth = 0; depth < 5 && isError(error.cause); depth++) error = error.cause;
  return error;
}
