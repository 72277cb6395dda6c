import { expect, it } from "vitest";
import { describeInBrowsers } from "../browser/browsers.ts";
import { siteOf } from "../browser/site.ts";
import { nextRequest } from "../support/next-request.ts";
import { blocksOf } from "../support/pages/blocks.ts";
import { started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";

const [calling] = blocksOf("docs/testing.md").filter(({ code }) => code.includes("document.body"));

const verifying = `
  import { signWebhook, verifyWebhook } from "@billing-service/sdk/${CURRENT}/webhooks";
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const delivery = await signWebhook({ type: "order.paid", data: { id: "ord_1" } }, { secret });
  const { type } = await verifyWebhook(delivery, { secret });
  const changed = { ...delivery, body: delivery.body.replace("ord_1", "ord_2") };
  const rejected = await verifyWebhook(changed, { secret }).catch(({ reason }) => reason);
  document.body.textContent = type + ", then " + rejected;
`;

describeInBrowsers((open) => {
  it.each([
    ["the guide's program calls the mock", calling?.code ?? "", "1 call counted"],
    ["verifyWebhook accepts a delivery and rejects a changed one", verifying, "order.paid, then signature-mismatch"],
  ])("%s", async (_, program, shown) => {
    await using site = await siteOf(program);
    await open(site.url);
    await expect.poll(() => site.requested).toContain(`/shows/${encodeURIComponent(shown)}`);
  });

  it("the inspector reads what the mock received", async () => {
    const { url } = await started();
    const read = nextRequest("/__mock/requests");
    await open(`${url}/__mock/`);
    await read;
  });
});
