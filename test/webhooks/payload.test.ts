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

const data = { id: "ord_1", note: "<a> & b" };
const long = { note: "x".repeat(3_000) };
const cut = `{"note":"${"x".repeat(1_990)}…`;
const discord = (description: string) => ({ content: "order.paid", embeds: [{ description }] });
const slack = (text: string) => {
  return { text: "order.paid", blocks: [{ type: "section", text: { type: "plain_text", text } }] };
};

const formats = Object.entries({ discord, slack }) as ["discord" | "slack", typeof slack | typeof discord][];

it.each(formats)("DEL-2, G-DISCORD, G-SLACK: %s gets the type and 2,000 characters of data", async (format, of) => {
  expect(await bodyOf(format, data)).toEqual(of(JSON.stringify(data)));
  expect(await bodyOf(format, long)).toEqual(of(cut));
});
