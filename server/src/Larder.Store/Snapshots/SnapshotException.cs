namespace Larder.Store.Snapshots;

/// <summary>The exception that is thrown if a snapshot cannot be loaded. The store then contains no part of the snapshot.</summary>
/// <param name="fault">The machine-readable reason.</param>
/// <param name="message">The human-readable reason: a clause that begins with "it".</param>
/// <param name="inner">The exception that caused the failure; null if there is none.</param>
public sealed class SnapshotException(SnapshotFault fault, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Gets the machine-readable reason.</summary>
    public SnapshotFault Fault { get; } = fault;

    /// <summary>Gets the path to which the file was moved; null if it was not moved.</summary>
    public string? AsidePath { get; init; }
}
