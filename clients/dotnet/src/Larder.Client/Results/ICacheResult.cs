namespace Larder.Client;

/// <summary>The common interface of the results of all calls. It allows handling the failures of all calls in one place.</summary>
public interface ICacheResult
{
    /// <summary>Gets the error of the call, or null if the call succeeded.</summary>
    CacheError? Error { get; }
}
