import { install, isInstalled, modulesOf } from "../../scripts/install.ts";

const FOLDER = "test/matrix";

/** Where the packages are installed, with a slash at the end. */
export const matrixModules = modulesOf(FOLDER);

/** Returns whether everything in this folder's lock file is installed. */
export const isMatrixInstalled = () => isInstalled(FOLDER);

/** Installs the runtimes, bundlers, compilers and test runners of this folder. Returns whether it succeeded. */
export const installMatrix = () => install(FOLDER, "the runtimes and tools of test/matrix (1 GB)");
