import { SECRET } from "../options/options.ts";

/** Matches a webhook secret, also with the escapes of JSON. A choice inside of it would overflow the stack for long ones. */
const WEBHOOK_SECRET = /whsec_[\w+/\\=-]+/g;

/** Matches the beginning of a URL, and what may contain a user name and a password: parsers accept any number of slashes. */
const AUTHORITY = /(https?:[\\/]*)([^\s"<>/?#\\]+)/gi;

/** Replaces webhook secrets, and the user names and passwords of URLs. */
export function redactSecrets(text: string): string {
  const withoutUser = (_: string, scheme: string, authority: string) =>
    scheme + authority.replace(/^.*@/s, "[redacted]@");
  return text.replace(WEBHOOK_SECRET, "[redacted]").replace(AUTHORITY, withoutUser);
}

/** Whether a value may be secret: because of the name that it has, or because of what it contains. */
export function isSecret(name: string, value: string): boolean {
  return SECRET.test(name) || redactSecrets(value) !== value;
}
