/** What the calls of a client return in every runtime. */
const expectedCalls = {
  inserted: 2,
  retried: ["products:list ApiError"],
  pages: [2, 1],
  notFound: "webhooks:get_webhook_endpoint: 404 Not found",
  unauthorized: 401,
};

/** What every runtime reports. */
export const expectedReport = {
  inProcess: expectedCalls,
  overSocket: expectedCalls,
  webhooks: [204, 401, "order.paid", { id: "ord_1" }],
  buffered: 3,
};
