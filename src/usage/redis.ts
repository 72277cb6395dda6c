/**
 * An outbox in Redis, for several machines.
 *
 * @module usage/redis
 */
export { type RedisOutboxClient, type RedisOutboxOptions, redisOutbox } from "./redis/redis-outbox.ts";
