/** Receives deliveries in the process, as the request handler of a server would. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;
