namespace Larder.Client;

/// <summary>Every response's <c>Error</c>: lets a caller handle failures of all calls alike.</summary>
public interface ICacheFailure
{
    /// <summary>Why the call failed.</summary>
    CacheError Failure { get; }
}
