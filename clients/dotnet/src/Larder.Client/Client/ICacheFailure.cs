namespace Larder.Client;

/// <summary>Implemented by every response's <c>Error</c>, so that a caller can handle the failures of all calls in one place.</summary>
public interface ICacheFailure
{
    /// <summary>Gets the error.</summary>
    CacheError Failure { get; }
}
