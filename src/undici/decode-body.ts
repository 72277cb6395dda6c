import { type Duplex, pipeline } from "node:stream";
import * as zlib from "node:zlib";

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;

/** Like `fetch`, the decoders accept a body whose last bytes are missing. */
const asFetch = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const asFetchBrotli = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };

const DECODERS: Readonly<Record<string, (() => Duplex) | undefined>> = {
  __proto__: null as never,
  gzip: () => zlib.createGunzip(asFetch),
  "x-gzip": () => zlib.createGunzip(asFetch),
  deflate: () => zlib.createInflate(asFetch),
  br: () => zlib.createBrotliDecompress(asFetchBrotli),
  // Node.js 22.15 and later.
  ...("createZstdDecompress" in zlib && { zstd: () => zlib.createZstdDecompress() }),
};

/** The content codings to ask for, as the value of `Accept-Encoding`: without `deflate`, which servers send in two formats. */
export const ACCEPTED_CODINGS: string = ["gzip", "br", "zstd"].filter((name) => name in DECODERS).join(", ");

/** The maximum number of content codings of a body, because each takes memory. */
const MAX_CODINGS = 5;

/**
 * Decodes the body of a response. Like `fetch`, it leaves one with an unknown coding as it is.
 *
 * @param codings The value of `Content-Encoding`.
 */
export function decodeBody(body: AsyncIterable<Uint8Array>, codings: string): AsyncIterable<Uint8Array> {
  const names = codings.toLowerCase().split(",");
  if (names.length > MAX_CODINGS) throw new Error(`the response has ${names.length} content codings`);
  const decoders = names.flatMap((name) => DECODERS[name.trim()] ?? []);
  if (decoders.length < names.length) return body;
  // Whoever reads the result gets the error.
  return decoders.reduceRight<AsyncIterable<Uint8Array>>(
    (source, create) => pipeline(source, create(), () => {}),
    body,
  );
}
