namespace Larder.Store.Snapshots;

/// <summary>A snapshot is not loaded, and nothing of it is in the store.</summary>
/// <param name="fault">Why, for a program.</param>
/// <param name="message">Why, for a reader: a clause that begins with "it".</param>
/// <param name="inner">What was met, where it was an exception.</param>
public sealed class SnapshotException(SnapshotFault fault, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Why.</summary>
    public SnapshotFault Fault { get; } = fault;

    /// <summary>Where the file is kept now; null where it was left as it is.</summary>
    public string? AsidePath { get; init; }
}
