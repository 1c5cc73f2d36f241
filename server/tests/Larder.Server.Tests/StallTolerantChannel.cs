using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>
/// A channel that tolerates stalls of a loaded machine. With the default limits of 5 s for a connection and 1 s for a ping, a stall would be treated as a lost
/// server.
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
