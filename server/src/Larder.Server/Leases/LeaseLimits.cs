namespace Larder.Server.Leases;

/// <summary>The limits of leases and tags.</summary>
internal static class LeaseLimits
{
    /// <summary>The maximum duration of a lease in milliseconds: 10 minutes.</summary>
    public const uint MaxLeaseMs = 600_000;

    /// <summary>The maximum length of a tag in bytes.</summary>
    public const int MaxTagBytes = 1_024;
}
