// @ts-check

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** Formats a whole number. @param {number} value */
export const count = (value) => whole.format(value);

/** Formats a rate per second. @param {number} value */
export const rate = (value) => (value >= 100 ? whole.format(value) : short.format(value));

/** Formats a ratio between 0 and 1 as a percentage. @param {number} value */
export const percent = (value) => `${(100 * value).toFixed(1)} %`;

/** @param {number} value bytes */
export function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let scaled = value;
  while (scaled >= 1024 && unit < units.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return `${unit === 0 ? whole.format(scaled) : short.format(scaled)} ${units[unit]}`;
}

/** @param {number} us microseconds */
export function time(us) {
  if (us >= 1e6) {
    return `${short.format(us / 1e6)} s`;
  }
  return us >= 1000 ? `${short.format(us / 1000)} ms` : `${short.format(us)} µs`;
}

/** Formats a duration with its two largest units. @param {number} seconds */
export function duration(seconds) {
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [Math.floor(seconds) % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value !== 0);
  return first < 0
    ? "0 s"
    : parts
        .slice(first, first + 2)
        .map(([value, unit]) => `${value} ${unit}`)
        .join(" ");
}
