namespace Larder.Server.Metrics;

/// <summary>One of the slowest calls.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="Key">The first bytes of the key, at most <see cref="SampledKey.KeptBytes"/>.</param>
/// <param name="KeyBytes">The length of the whole key in bytes.</param>
/// <param name="Call">The name of the call.</param>
/// <param name="TookUs">The duration in the server in microseconds, without network time.</param>
internal sealed record SlowKey(string Cache, byte[] Key, int KeyBytes, string Call, double TookUs);
