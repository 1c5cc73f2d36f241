namespace Larder.Server.Snapshots;

/// <summary>The exception that is thrown if a requested snapshot was not written.</summary>
/// <param name="message">The reason.</param>
/// <param name="inner">The exception that writing threw; null if writing was not attempted.</param>
internal sealed class SnapshotRefusedException(string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Gets whether writing was attempted.</summary>
    public bool WasTried => InnerException is not null;
}
