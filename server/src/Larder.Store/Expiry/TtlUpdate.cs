namespace Larder.Store;

/// <summary>When a TTL update applies.</summary>
public enum TtlUpdate
{
    /// <summary>Only where the new TTL is longer than what remains.</summary>
    IncreaseTo,

    /// <summary>Only where the new TTL is shorter than what remains.</summary>
    DecreaseTo,

    /// <summary>Always.</summary>
    OverwriteTo,
}
