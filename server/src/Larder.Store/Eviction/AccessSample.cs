namespace Larder.Store;

/// <summary>The kind of an access to a sampled key.</summary>
internal enum AccessKind
{
    /// <summary>The key was read and found.</summary>
    Hit,

    /// <summary>The key was read and not found.</summary>
    Miss,

    /// <summary>The key was written.</summary>
    Set,

    /// <summary>The key was deleted.</summary>
    Delete,
}

/// <summary>An access to a sampled key.</summary>
/// <param name="Hash">The full hash of the key, which identifies it.</param>
/// <param name="SizeBytes">The entry's size in bytes, if it is known.</param>
/// <param name="Kind">The kind of access.</param>
internal readonly record struct AccessSample(ulong Hash, int SizeBytes, AccessKind Kind);
