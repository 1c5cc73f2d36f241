namespace Larder.Lab.Fleet;

/// <summary>What a read of a <see cref="NumberedKey"/> has found.</summary>
internal enum ReadVerdict
{
    /// <summary>The last value, or that of a write that failed and was made.</summary>
    Right,

    /// <summary>An older one, or none: an answered write is gone.</summary>
    Lost,

    /// <summary>One that had been gone before.</summary>
    Stale,

    /// <summary>Another key's, or one that was never written.</summary>
    Crossed,
}
