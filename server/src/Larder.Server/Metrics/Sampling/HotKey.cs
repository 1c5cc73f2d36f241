namespace Larder.Server.Metrics;

/// <summary>One of the keys called most.</summary>
/// <param name="Cache">Its cache's name.</param>
/// <param name="Key">Its first bytes, <see cref="SampledKey.KeptBytes"/> at most.</param>
/// <param name="KeyBytes">Its whole length, in bytes.</param>
/// <param name="Share">Of all calls that name a key, 0 to 1; too large by at most 1/128.</param>
/// <param name="CallsPerSecond">The same as a rate.</param>
internal sealed record HotKey(string Cache, byte[] Key, int KeyBytes, double Share, double CallsPerSecond);
