namespace Larder.Client;

/// <summary>What a client's near cache holds and has done since the client was made.</summary>
public sealed class NearCacheStatistics
{
    internal NearCacheStatistics()
    {
    }

    /// <summary>Gets answered by a copy.</summary>
    public long Hits { get; internal init; }

    /// <summary>Answers that were kept.</summary>
    public long Kept { get; internal init; }

    /// <summary>Copies dropped because the server told that they may have changed.</summary>
    public long Invalidations { get; internal init; }

    /// <summary>How often the server told that everything may have changed.</summary>
    public long Clears { get; internal init; }

    /// <summary>Answers that were not kept because their key may have changed, or was read or written otherwise, while they were under way.</summary>
    public long Poisoned { get; internal init; }

    /// <summary>Copies dropped because the bound was reached.</summary>
    public long Evictions { get; internal init; }

    /// <summary>Copies held now.</summary>
    public long Copies { get; internal init; }

    /// <summary>What they take now, in bytes: each its key, its cache's name, its value and 128.</summary>
    public long Bytes { get; internal init; }
}
