// @ts-check
/** @typedef {import("./answers").Session} Session */

const tokenName = "larder-console-token";

/** The error that is thrown if the server responds with an error or cannot be reached. */
export class ApiError extends Error {
  /**
   * @param {number} status the HTTP status; 0 if there was no response
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Sends requests to the server. The token is stored only in this browser tab, and is lost when the tab is closed. */
export class Api {
  #csrf = "";

  /** @returns {string} */
  get token() {
    return sessionStorage.getItem(tokenName) ?? "";
  }

  set token(token) {
    if (token === "") {
      sessionStorage.removeItem(tokenName);
    } else {
      sessionStorage.setItem(tokenName, token);
    }
  }

  /** Returns the session, which contains the rights of this page. @returns {Promise<Session>} */
  async session() {
    const session = /** @type {Session} */ (await this.get("session"));
    this.#csrf = session.csrf;
    return session;
  }

  /** @param {string} path @returns {Promise<unknown>} */
  get(path) {
    return this.#ask("GET", path, undefined);
  }

  /** @param {string} path @param {object} body @returns {Promise<unknown>} */
  post(path, body) {
    return this.#act("POST", path, body);
  }

  /** @param {string} path @param {object} body @returns {Promise<unknown>} */
  delete(path, body) {
    return this.#act("DELETE", path, body);
  }

  /** @param {string} method @param {string} path @param {object} body */
  async #act(method, path, body) {
    const csrf = this.#csrf;
    try {
      return await this.#ask(method, path, body);
    } catch (error) {
      // After a restart, the server expects another CSRF token. Retry with that token.
      if (!(error instanceof ApiError) || error.status !== 403 || (await this.session()).csrf === csrf) {
        throw error;
      }
      return this.#ask(method, path, body);
    }
  }

  /** @param {string} method @param {string} path @param {object | undefined} body */
  async #ask(method, path, body) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (this.token !== "") {
      headers.Authorization = `Bearer ${this.token}`;
    }
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      headers["Larder-CSRF"] = this.#csrf;
    }
    const answer = await fetch(`/api/${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(15_000),
    }).catch(() => {
      throw new ApiError(0, "the server is unreachable; check that it is running");
    });
    // If a request is rejected before it reaches the API, the response is plain text.
    const text = await answer.text().catch(() => "");
    const told = parsed(text);
    if (!answer.ok || told === undefined) {
      const plain = answer.headers.get("Content-Type")?.startsWith("text/plain") ? text.trim() : "";
      throw new ApiError(answer.status, told?.error ?? (plain || `the server returned HTTP ${answer.status}`));
    }
    return told;
  }
}

/** @param {string} text @returns {any} undefined if the text is not JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
