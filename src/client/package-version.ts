// Written by `npm run generate` from package.json.
/** The version of the package. */
export const PACKAGE_VERSION = "0.0.0";
