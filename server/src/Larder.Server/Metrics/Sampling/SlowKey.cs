namespace Larder.Server.Metrics;

/// <summary>One of the calls that took longest.</summary>
/// <param name="Cache">Its cache's name.</param>
/// <param name="Key">Its key's first bytes, <see cref="SampledKey.KeptBytes"/> at most.</param>
/// <param name="KeyBytes">The key's whole length, in bytes.</param>
/// <param name="Call">The call's name.</param>
/// <param name="TookUs">How long it ran, in microseconds, without its way there and back.</param>
internal sealed record SlowKey(string Cache, byte[] Key, int KeyBytes, string Call, double TookUs);
