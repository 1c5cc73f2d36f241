namespace Larder.Server.Metrics;

/// <summary>One call of the sample.</summary>
/// <param name="Number">Its place among the sampled calls that somebody watched, from 1.</param>
/// <param name="At">When it ended.</param>
/// <param name="Cache">Its cache's name.</param>
/// <param name="Call">Its name.</param>
/// <param name="Key">Its key's first bytes, <see cref="SampledKey.KeptBytes"/> at most.</param>
/// <param name="KeyBytes">The key's whole length, in bytes.</param>
/// <param name="Weight">How many calls it stands for.</param>
/// <param name="TookUs">How long it ran, in microseconds; null where its end is not known here: in front of a cluster.</param>
internal sealed record SampledCall(long Number, DateTimeOffset At, string Cache, string Call, byte[] Key, int KeyBytes, int Weight, double? TookUs);
