namespace Larder.Server.Snapshots;

/// <summary>A snapshot was asked for that is not written, or could not be.</summary>
/// <param name="message">Why, in a sentence.</param>
/// <param name="inner">What was met, where something was.</param>
internal sealed class SnapshotRefusedException(string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Whether it was tried.</summary>
    public bool WasTried => InnerException is not null;
}
