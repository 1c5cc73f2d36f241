namespace Larder.Server.Metrics;

/// <summary>A sampled call.</summary>
/// <param name="Number">The sequence number, from 1, of the calls recorded while somebody was watching.</param>
/// <param name="At">When the call ended.</param>
/// <param name="Cache">The cache name.</param>
/// <param name="Call">The name of the call.</param>
/// <param name="Key">The first bytes of the key, at most <see cref="SampledKey.KeptBytes"/>.</param>
/// <param name="KeyBytes">The length of the whole key in bytes.</param>
/// <param name="Weight">The number of calls that the sample stands for.</param>
/// <param name="TookUs">The duration in microseconds; null if unknown, as on a gateway.</param>
internal sealed record SampledCall(long Number, DateTimeOffset At, string Cache, string Call, byte[] Key, int KeyBytes, int Weight, double? TookUs);
