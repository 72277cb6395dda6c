export type { UndiciBody, UndiciDispatcher, UndiciRequest, UndiciResponse } from "./dispatcher.ts";
export type { UndiciTransportOptions } from "./options.ts";
export { type UndiciTransport, undiciTransport } from "./undici-transport.ts";
