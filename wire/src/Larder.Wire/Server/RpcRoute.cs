namespace Larder.Wire;

/// <summary>A method that a server provides.</summary>
/// <param name="path">The path of the method.</param>
internal abstract class RpcRoute(string path)
{
    public string Path { get; } = path;

    /// <summary>Gets or sets the index of the method, in the order in which methods were mapped.</summary>
    public int Index { get; set; }

    /// <summary>Gets or sets the maximum size of a request message in bytes, compressed or not.</summary>
    public int MaxRequestBytes { get; set; }

    /// <summary>Runs a call. If the call fails, sets the error on <paramref name="call"/> or throws it.</summary>
    public abstract ValueTask RunAsync(RpcContext call, RpcRouterOptions options);
}
