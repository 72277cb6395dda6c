import { expect, it } from "vitest";
import { CURRENT } from "../support/versions.ts";
import { receiving } from "./mocked.ts";

const time = "2025-01-01T00:00:01.000000Z";

/** Returns the body that is sent to an endpoint of a format. */
async function bodyOf(format: "raw" | "discord" | "slack", data: unknown) {
  const { body } = await receiving({ now: time }, { format }).deliver(data);
  return JSON.parse(body);
}

it("DEL-2, DEL-4, G-ENVELOPE: a raw payload is type, timestamp, api_version and data in this order, compact", async () => {
  const { body } = await receiving({ now: time }).deliver({ id: "ord_1", nested: { b: 1, a: [null] } });
  expect(body).toBe(
    `{"type":"order.paid","timestamp":"${time}","api_version":"${CURRENT}","data":{"id":"ord_1","nested":{"b":1,"a":[null]}}}`,
  );
});

it("DEL-2, G-DISCORD, G-SLACK: other formats have the type, and the data as JSON", async () => {
  const data = { id: "ord_1", note: "<a> & b" };
  const text = JSON.stringify(data);
  expect(await bodyOf("discord", data)).toEqual({ content: "order.paid", embeds: [{ description: text }] });
  const section = { type: "section", text: { type: "plain_text", text } };
  expect(await bodyOf("slack", data)).toEqual({ text: "order.paid", blocks: [section] });
});
