namespace Larder.Store.Snapshots;

/// <summary>A snapshot cannot be loaded. None of it is in the store.</summary>
/// <param name="fault">The reason, for programs.</param>
/// <param name="message">The reason, for people: a clause that begins with "it".</param>
/// <param name="inner">The exception that caused the failure, if any.</param>
public sealed class SnapshotException(SnapshotFault fault, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Gets the reason.</summary>
    public SnapshotFault Fault { get; } = fault;

    /// <summary>Gets the path to which the file was moved; null if it was not moved.</summary>
    public string? AsidePath { get; init; }
}
