namespace Larder.Agent;

/// <summary>What a load is driven at: our client, or a peer. Its loop awaits the client's own task, so that nothing but the client is measured.</summary>
internal interface ILoadTarget
{
    /// <summary>Makes calls until the caller says that the run is over. Failed calls are counted, not thrown.</summary>
    Task RunAsync(LoadCaller caller);

    /// <summary>Sets one key; null when it was done, otherwise the error's text.</summary>
    Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl);
}
