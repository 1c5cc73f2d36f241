namespace Larder.Store;

/// <summary>Specifies when a TTL update is applied.</summary>
public enum TtlUpdate
{
    /// <summary>The new TTL is applied only if it is longer than the remaining one.</summary>
    IncreaseTo,

    /// <summary>The new TTL is applied only if it is shorter than the remaining one.</summary>
    DecreaseTo,

    /// <summary>The new TTL is always applied.</summary>
    OverwriteTo,
}
