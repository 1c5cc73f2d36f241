using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>
/// A channel that tolerates stalls of a loaded machine. The default limits, 5 s for a connection and 1 s for a ping, would take a stall for a lost server.
/// </summary>
internal static class StallTolerantChannel
{
    public static RpcChannel To(Uri endpoint) => new(Options(endpoint));

    public static RpcChannelOptions Options(Uri endpoint) => new()
    {
        Endpoint = endpoint,
        ConnectTimeout = RunningServer.Patience,
        KeepAlivePingTimeout = RunningServer.Patience,
    };
}
