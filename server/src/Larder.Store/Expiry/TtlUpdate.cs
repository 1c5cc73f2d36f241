namespace Larder.Store;

/// <summary>When a TTL update applies.</summary>
public enum TtlUpdate
{
    /// <summary>Only if the new TTL is longer than the remaining one.</summary>
    IncreaseTo,

    /// <summary>Only if the new TTL is shorter than the remaining one.</summary>
    DecreaseTo,

    /// <summary>Always.</summary>
    OverwriteTo,
}
