namespace Larder.Server.Leases;

/// <summary>What a lease and a tag may be.</summary>
internal static class LeaseLimits
{
    /// <summary>The longest lease, in milliseconds: ten minutes.</summary>
    public const uint MaxLeaseMs = 600_000;

    /// <summary>The longest tag, in bytes.</summary>
    public const int MaxTagBytes = 1_024;
}
