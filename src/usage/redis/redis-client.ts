import { describeType } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";

/**
 * The part of a client of the `redis` package that {@link redisOutbox} uses. `createClient`, `createClientPool` and
 * `createCluster` of `redis` 5 and 6 fit.
 */
export interface RedisOutboxClient {
  readonly isOpen: boolean;
  readonly isReady?: boolean;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  listenerCount(event: "error"): number;
}

/**
 * Checks a client.
 *
 * @throws {@link InvalidInputError} unless it has the methods that the outbox needs and a listener for `error`.
 */
export function checkRedisClient(client: RedisOutboxClient): RedisOutboxClient {
  if (typeof client?.eval !== "function" || typeof client.listenerCount !== "function") {
    throw invalid(`must be a client of the "redis" package; received ${describeType(client)}`);
  }
  if (client.listenerCount("error") === 0) {
    throw invalid(
      'has no listener for "error", so a lost connection would end the process. Add one: client.on("error", console.error)',
    );
  }
  return client;
}

function invalid(problem: string): InvalidInputError {
  return new InvalidInputError("client", problem, { caller: "redisOutbox" });
}
