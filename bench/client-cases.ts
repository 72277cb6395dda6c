import { Agent, request } from "node:http";
import ky from "ky";
import { createClient } from "#current";

/** Creates an endpoint once. */
export type CreateOnce = () => Promise<unknown>;

/** Creates the call of a case, for a server. */
type Make = (baseUrl: string) => CreateOnce;

const accessToken = "bench-token-0123456789";
const headers = { authorization: `Bearer ${accessToken}` };
const path = "/v1/webhooks/endpoints";
const json = { url: "https://example.com/webhooks/billing", format: "raw", events: ["order.paid"] } as const;

const peer = (name: string) => async (): Promise<Make> =>
  ((await import(new URL(`peers/${name}.mjs`, import.meta.url).href)) as { readonly make: Make }).make;

/** The ways to create an endpoint that are compared, by their names in the table. The first is what the others relate to. */
export const cases: Readonly<Record<string, () => Promise<Make>>> = {
  "bare fetch": async () => (baseUrl) => async () => {
    const post = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
    return (await fetch(baseUrl + path, { ...post, body: JSON.stringify(json) })).json();
  },
  "bare node:http": async () => viaNode,
  ky: async () => (baseUrl) => () => ky.post(baseUrl + path, { headers, json }).json(),
  "openapi-fetch": peer("openapi-fetch"),
  "@polar-sh/sdk": peer("polar"),
  stripe: peer("stripe"),
  "this client": async () => (baseUrl) => {
    const billing = createClient({ accessToken, baseUrl });
    return () => billing.webhooks.createEndpoint(json);
  },
};

function viaNode(baseUrl: string): CreateOnce {
  const agent = new Agent({ keepAlive: true });
  const post = { method: "POST", agent, headers: { ...headers, "content-type": "application/json" } };
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(baseUrl + path, post, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      });
      sent.on("error", reject).end(JSON.stringify(json));
    });
}
