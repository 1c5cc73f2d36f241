namespace Larder.Server.Metrics;

/// <summary>One of the most frequently used keys.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="Key">The first bytes of the key, at most <see cref="SampledKey.KeptBytes"/>.</param>
/// <param name="KeyBytes">The length of the whole key in bytes.</param>
/// <param name="Share">The share of this key in all calls with a key, from 0 to 1. It is overestimated by at most 1/128.</param>
/// <param name="CallsPerSecond">The estimated number of calls per second.</param>
internal sealed record HotKey(string Cache, byte[] Key, int KeyBytes, double Share, double CallsPerSecond);
