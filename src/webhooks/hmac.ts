type Key = Uint8Array<ArrayBuffer>;
type Hash = (text: string) => string | Promise<string>;

const hashes = new WeakMap<Key, Hash>();

/**
 * Returns the base64 of the HMAC-SHA256 of a string. It uses Web Crypto, or the runtime's synchronous `node:crypto` where
 * there is one: for a short string, waiting for Web Crypto takes several times as long as the HMAC itself.
 */
export async function hmac(key: Key, text: string): Promise<string> {
  const hash = hashes.get(key) ?? hashByNode(key) ?? hashByWebCrypto(key);
  hashes.set(key, hash);
  return hash(text);
}

/** Prepares a key for `node:crypto`, which is looked up without an import, so that bundles for browsers have none. */
function hashByNode(key: Key): Hash | undefined {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  const secret = crypto?.createSecretKey(key);
  return secret && ((text) => crypto.createHmac("sha256", secret).update(text).digest("base64"));
}

function hashByWebCrypto(key: Key): Hash {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return async (text) => {
    const signature = await crypto.subtle.sign(algorithm.name, await imported, new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(signature)));
  };
}
