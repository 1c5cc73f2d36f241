namespace Larder.Store;

/// <summary>What was done to a sampled key.</summary>
internal enum AccessKind
{
    /// <summary>Found.</summary>
    Hit,

    /// <summary>Looked for and not found.</summary>
    Miss,

    /// <summary>Written.</summary>
    Set,

    /// <summary>Deleted.</summary>
    Delete,
}

/// <summary>One access to a sampled key.</summary>
/// <param name="Hash">The key's whole hash, which stands for the key.</param>
/// <param name="SizeBytes">The entry's size, where it is known.</param>
/// <param name="Kind">What was done.</param>
internal readonly record struct AccessSample(ulong Hash, int SizeBytes, AccessKind Kind);
