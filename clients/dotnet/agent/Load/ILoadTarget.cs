namespace Larder.Agent;

/// <summary>
/// The target of a load: the Larder client or a peer. The loop of each target awaits the task that the client returns, without further layers, so that only the
/// client is measured.
/// </summary>
internal interface ILoadTarget
{
    /// <summary>Makes calls until the caller reports that the run is over. Failed calls are counted, not thrown.</summary>
    Task RunAsync(LoadCaller caller);

    /// <summary>Sets one key. Returns null on success, otherwise the error message.</summary>
    Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl);
}
