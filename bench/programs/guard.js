// Recognizes an error with a guard of one version, which loads no client and no contract.
import { isApiError } from "#current";

if (isApiError(new Error())) process.exit(1);
