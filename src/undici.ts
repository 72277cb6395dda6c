/**
 * Sends the requests of a client with undici, which takes less time per call than `fetch`. For Node.js.
 *
 * @module undici
 */
export type {
  UndiciBody,
  UndiciDispatcher,
  UndiciRequest,
  UndiciResponse,
  UndiciTransportOptions,
} from "./undici/options.ts";
export { type UndiciTransport, undiciTransport } from "./undici/undici-transport.ts";
