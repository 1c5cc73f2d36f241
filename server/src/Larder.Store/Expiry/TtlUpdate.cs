namespace Larder.Store;

/// <summary>When a TTL update applies.</summary>
public enum TtlUpdate
{
    /// <summary>The new TTL is applied only if it is longer than the remaining one.</summary>
    IncreaseTo,

    /// <summary>The new TTL is applied only if it is shorter than the remaining one.</summary>
    DecreaseTo,

    /// <summary>The new TTL is always applied.</summary>
    OverwriteTo,
}
