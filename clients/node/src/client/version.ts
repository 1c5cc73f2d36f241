/** The package's version. A test checks that it equals package.json's. */
export const version = "0.1.0";
