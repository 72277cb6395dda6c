import { PACKAGE_VERSION } from "./package-version.ts";

/**
 * Returns the header by which the client introduces itself (RFC 9110, section 10.1.5). Browsers are left out: some drop
 * the header, and others would ask the service for permission first (CORS).
 */
export function userAgent(): Readonly<Record<string, string>> {
  return isBrowser() ? {} : { "user-agent": `billing-service-sdk/${PACKAGE_VERSION}` };
}

/** Every browser calls itself Mozilla, in its workers too; Node, Deno, Bun and edge runtimes have names of their own. */
function isBrowser(): boolean {
  return globalThis.navigator?.userAgent?.startsWith("Mozilla/") ?? false;
}
