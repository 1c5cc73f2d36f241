namespace Larder.Server.Metrics;

/// <summary>A sampled call.</summary>
/// <param name="Number">The sequence number of the call. Numbers start at 1 and count only the calls that were recorded while a client polled for them.</param>
/// <param name="At">The time at which the call ended.</param>
/// <param name="Cache">The cache name.</param>
/// <param name="Call">The name of the call.</param>
/// <param name="Key">The first bytes of the key, at most <see cref="SampledKey.KeptBytes"/>.</param>
/// <param name="KeyBytes">The length of the whole key in bytes.</param>
/// <param name="Weight">The number of calls that the sample represents.</param>
/// <param name="TookUs">The duration in microseconds; null if the duration is unknown, for example on a gateway.</param>
internal sealed record SampledCall(long Number, DateTimeOffset At, string Cache, string Call, byte[] Key, int KeyBytes, int Weight, double? TookUs);
