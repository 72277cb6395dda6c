import { Ingestion } from "@polar-sh/ingestion";
import { Analytics } from "@segment/analytics-node";
import { PostHog } from "posthog-node";

const host = "http://127.0.0.1:9";

/** Send events with the queues of other packages, which use the global `fetch`. */
export const peers = {
  "posthog-node": async (events) => {
    const posthog = new PostHog("phc_bench", {
      host,
      flushAt: 500,
      maxBatchSize: 500,
      maxQueueSize: 100_000,
      disableCompression: true,
    });
    for (const { name, external_customer_id, metadata } of events)
      posthog.capture({ distinctId: external_customer_id, event: name, properties: metadata });
    await posthog.shutdown();
  },
  "@segment/analytics-node": async (events) => {
    const analytics = new Analytics({ writeKey: "bench", host, flushAt: 500 });
    for (const { name, external_customer_id, external_id, metadata } of events)
      analytics.track({ userId: external_customer_id, event: name, messageId: external_id, properties: metadata });
    await analytics.closeAndFlush();
  },
  "@polar-sh/ingestion": async (events) => {
    const polar = Ingestion({ accessToken: "bench", serverURL: host });
    const batch = [];
    for (const { name, external_customer_id, external_id, metadata } of events) {
      batch.push({ name, externalCustomerId: external_customer_id, externalId: external_id, metadata });
      if (batch.length === 500) await polar.ingest(batch.splice(0));
    }
    if (batch.length > 0) await polar.ingest(batch);
  },
};
