/** The package's version; a spec holds it to package.json. */
export const version = "0.1.0";
