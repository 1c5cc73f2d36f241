using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>
/// A channel that takes no stall of a loaded machine for a lost server: the usual limits, 5 s for a connection and 1 s for a ping, are too short for that.
/// </summary>
internal static class PatientChannel
{
    public static RpcChannel To(Uri endpoint) => new(Options(endpoint));

    public static RpcChannelOptions Options(Uri endpoint) => new()
    {
        Endpoint = endpoint,
        ConnectTimeout = RunningServer.Patience,
        KeepAlivePingTimeout = RunningServer.Patience,
    };
}
