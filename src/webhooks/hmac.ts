/** Returns the base64 of the HMAC-SHA256 of a string, for one key. */
export type Hmac = (text: string) => string | Promise<string>;

/**
 * Prepares a key for HMAC-SHA256. It uses Web Crypto, or the runtime's synchronous `node:crypto` where there is one: for a
 * short string, waiting for Web Crypto takes several times as long as the HMAC itself.
 */
export function hmac(key: Uint8Array<ArrayBuffer>): Hmac {
  return hmacOfNode(key) ?? hmacOfWebCrypto(key);
}

/** Prepares a key for `node:crypto`, which is looked up without an import, so that bundles for browsers have none. */
function hmacOfNode(key: Uint8Array<ArrayBuffer>): Hmac | undefined {
  const node = globalThis.process?.getBuiltinModule?.("node:crypto");
  const secret = node?.createSecretKey(key);
  return secret && ((text) => node.createHmac("sha256", secret).update(text).digest("base64"));
}

function hmacOfWebCrypto(key: Uint8Array<ArrayBuffer>): Hmac {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return async (text) => {
    const signature = await crypto.subtle.sign("HMAC", await imported, new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(signature)));
  };
}
