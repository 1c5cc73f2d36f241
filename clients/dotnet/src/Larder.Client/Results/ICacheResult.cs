namespace Larder.Client;

/// <summary>The result of any call, so that a caller can handle the failures of all calls in one place.</summary>
public interface ICacheResult
{
    /// <summary>Gets why the call failed, or null if it succeeded.</summary>
    CacheError? Error { get; }
}
