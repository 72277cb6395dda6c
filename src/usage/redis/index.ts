export type { RedisOutboxOptions } from "./options.ts";
export type { RedisOutboxClient } from "./redis-client.ts";
export { redisOutbox } from "./redis-outbox.ts";
