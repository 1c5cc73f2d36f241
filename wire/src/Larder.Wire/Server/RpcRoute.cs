namespace Larder.Wire;

/// <summary>One call that a server has.</summary>
/// <param name="path">Its path.</param>
internal abstract class RpcRoute(string path)
{
    public string Path { get; } = path;

    /// <summary>Its place in the order in which calls were mapped.</summary>
    public int Index { get; set; }

    /// <summary>The largest request message in bytes, compressed or not.</summary>
    public int MaxRequestBytes { get; set; }

    /// <summary>Runs the call; a failure is set on <paramref name="call"/> or thrown.</summary>
    public abstract ValueTask RunAsync(RpcContext call, RpcRouterOptions options);
}
