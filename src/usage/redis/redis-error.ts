import { OutboxError, type OutboxErrorReason } from "../outbox/index.ts";

/** The password of a URL such as `redis://user:password@host`. */
const CREDENTIALS = /(\/\/)[^\s/@]*@/g;

type Explanation = readonly [pattern: RegExp, reason: OutboxErrorReason, advice: string];

const EXPLANATIONS: readonly Explanation[] = [
  [/^WRONGTYPE/, "foreign", "Another program uses the key. Choose another `prefix`."],
  [
    /^FOREIGN/,
    "foreign",
    "Another program wrote the entry with this id. Remove it (XDEL), or choose another `prefix`.",
  ],
  [/^OOM/, "full", "Raise `maxmemory` of Redis, or lower `capacity`."],
  [/No space left/i, "full", "Free space on the disk of Redis."],
  [/^(NOAUTH|WRONGPASS)/, "unavailable", "Check the user name and the password of the Redis client."],
  [/^NOPERM/, "unavailable", "Allow the Redis user to run EVAL and the stream commands."],
];

/** Explains why a command failed, without the password of a URL. */
export function redisError(method: string, key: string, error: unknown): OutboxError {
  const { message, cause } = withoutPassword(error);
  const explanation = EXPLANATIONS.find(([pattern]) => pattern.test(message));
  const [, reason, advice] = explanation ?? [undefined, "unavailable" as const, undefined];
  const problem = `redisOutbox: ${method} of "${key}" failed: ${message}`;
  return new OutboxError(reason, advice === undefined ? problem : `${problem} ${advice}`, { cause });
}

function withoutPassword(error: unknown): { message: string; cause: unknown } {
  const original = error instanceof Error ? error : new Error(String(error));
  const message = original.message.replace(CREDENTIALS, "$1") || original.name;
  const isSafe = `${original.message}${original.stack}`.search(CREDENTIALS) === -1;
  return { message, cause: isSafe ? original : new Error(message) };
}
