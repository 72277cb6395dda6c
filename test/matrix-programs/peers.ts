// A program that only has to compile: it uses the types of the entry points that need another package.

import { createMock } from "@billing-service/sdk/mock/node";
import { createTest } from "@billing-service/sdk/mock/vitest";
import { redisOutbox } from "@billing-service/sdk/usage/redis";
import { setupServer } from "msw/node";
import { createClient as createRedisClient } from "redis";
import { createClient } from "#current";

setupServer(...createMock().handlers).listen();
void redisOutbox(createRedisClient()).close();

const test = createTest({ createClient });
test("has a client", async ({ client, mock }) => {
  const { inserted } = await client.events.ingest([{ name: "a", external_customer_id: "b" }]);
  const size: number = mock.events.size + inserted;
  // @ts-expect-error A number is not a string.
  const text: string = size;
  return void text;
});
